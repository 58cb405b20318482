/** The contents of the list above the composer: commands, remaining options, or the values of one option. */
import type { AutocompleteState } from "./autocomplete.ts";
import {
	charsMax,
	CHOICES_SHOWN_MAX,
	type Choice,
	choiceOf,
	type Draft,
	type DraftOption,
	fixedChoices,
	isPicked,
	limitsText,
	remainingOptions,
	matchingChoices,
} from "./command-draft.ts";
import { charsOf } from "../../src/limits.ts";
import { type Command, matchingCommands, type Option, optionLabel } from "./command-text.ts";
import { OPTION } from "./discord-constants.ts";
import type { IconName } from "./icon.tsx";
import { channelsIn, type Directory, rolesIn, usersIn } from "./select-choices.ts";

export interface ListItem {
	readonly title: string;
	readonly note?: string | undefined;
	readonly icon?: IconName | undefined;
	readonly tag?: string;
	readonly choose: () => void;
}

export interface ListContent {
	readonly heading: string;
	readonly note?: string;
	readonly tag?: string;
	readonly error?: string | null;
	readonly items: readonly ListItem[];
	/** The item that is active at first; -1 for none. */
	readonly activeFirst: number;
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
	const commandsFound = matchingCommands(commands, text);
	return {
		heading: commandsFound.length === 0 ? "No command has that name" : "Commands",
		items: commandsFound.map((command) => ({
			title: `/${command.label}`,
			note: command.description,
			choose: () => onChoose(command),
		})),
		// Enter sends a complete command, and completes another one.
		activeFirst: commandsFound.some(({ path, options }) => text.trim() === `/${path}` && options.length === 0) ? -1 : 0,
	};
}

/** A mention that is being typed. */
const TYPED_MENTION = /(?<=^|\s)[@#][^\s@#]*$/;

/** The users and roles for an `@` before the caret, and the channels for `#`; null for a text that matches none of them. */
export function mentionList(text: string, directory: Directory, onChoose: (text: string) => void): ListContent | null {
	const typed = TYPED_MENTION.exec(text)?.[0];
	if (typed === undefined) return null;
	const mentionable =
		typed[0] === "#"
			? channelsIn(directory).map((channel) => ({ ...channel, mention: `<#${channel.value}>` }))
			: [
					...usersIn(directory).map((user) => ({ ...user, mention: `<@${user.value}>` })),
					...rolesIn(directory).map((role) => ({ ...role, mention: `<@&${role.value}>` })),
				];
	const query = typed.slice(1).toLowerCase();
	const found = mentionable.filter(({ name, note = "" }) => `${name}\n${note}`.toLowerCase().includes(query));
	if (found.length === 0) return null;
	return {
		heading: typed[0] === "#" ? "Channels" : "Members and roles",
		items: found.slice(0, CHOICES_SHOWN_MAX).map(({ name, note, mention }) => ({
			title: name,
			note,
			choose: () => onChoose(`${text.slice(0, -typed.length)}${mention} `),
		})),
		activeFirst: 0,
	};
}

export function optionList(draft: Draft, text: string, onChoose: (name: string) => void): ListContent | null {
	const remaining = remainingOptions(draft, text);
	if (remaining.length === 0 && text === "") return null;
	const isTyping = text.trim() !== "";
	return {
		heading: "More options",
		note: isTyping ? "" : "Enter sends as it is",
		items: remaining.map((option) => ({
			title: optionLabel(option),
			note: option.description,
			tag: limitsText(option),
			choose: () => onChoose(option.name),
		})),
		activeFirst: isTyping ? 0 : -1,
		emptyNote: "No such option. Type a value into the field of its option.",
	};
}

export function valueList(
	option: Option,
	draftOption: DraftOption,
	{ autocomplete, directory }: { readonly autocomplete: AutocompleteState | null; readonly directory: Directory },
	onChoose: (choice: Choice) => void,
): ListContent {
	const values = autocomplete ? autocomplete.choices : fixedChoices(option, directory);
	// The bot has filtered its choices. Until the next choices arrive, the old ones are filtered here.
	const matching = matchingChoices(
		values ?? [],
		autocomplete && !autocomplete.isBusy ? { ...draftOption, text: "" } : draftOption,
	);
	const picked = isPicked(draftOption);
	const max = charsMax(option);
	const chars = charsOf(draftOption.text);
	const isLong = option.type === OPTION.string && chars > max * COUNTER_SHARE;
	return {
		heading: optionLabel(option),
		note: option.description,
		tag: isLong ? `${chars} / ${max}` : limitsText(option),
		error: draftOption.error ?? autocomplete?.error ?? null,
		items: matching.map((choice) => ({
			title: choice.name,
			note: choice.note,
			icon: picked && choice.value === draftOption.picked?.value ? "check" : undefined,
			choose: () => onChoose(choice),
		})),
		// With a complete or stale value, no item is active at first, so that Enter sends the command.
		activeFirst: picked || autocomplete?.isBusy || choiceOf(matching, draftOption.text) ? -1 : 0,
		emptyNote: autocomplete?.isBusy ? "Loading…" : values === null ? undefined : "Nothing matches.",
	};
}
