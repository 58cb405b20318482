/**
 * Validates typed options against the registered command, as Discord's own client does: bots never receive a missing
 * required option or a number out of its range.
 */
import type {
	APIApplicationCommand,
	APIApplicationCommandBasicOption,
	APIApplicationCommandInteractionDataBasicOption,
	APIApplicationCommandInteractionDataOption,
	APIApplicationCommandOption,
	APIAttachment,
} from "discord-api-types/v10";
import { ApplicationCommandOptionType as OptionType } from "discord-api-types/v10";
import type { PageOption } from "../page-contract.ts";

const STRING_CHARS_MAX = 6_000;

/** Invalid input; the message is for the user. */
export class InvalidInputError extends Error {
	override readonly name = "InvalidInputError";
}

/** Lookups for the ids in options. */
export interface Lookup {
	readonly isUser: (id: string) => boolean;
	readonly isChannel: (id: string) => boolean;
	readonly isRole: (id: string) => boolean;
	readonly attachment: (id: string) => APIAttachment | undefined;
}

export interface Resolved {
	readonly users: string[];
	readonly channels: string[];
	readonly roles: string[];
	readonly attachments: APIAttachment[];
}

/** Returns the options of a typed command below its subcommand names: "credits grant" -> [group?, sub]. */
export function commandPath(
	command: APIApplicationCommand,
	names: readonly string[],
): {
	readonly path: readonly APIApplicationCommandOption[];
	readonly takes: readonly APIApplicationCommandBasicOption[];
} {
	const path: APIApplicationCommandOption[] = [];
	let options: readonly APIApplicationCommandOption[] = command.options ?? [];
	for (const name of names) {
		const next = options.find((option) => option.name === name && isBranch(option));
		if (!next || !isBranch(next)) throw new InvalidInputError(`/${command.name} has no subcommand ${name}.`);
		path.push(next);
		options = next.options ?? [];
	}
	const branches = options.filter(isBranch).map(({ name }) => name);
	if (branches.length > 0) {
		const typed = [command.name, ...names].join(" ");
		throw new InvalidInputError(`/${typed} needs a subcommand: ${branches.join(", ")}.`);
	}
	return { path, takes: options as readonly APIApplicationCommandBasicOption[] };
}

function isBranch(option: APIApplicationCommandOption) {
	return option.type === OptionType.Subcommand || option.type === OptionType.SubcommandGroup;
}

/** Puts the values back under the subcommands they were typed with. */
export function nestOptions(
	path: readonly APIApplicationCommandOption[],
	values: APIApplicationCommandInteractionDataBasicOption[],
): APIApplicationCommandInteractionDataOption[] {
	let options: unknown[] = values;
	for (const { name, type } of path.toReversed()) options = [{ name, type, options }];
	return options as APIApplicationCommandInteractionDataOption[];
}

export function commandValues(
	takes: readonly APIApplicationCommandBasicOption[],
	typed: readonly PageOption[],
	known: Lookup,
): { values: APIApplicationCommandInteractionDataBasicOption[]; resolved: Resolved } {
	checkNames(takes, typed);
	const resolved: Resolved = { users: [], channels: [], roles: [], attachments: [] };
	const values = takes.flatMap((option) => {
		const given = typed.find(({ name }) => name === option.name);
		if (given === undefined || given.value === "") {
			if (option.required) throw new InvalidInputError(`${option.name} is required.`);
			return [];
		}
		return { name: option.name, type: option.type, value: valueOf(option, given.value, known, resolved) };
	});
	return { values: values as APIApplicationCommandInteractionDataBasicOption[], resolved };
}

/**
 * Incomplete commands of autocomplete are not validated: values that do not parse are passed as typed, and every option
 * is optional.
 */
export function autocompleteValues(
	takes: readonly APIApplicationCommandBasicOption[],
	typed: readonly PageOption[],
	focused: string,
	known: Lookup,
): { values: APIApplicationCommandInteractionDataBasicOption[]; resolved: Resolved } {
	checkNames(takes, typed);
	const option = takes.find(({ name }) => name === focused);
	if (!option || !("autocomplete" in option) || !option.autocomplete) {
		throw new InvalidInputError(`${focused} has no autocomplete.`);
	}
	const resolved: Resolved = { users: [], channels: [], roles: [], attachments: [] };
	const values = takes.flatMap(({ ...taken }) => {
		const given = typed.find(({ name }) => name === taken.name);
		if (taken.name === focused) {
			return { name: taken.name, type: taken.type, value: String(given?.value ?? ""), focused: true };
		}
		if (given === undefined || given.value === "") return [];
		try {
			return { name: taken.name, type: taken.type, value: valueOf(taken, given.value, known, resolved) };
		} catch (error) {
			if (error instanceof InvalidInputError) return [];
			throw error;
		}
	});
	return { values: values as APIApplicationCommandInteractionDataBasicOption[], resolved };
}

function checkNames(takes: readonly APIApplicationCommandBasicOption[], typed: readonly PageOption[]): void {
	const seen = new Set<string>();
	for (const { name } of typed) {
		if (!takes.some((option) => option.name === name)) throw new InvalidInputError(`There is no option ${name}.`);
		if (seen.has(name)) throw new InvalidInputError(`${name} is given twice.`);
		seen.add(name);
	}
}

function valueOf(
	option: APIApplicationCommandBasicOption,
	given: string | number | boolean,
	known: Lookup,
	resolved: Resolved,
): string | number | boolean {
	switch (option.type) {
		case OptionType.String:
			return stringOf(option, String(given));
		case OptionType.Integer:
		case OptionType.Number:
			return numberOf(option, given);
		case OptionType.Boolean:
			if (String(given) === "true") return true;
			if (String(given) === "false") return false;
			throw new InvalidInputError(`${option.name} must be true or false.`);
		case OptionType.User:
			return idOf(option.name, given, known.isUser, resolved.users, "a person in this server");
		case OptionType.Channel:
			return idOf(option.name, given, known.isChannel, resolved.channels, "a channel of this server");
		case OptionType.Role:
			return idOf(option.name, given, known.isRole, resolved.roles, "a role of this server");
		case OptionType.Mentionable: {
			const isUser = known.isUser(String(given));
			const list = isUser ? resolved.users : resolved.roles;
			return idOf(option.name, given, isUser ? known.isUser : known.isRole, list, "a person or a role of this server");
		}
		case OptionType.Attachment:
			return attachmentOf(option, String(given), known, resolved);
	}
}

type TextOption = Extract<APIApplicationCommandBasicOption, { type: OptionType.String }>;
type NumericOption = Extract<APIApplicationCommandBasicOption, { type: OptionType.Integer | OptionType.Number }>;
type FileOption = Extract<APIApplicationCommandBasicOption, { type: OptionType.Attachment }>;

function stringOf(option: TextOption, given: string): string {
	if ("choices" in option && option.choices && option.choices.length > 0) {
		return chosen(option.name, option.choices, given);
	}
	const least = ("min_length" in option ? option.min_length : undefined) ?? 0;
	const most = ("max_length" in option ? option.max_length : undefined) ?? STRING_CHARS_MAX;
	// Counts code points, not UTF-16 units: an emoji is one character.
	const chars = Array.from(given).length;
	if (chars < least) throw new InvalidInputError(`${option.name} must have at least ${least} characters.`);
	if (chars > most)
		throw new InvalidInputError(`${option.name} may have at most ${most} characters; this has ${chars}.`);
	return given;
}

function numberOf(option: NumericOption, given: string | number | boolean): number {
	if ("choices" in option && option.choices && option.choices.length > 0) {
		return chosen<number>(option.name, option.choices, given);
	}
	const isWhole = option.type === OptionType.Integer;
	const text = String(given).trim();
	const value = Number(text);
	const isNumber = isWhole
		? /^[+-]?\d+$/.test(text) && Number.isSafeInteger(value)
		: text !== "" && Number.isFinite(value) && Math.abs(value) <= 2 ** 53;
	if (!isNumber) throw new InvalidInputError(`${option.name} must be a ${isWhole ? "whole number" : "number"}.`);
	if (option.min_value !== undefined && value < option.min_value) {
		throw new InvalidInputError(`${option.name} must be ${option.min_value} or more.`);
	}
	if (option.max_value !== undefined && value > option.max_value) {
		throw new InvalidInputError(`${option.name} must be ${option.max_value} or less.`);
	}
	return value;
}

function chosen<Value extends string | number>(
	name: string,
	choices: readonly { readonly name: string; readonly value: Value }[],
	given: string | number | boolean,
): Value {
	const choice =
		choices.find(({ value }) => String(value) === String(given)) ?? choices.find((offered) => offered.name === given);
	if (choice) return choice.value;
	throw new InvalidInputError(`${name} must be one of: ${choices.map((offered) => offered.name).join(", ")}.`);
}

function idOf(
	name: string,
	given: string | number | boolean,
	isKnown: (id: string) => boolean,
	resolved: string[],
	what: string,
): string {
	const id = String(given);
	if (!isKnown(id)) throw new InvalidInputError(`${name} must be ${what}.`);
	resolved.push(id);
	return id;
}

function attachmentOf(option: FileOption, id: string, known: Lookup, resolved: Resolved): string {
	const attachment = known.attachment(id);
	if (!attachment) throw new InvalidInputError(`${option.name} must be a file that you uploaded.`);
	const wanted = "file_types" in option && Array.isArray(option.file_types) ? (option.file_types as string[]) : [];
	const filename = attachment.filename.toLowerCase();
	const fits = wanted.some((type) =>
		type.startsWith(".") ? filename.endsWith(type.toLowerCase()) : attachment.content_type?.startsWith(`${type}/`),
	);
	if (wanted.length > 0 && !fits)
		throw new InvalidInputError(`${option.name} takes only these files: ${wanted.join(", ")}.`);
	resolved.attachments.push(attachment);
	return id;
}
