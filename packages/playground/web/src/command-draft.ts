/** A command while its options are filled in: the options of the draft, their values, and whether it can be sent. */
import type { APIAttachment } from "discord-api-types/v10";
import { type Command, type Option, optionLabel, type TypedOption } from "./command-text.ts";
import { lengthProblem, numberProblem, TEXT_CHARS_MAX } from "../../src/limits.ts";
import { allUsersIn, channelsIn, type Directory, rolesIn } from "./select-choices.ts";
import type { CommandOptionInput } from "./contract.ts";
import { OPTION } from "./discord-constants.ts";

export interface Choice {
	readonly name: string;
	readonly value: string | number | boolean;
	readonly note?: string | undefined;
}

/** An option of the draft. `picked` or `file` is the choice or the uploaded file that `text` names. */
export interface DraftOption {
	readonly name: string;
	readonly text: string;
	readonly picked?: Choice | undefined;
	readonly file?: APIAttachment | undefined;
	readonly uploading?: File | undefined;
	/** The reason why the value cannot be sent. */
	readonly error?: string | undefined;
}

export interface Draft {
	readonly command: Command;
	readonly options: readonly DraftOption[];
}

type Value = string | number | boolean;
type Verdict = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };

const YES_NO: readonly Choice[] = [
	{ name: "True", value: true },
	{ name: "False", value: false },
];
export const CHOICES_SHOWN_MAX = 25;
/** Enough for each name and number. */
const VALUE_CHARS_MAX = 100;

/** Starts a draft with the required options and the typed ones. */
export function openDraft(command: Command, typed: readonly TypedOption[] = []): Draft {
	const required = command.options.filter((option) => option.required).map(({ name }) => name);
	const names = [...required, ...typed.map(({ name }) => name).filter((name) => !required.includes(name))];
	return {
		command,
		options: names.map((name) => ({ name, text: typed.find((one) => one.name === name)?.text ?? "" })),
	};
}

export function withOption(draft: Draft, name: string): Draft {
	if (draft.options.some((option) => option.name === name)) return draft;
	return { ...draft, options: [...draft.options, { name, text: "" }] };
}

/** Changes an option, whose error ends unless the change has one. */
export function changeOption(draft: Draft, name: string, change: Partial<DraftOption>): Draft {
	const options = draft.options.map((one) => (one.name === name ? { ...one, error: undefined, ...change } : one));
	return { ...draft, options };
}

/** The options that are not in the draft yet, filtered by the typed text. */
export function remainingOptions(draft: Draft, text = ""): Option[] {
	const query = text.trim().replace(/:$/, "").toLowerCase();
	return draft.command.options.filter(
		(option) =>
			!draft.options.some(({ name }) => name === option.name) &&
			`${option.name}\n${optionLabel(option)}`.toLowerCase().includes(query),
	);
}

export function optionOf(command: Command, name: string): Option {
	const option = command.options.find((candidate) => candidate.name === name);
	if (!option) throw new Error(`/${command.path} has no option ${name}`);
	return option;
}

/** All values of an option, or null for free text, numbers, files and autocomplete. */
export function fixedChoices(option: Option, directory: Directory): readonly Choice[] | null {
	switch (option.type) {
		case OPTION.boolean:
			return YES_NO;
		case OPTION.user:
			return allUsersIn(directory);
		case OPTION.mentionable:
			return [...allUsersIn(directory), ...rolesIn(directory)];
		case OPTION.role:
			return rolesIn(directory);
		case OPTION.channel:
			return channelsIn(directory, option.channel_types);
		default:
			return "choices" in option && option.choices && option.choices.length > 0 ? option.choices : null;
	}
}

export function isAutocompleted(option: Option): boolean {
	return "autocomplete" in option && option.autocomplete;
}

/** Returns whether the text is the name of the picked choice, unchanged. */
export function isPicked({ picked, text }: DraftOption): boolean {
	return picked !== undefined && picked.name === text;
}

/** The choices that match the text; all of them while the text is the picked choice. */
export function matchingChoices(choices: readonly Choice[], option: DraftOption): Choice[] {
	const query = isPicked(option) ? "" : option.text.trim().toLowerCase();
	return choices
		.filter(({ name, value }) => `${name}\n${value}`.toLowerCase().includes(query))
		.slice(0, CHOICES_SHOWN_MAX);
}

/** The choice with exactly this name or value. */
export function choiceOf(choices: readonly Choice[], text: string): Choice | undefined {
	const query = text.trim().toLowerCase();
	return choices.find(({ name, value }) => name.toLowerCase() === query || String(value).toLowerCase() === query);
}

/** Describes the values that an option accepts. */
export function limitsText(option: Option): string {
	if (option.type === OPTION.integer || option.type === OPTION.number) {
		const { min_value: min, max_value: max } = option;
		if (min !== undefined && max !== undefined) return `${min} to ${max}`;
		if (min !== undefined) return `${min} or more`;
		return max === undefined ? "a number" : `${max} or less`;
	}
	return option.type === OPTION.attachment ? "drop, paste or choose a file" : "";
}

export function charsMax(option: Option): number {
	if (option.type !== OPTION.string) return VALUE_CHARS_MAX;
	return ("max_length" in option ? option.max_length : undefined) ?? TEXT_CHARS_MAX.option;
}

/** Decides whether an option can be sent, and with which value. */
export function validateOption(option: Option, draftOption: DraftOption, directory: Directory): Verdict {
	if (option.type === OPTION.attachment) {
		if (draftOption.uploading) return invalid(`${draftOption.uploading.name} is still uploading.`);
		return draftOption.file ? { ok: true, value: draftOption.file.id } : invalid("Choose a file.");
	}
	const text = draftOption.text.trim();
	if (text === "")
		return invalid(option.required ? "This option is required." : "Give it a value, or remove it with Backspace.");
	if (draftOption.picked && isPicked(draftOption)) return { ok: true, value: draftOption.picked.value };

	const choices = fixedChoices(option, directory);
	if (choices) {
		const choice = choiceOf(choices, text);
		return choice ? { ok: true, value: choice.value } : invalid("Pick one from the list.");
	}
	const isNumeric = option.type === OPTION.integer || option.type === OPTION.number;
	const problem = isNumeric
		? numberProblem(text, { ...option, isInteger: option.type === OPTION.integer })
		: option.type === OPTION.string
			? lengthProblem(text, { min: ("min_length" in option && option.min_length) || 0, max: charsMax(option) })
			: undefined;
	if (problem !== undefined) return invalid(`This ${problem}`);
	return { ok: true, value: isNumeric ? Number(text) : text };
}

function invalid(message: string): Verdict {
	return { ok: false, message };
}

type DraftVerdict =
	| { readonly ok: true; readonly options: CommandOptionInput[] }
	| { readonly ok: false; readonly name: string; readonly message: string };

/** Returns the options as the playground expects them, or the name of the first one that cannot be sent. */
export function validateDraft(draft: Draft, directory: Directory): DraftVerdict {
	const options: CommandOptionInput[] = [];
	for (const draftOption of draft.options) {
		const verdict = validateOption(optionOf(draft.command, draftOption.name), draftOption, directory);
		if (!verdict.ok) return { ok: false, name: draftOption.name, message: verdict.message };
		options.push({ name: draftOption.name, value: verdict.value });
	}
	return { ok: true, options };
}

/** The values that autocomplete receives: every valid option, and the focused one as typed. */
export function optionsForAutocomplete(draft: Draft, focused: string, directory: Directory): CommandOptionInput[] {
	return draft.options.flatMap((draftOption) => {
		if (draftOption.name === focused)
			return [{ name: draftOption.name, value: isPicked(draftOption) ? "" : draftOption.text }];
		const verdict = validateOption(optionOf(draft.command, draftOption.name), draftOption, directory);
		return verdict.ok ? [{ name: draftOption.name, value: verdict.value }] : [];
	});
}

/** The options as text, for the line above the reply. */
export function draftOptionTexts(draft: Draft): TypedOption[] {
	return draft.options.map(({ name, text, file }) => ({ name, text: file?.filename ?? text.trim() }));
}
