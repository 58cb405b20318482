/* oxlint-disable typescript/no-unsafe-enum-comparison -- the browser gets Discord's numbers; the enum exists in types only */
/**
 * A command being filled in: which options are open, what each holds, and whether it may be sent.
 *
 * @import { APIAttachment } from "discord-api-types/v10"
 * @import { PageMember, PageChannel, PageOption, PageRole } from "../page-contract.ts"
 * @import { Command, Option, TypedOption } from "./composer-parser.js"
 * @import { ShownOption } from "./state.js"
 */
import { memberName } from "./names.js";

/** @typedef {{ readonly name: string, readonly value: string | number | boolean, readonly note?: string }} Choice */

/**
 * One open option. `picked` is the choice or the uploaded file behind `text`, where it came from a list.
 *
 * @typedef {{
 *   readonly name: string,
 *   readonly text: string,
 *   readonly picked?: Choice | undefined,
 *   readonly file?: APIAttachment | undefined,
 *   readonly uploading?: string | undefined,
 * }} Pill
 */

/** @typedef {{ readonly command: Command, readonly pills: readonly Pill[] }} Draft */
/** @typedef {{ readonly members: readonly PageMember[], readonly channels: readonly PageChannel[], readonly roles: readonly PageRole[] }} Directory */
/** @typedef {{ ok: true, value: string | number | boolean } | { ok: false, message: string }} Verdict */

/** Discord's own numbers for the kinds of options. */
export const TYPE = /** @type {const} */ ({
	string: 3,
	integer: 4,
	boolean: 5,
	user: 6,
	channel: 7,
	role: 8,
	mentionable: 9,
	number: 10,
	attachment: 11,
});

/** @type {readonly Choice[]} */
const YES_NO = [
	{ name: "True", value: true },
	{ name: "False", value: false },
];
const LIST_MAX = 25;

/**
 * @param {Command} command
 * @param {readonly TypedOption[]} typed
 * @returns {Draft}
 */
export function openDraft(command, typed = []) {
	const required = command.options.filter((option) => option.required).map(({ name }) => name);
	const names = [...required, ...typed.map(({ name }) => name).filter((name) => !required.includes(name))];
	return { command, pills: names.map((name) => ({ name, text: typed.find((one) => one.name === name)?.text ?? "" })) };
}

/**
 * The same words for a command that was registered anew.
 *
 * @param {Draft} draft
 * @param {Command} command
 * @returns {Draft}
 */
export function carriedOver(draft, command) {
	const kept = draft.pills.filter(({ name }) => command.options.some((option) => option.name === name));
	const { pills } = openDraft(command, kept);
	return { command, pills: pills.map((pill) => kept.find(({ name }) => name === pill.name) ?? pill) };
}

/**
 * @param {Draft} draft
 * @param {string} name
 * @returns {Draft}
 */
export function withPill(draft, name) {
	if (draft.pills.some((pill) => pill.name === name)) return draft;
	return { ...draft, pills: [...draft.pills, { name, text: "" }] };
}

/**
 * @param {Draft} draft
 * @param {string} name
 * @param {Partial<Pill>} change
 * @returns {Draft}
 */
export function changePill(draft, name, change) {
	return { ...draft, pills: draft.pills.map((pill) => (pill.name === name ? { ...pill, ...change } : pill)) };
}

/**
 * Only what is optional can be taken away.
 *
 * @param {Draft} draft
 * @param {string} name
 * @returns {Draft}
 */
export function withoutPill(draft, name) {
	return optionOf(draft.command, name).required
		? draft
		: { ...draft, pills: draft.pills.filter((pill) => pill.name !== name) };
}

/**
 * The options that could still be added, filtered by what is typed.
 *
 * @param {Draft} draft
 * @param {string} text
 */
export function remainingOptions(draft, text = "") {
	const wanted = text.trim().replace(/:$/, "").toLowerCase();
	return draft.command.options.filter(
		({ name, shown = name }) =>
			!draft.pills.some((pill) => pill.name === name) && `${name}\n${shown}`.toLowerCase().includes(wanted),
	);
}

/**
 * @param {Command} command
 * @param {string} name
 * @returns {Option}
 */
export function optionOf(command, name) {
	const option = command.options.find((candidate) => candidate.name === name);
	if (!option) throw new Error(`/${command.path} has no option ${name}`);
	return option;
}

/**
 * Every value an option may take, or null where it is free text, a number, a file or answered by the bot.
 *
 * @param {Option} option
 * @param {Directory} directory
 * @returns {readonly Choice[] | null}
 */
export function fixedChoices(option, directory) {
	if (option.type === TYPE.boolean) return YES_NO;
	if (option.type === TYPE.user || option.type === TYPE.mentionable) {
		return directory.members.map((member) => ({
			name: memberName(member),
			value: member.user.id,
			note: member.user.username,
		}));
	}
	if (option.type === TYPE.role) return directory.roles.map(({ id, name }) => ({ name: `@${name}`, value: id }));
	if (option.type === TYPE.channel) return directory.channels.map(({ id, name }) => ({ name: `#${name}`, value: id }));
	if ("choices" in option && option.choices && option.choices.length > 0) return option.choices;
	return null;
}

/** @param {Option} option */
export function isAutocompleted(option) {
	return "autocomplete" in option && option.autocomplete === true;
}

/**
 * The choices to show while a person types; all of them while what stands there is the one already picked.
 *
 * @param {readonly Choice[]} choices
 * @param {Pill} pill
 */
export function shownChoices(choices, pill) {
	const wanted = pill.picked?.name === pill.text ? "" : pill.text.trim().toLowerCase();
	return choices.filter(({ name, value }) => `${name}\n${value}`.toLowerCase().includes(wanted)).slice(0, LIST_MAX);
}

/**
 * The choice that is written out in full, by name or by value.
 *
 * @param {readonly Choice[]} choices
 * @param {string} text
 */
export function choiceOf(choices, text) {
	const wanted = text.trim().toLowerCase();
	return choices.find(({ name, value }) => name.toLowerCase() === wanted || String(value).toLowerCase() === wanted);
}

/** What an option wants, in a few words. @param {Option} option */
export function limitsText(option) {
	if (option.type === TYPE.integer || option.type === TYPE.number) {
		const { min_value: min, max_value: max } = option;
		if (min !== undefined && max !== undefined) return `${min} to ${max}`;
		if (min !== undefined) return `${min} or more`;
		return max === undefined ? "a number" : `${max} or less`;
	}
	if (option.type === TYPE.attachment) return "drop, paste or choose a file";
	return "";
}

/** The longest text an option takes. @param {Option} option */
export function lengthMax(option) {
	return option.type === TYPE.string ? (("max_length" in option ? option.max_length : undefined) ?? 6000) : 100;
}

/**
 * Whether one option may be sent as it stands, and as what.
 *
 * @param {Option} option
 * @param {Pill} pill
 * @param {Directory} directory
 * @returns {Verdict}
 */
export function judgePill(option, pill, directory) {
	if (option.type === TYPE.attachment) {
		if (pill.uploading !== undefined) return no(`${pill.uploading} is still uploading.`);
		return pill.file ? { ok: true, value: pill.file.id } : no("Choose a file.");
	}
	const text = pill.text.trim();
	if (text === "")
		return no(option.required ? "This option is required." : "Give it a value, or remove it with Backspace.");
	if (pill.picked && pill.picked.name === pill.text) return { ok: true, value: pill.picked.value };

	const choices = fixedChoices(option, directory);
	if (choices) {
		const choice = choiceOf(choices, text);
		return choice ? { ok: true, value: choice.value } : no("Pick one from the list.");
	}
	if (option.type === TYPE.integer || option.type === TYPE.number) return judgeNumber(option, text);
	if (option.type === TYPE.string) {
		const length = text.length;
		const { min_length: min = 0 } = /** @type {{ min_length?: number }} */ (option);
		if (length < min) return no(`At least ${min} characters; this has ${length}.`);
		if (length > lengthMax(option)) return no(`At most ${lengthMax(option)} characters; this has ${length}.`);
	}
	return { ok: true, value: text };
}

/**
 * @param {Extract<Option, { type: 4 | 10 }>} option
 * @param {string} text
 * @returns {Verdict}
 */
function judgeNumber(option, text) {
	const whole = option.type === TYPE.integer;
	const value = Number(text);
	if (!/^[-+]?\d*\.?\d+$/.test(text) || !Number.isFinite(value))
		return no(whole ? "A whole number, please." : "A number, please.");
	if (whole && !Number.isSafeInteger(value)) return no("A whole number, please.");
	if (option.min_value !== undefined && value < option.min_value) return no(`At least ${option.min_value}.`);
	if (option.max_value !== undefined && value > option.max_value) return no(`At most ${option.max_value}.`);
	return { ok: true, value };
}

/**
 * The whole command as the server takes it, or the first option that stands in the way.
 *
 * @param {Draft} draft
 * @param {Directory} directory
 * @returns {{ ok: true, options: PageOption[] } | { ok: false, name: string, message: string }}
 */
export function judgeDraft(draft, directory) {
	/** @type {PageOption[]} */
	const options = [];
	for (const pill of draft.pills) {
		const verdict = judgePill(optionOf(draft.command, pill.name), pill, directory);
		if (!verdict.ok) return { ok: false, name: pill.name, message: verdict.message };
		options.push({ name: pill.name, value: verdict.value });
	}
	return { ok: true, options };
}

/**
 * Why a command is not sent while words stand behind it that belong to none of its options: they would be lost.
 *
 * @param {Command} command
 * @param {string} text
 * @returns {string | null}
 */
export function looseFault({ path }, text) {
	const loose = text.trim();
	if (loose === "") return null;
	return loose.startsWith("/")
		? `Send or leave /${path} first: Enter sends it once this text is gone, Escape leaves it.`
		: `“${loose}” is no option of /${path}. Name one, or delete the text.`;
}

/**
 * What autocomplete may know: the options that already hold a value, and the focused one as it stands.
 *
 * @param {Draft} draft
 * @param {string} focused
 * @param {Directory} directory
 * @returns {PageOption[]}
 */
export function optionsForAutocomplete(draft, focused, directory) {
	return draft.pills.flatMap((pill) => {
		if (pill.name === focused) return [{ name: pill.name, value: pill.picked?.name === pill.text ? "" : pill.text }];
		const verdict = judgePill(optionOf(draft.command, pill.name), pill, directory);
		return verdict.ok ? [{ name: pill.name, value: verdict.value }] : [];
	});
}

/**
 * The options in words, for the line above the answer.
 *
 * @param {Draft} draft
 * @returns {ShownOption[]}
 */
export function shownOptions(draft) {
	return draft.pills.map(({ name, text, file }) => ({ name, text: file?.filename ?? text.trim() }));
}

/** @param {string} message */
function no(message) {
	return { ok: /** @type {const} */ (false), message };
}
