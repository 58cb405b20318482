/* oxlint-disable typescript/no-unsafe-enum-comparison -- the browser gets Discord's numbers; the enum exists in types only */
/**
 * What the list above the composer shows: commands, the options that are left, or the values of one option.
 *
 * @import { Asked } from "./composer-choices.js"
 * @import { Choice, Directory, Draft, Pill } from "./composer-draft.js"
 * @import { Command, Option } from "./composer-parser.js"
 * @import { PopupContent } from "./popup-view.js"
 */
import { TYPE, fixedChoices, lengthMax, limitsText, remainingOptions, shownChoices } from "./composer-draft.js";
import { matchingCommands, shownName } from "./composer-parser.js";
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";

/** A counter appears when this share of the allowed length is used. */
const COUNTER_SHARE = 0.8;

/**
 * @param {readonly Command[]} commands
 * @param {string} text
 * @param {(command: Command) => void} onChoose
 * @returns {PopupContent | null}
 */
export function commandList(commands, text, onChoose) {
	if (!text.startsWith("/") || text.includes("\n")) return null;
	const found = matchingCommands(commands, text);
	return {
		label: "Commands",
		head: h("span.popup-label", null, found.length === 0 ? "No command of that name" : "Commands"),
		items: found.map((command) => ({
			title: `/${command.shown}`,
			note: command.description,
			lead: icon(commandIcon(command.path), "icon lead"),
			choose: () => onChoose(command),
		})),
		active: 0,
	};
}

/**
 * @param {Draft} draft
 * @param {string} text
 * @param {(name: string) => void} onChoose
 * @returns {PopupContent | null}
 */
export function optionList(draft, text, onChoose) {
	const left = remainingOptions(draft, text);
	if (left.length === 0 && text === "") return null;
	return {
		label: "More options",
		head: [
			h("span.popup-label", null, "More options"),
			h("span.popup-note", null, text.trim() === "" ? "Enter sends as it is" : ""),
		],
		items: left.map((option) => ({
			title: shownName(option),
			note: option.description,
			tag: limitsText(option) || undefined,
			choose: () => onChoose(option.name),
		})),
		// Enter sends unless something was typed or marked here.
		active: text.trim() === "" ? -1 : 0,
		emptyNote: "No such option. Values go into the fields before.",
	};
}

/**
 * @param {Option} option
 * @param {Pill} pill
 * @param {{ asked: Asked | null, fault: string | null, directory: Directory }} known
 * @param {(choice: Choice) => void} onChoose
 * @returns {PopupContent}
 */
export function valueList(option, pill, { asked, fault, directory }, onChoose) {
	const values = asked ? asked.choices : fixedChoices(option, directory);
	// The bot has filtered what it answered; while it is asked again, the old answer is filtered here.
	const shown = shownChoices(values ?? [], asked && !asked.busy ? { ...pill, text: "" } : pill);
	const picked = pill.picked?.name === pill.text;
	return {
		label: shownName(option),
		head: optionHead(option, pill, fault ?? asked?.fault ?? null),
		items: shown.map((choice) => ({
			title: choice.name,
			note: choice.note,
			lead: picked && choice.value === pill.picked?.value ? icon(ICONS.check, "icon lead") : undefined,
			choose: () => onChoose(choice),
		})),
		// A value already picked is not picked again by the Enter that sends; old choices are not picked at all.
		active: picked || asked?.busy ? -1 : 0,
		busy: asked?.busy ?? false,
		emptyNote: values === null ? undefined : "Nothing matches.",
	};
}

/**
 * @param {Option} option
 * @param {Pill} pill
 * @param {string | null} fault
 */
function optionHead(option, pill, fault) {
	const max = lengthMax(option);
	const long = option.type === TYPE.string && pill.text.length > max * COUNTER_SHARE;
	return [
		h("span.popup-label", null, shownName(option)),
		h("span.popup-note", null, option.description),
		long &&
			h("span", { class: pill.text.length > max ? "popup-tag over" : "popup-tag" }, `${pill.text.length} / ${max}`),
		limitsText(option) !== "" && h("span.popup-tag", null, limitsText(option)),
		fault !== null && h("span.popup-fault", { role: "alert" }, fault),
	];
}

/** @param {string} path */
function commandIcon(path) {
	if (path.startsWith("image")) return ICONS.image;
	if (path.startsWith("video")) return ICONS.video;
	return path.startsWith("music") ? ICONS.music : ICONS.slash;
}
