/** The contents of the list above the composer: commands, remaining options, or the values of one option. */
import type { AskedChoices } from "./autocomplete.ts";
import {
	charsMax,
	type Choice,
	type Directory,
	type Draft,
	type DraftOption,
	fixedChoices,
	isPicked,
	limitsText,
	remainingOptions,
	shownChoices,
} from "./command-draft.ts";
import { type Command, matchingCommands, type Option, shownName } from "./command-text.ts";
import { OPTION } from "./discord-constants.ts";
import type { IconName } from "./icon.tsx";

export interface ListItem {
	readonly title: string;
	readonly note?: string | undefined;
	readonly icon?: IconName | undefined;
	readonly tag?: string;
	readonly choose: () => void;
}

export interface ListContent {
	readonly label: string;
	readonly heading: string;
	readonly note?: string;
	readonly counter?: { readonly text: string; readonly isOver: boolean } | undefined;
	readonly tag?: string;
	readonly fault?: string | null;
	readonly items: readonly ListItem[];
	/** The item that is active at first; -1 for none. */
	readonly activeFirst: number;
	readonly isBusy?: boolean;
	readonly emptyNote?: string | undefined;
}

/** The counter appears when this share of the allowed length is used. */
const COUNTER_SHARE = 0.8;

export function commandList(
	commands: readonly Command[],
	text: string,
	onChoose: (command: Command) => void,
): ListContent | null {
	if (!text.startsWith("/") || text.includes("\n")) return null;
	const found = matchingCommands(commands, text);
	return {
		label: "Commands",
		heading: found.length === 0 ? "No command of that name" : "Commands",
		items: found.map((command) => ({
			title: `/${command.shown}`,
			note: command.description,
			icon: commandIcon(command.path),
			choose: () => onChoose(command),
		})),
		activeFirst: 0,
	};
}

export function optionList(draft: Draft, text: string, onChoose: (name: string) => void): ListContent | null {
	const remaining = remainingOptions(draft, text);
	if (remaining.length === 0 && text === "") return null;
	const isTyping = text.trim() !== "";
	return {
		label: "More options",
		heading: "More options",
		note: isTyping ? "" : "Enter sends as it is",
		items: remaining.map((option) => ({
			title: shownName(option),
			note: option.description,
			tag: limitsText(option),
			choose: () => onChoose(option.name),
		})),
		activeFirst: isTyping ? 0 : -1,
		emptyNote: "No such option. Values go into the fields before.",
	};
}

export function valueList(
	option: Option,
	open: DraftOption,
	known: { readonly asked: AskedChoices | null; readonly fault: string | null; readonly directory: Directory },
	onChoose: (choice: Choice) => void,
): ListContent {
	const { asked, fault, directory } = known;
	const values = asked ? asked.choices : fixedChoices(option, directory);
	// The bot has filtered its answer. While it is asked again, the old answer is filtered here.
	const shown = shownChoices(values ?? [], asked && !asked.isBusy ? { ...open, text: "" } : open);
	const picked = isPicked(open);
	const max = charsMax(option);
	const isLong = option.type === OPTION.string && open.text.length > max * COUNTER_SHARE;
	return {
		label: shownName(option),
		heading: shownName(option),
		note: option.description,
		counter: isLong ? { text: `${open.text.length} / ${max}`, isOver: open.text.length > max } : undefined,
		tag: limitsText(option),
		fault: fault ?? asked?.fault ?? null,
		items: shown.map((choice) => ({
			title: choice.name,
			note: choice.note,
			icon: picked && choice.value === open.picked?.value ? "check" : undefined,
			choose: () => onChoose(choice),
		})),
		// The Enter that sends must not pick again a picked value, or a stale choice.
		activeFirst: picked || asked?.isBusy ? -1 : 0,
		isBusy: asked?.isBusy ?? false,
		emptyNote: values === null ? undefined : "Nothing matches.",
	};
}

function commandIcon(path: string): IconName {
	if (path.startsWith("image")) return "image";
	if (path.startsWith("video")) return "video";
	return path.startsWith("music") ? "music" : "slash";
}
