/**
 * Validates the options of a command as Discord's own client does: except for autocomplete,
 * bots never receive a missing required option or a number out of its range.
 */
import {
	type APIApplicationCommand,
	type APIApplicationCommandBasicOption,
	type APIApplicationCommandInteractionDataBasicOption,
	type APIApplicationCommandInteractionDataOption,
	type APIApplicationCommandOption,
	type APIAttachment,
	ApplicationCommandOptionType as OptionType,
} from "discord-api-types/v10";
import type { CommandOptionInput } from "../page/page-contract.ts";
import { isSubcommand } from "../simulator/commands.ts";
import type { IdResolver } from "./id-resolver.ts";
import { checkLength, InvalidInputError } from "./invalid-input.ts";
import { numberProblem } from "../limits.ts";

type BasicOption = APIApplicationCommandBasicOption;
type Values = APIApplicationCommandInteractionDataBasicOption[];

/** Returns the path of a subcommand and its options: "credits grant" -> [group?, subcommand]. */
export function commandPath(
	command: APIApplicationCommand,
	names: readonly string[],
): { readonly path: readonly APIApplicationCommandOption[]; readonly options: readonly BasicOption[] } {
	const path: APIApplicationCommandOption[] = [];
	let options: readonly APIApplicationCommandOption[] = command.options ?? [];
	for (const name of names) {
		const next = options.find((option) => option.name === name && isSubcommand(option));
		if (!next || !isSubcommand(next)) throw new InvalidInputError(`/${command.name} has no subcommand ${name}.`);
		path.push(next);
		options = next.options ?? [];
	}
	const subcommands = options.filter(isSubcommand).map(({ name }) => name);
	if (subcommands.length > 0) {
		const incomplete = [command.name, ...names].join(" ");
		throw new InvalidInputError(`/${incomplete} needs a subcommand: ${subcommands.join(", ")}.`);
	}
	return { path, options: options as readonly BasicOption[] };
}

/** Nests the values below their subcommands. */
export function nestOptions(
	path: readonly APIApplicationCommandOption[],
	values: Values,
): APIApplicationCommandInteractionDataOption[] {
	let options: unknown[] = values;
	for (const { name, type } of path.toReversed()) options = [{ name, type, options }];
	return options as APIApplicationCommandInteractionDataOption[];
}

export function commandValues(
	options: readonly BasicOption[],
	input: readonly CommandOptionInput[],
	resolver: IdResolver,
): Values {
	checkNames(options, input);
	return options.flatMap((option) => {
		const given = input.find(({ name }) => name === option.name)?.value ?? "";
		if (given === "" && option.required) throw new InvalidInputError(`${option.name} is required.`);
		return given === "" ? [] : { name: option.name, type: option.type, value: valueOf(option, given, resolver) };
	}) as Values;
}

/** Incomplete commands of autocomplete: invalid values are left out, and every option is optional. */
export function autocompleteValues(
	options: readonly BasicOption[],
	input: readonly CommandOptionInput[],
	focused: string,
	resolver: IdResolver,
): Values {
	checkNames(options, input);
	const completed = options.find(({ name }) => name === focused);
	if (!completed || !("autocomplete" in completed) || !completed.autocomplete)
		throw new InvalidInputError(`${focused} has no autocomplete.`);
	return options.flatMap((option) => {
		const { name, type } = option;
		const given = input.find((each) => each.name === name)?.value ?? "";
		if (name === focused) return { name, type, value: String(given), focused: true };
		if (given === "") return [];
		try {
			return { name, type, value: valueOf(option, given, resolver) };
		} catch (error) {
			if (error instanceof InvalidInputError) return [];
			throw error;
		}
	}) as Values;
}

function checkNames(options: readonly BasicOption[], input: readonly CommandOptionInput[]): void {
	const seen = new Set<string>();
	for (const { name } of input) {
		if (!options.some((option) => option.name === name)) throw new InvalidInputError(`There is no option ${name}.`);
		if (seen.has(name)) throw new InvalidInputError(`${name} is given twice.`);
		seen.add(name);
	}
}

function valueOf(
	option: BasicOption,
	given: CommandOptionInput["value"],
	resolver: IdResolver,
): CommandOptionInput["value"] {
	const text = String(given);
	const valid = (isValid: boolean, expected: string): string => {
		if (!isValid) throw new InvalidInputError(`${option.name} must be ${expected}.`);
		return text;
	};
	switch (option.type) {
		case OptionType.String:
			if ("choices" in option && option.choices?.length) return choiceOf(option.name, option.choices, text);
			checkLength("option", option.name, text, option);
			return text;
		case OptionType.Integer:
		case OptionType.Number:
			return numberOf(option, text);
		case OptionType.Boolean:
			return valid(text === "true" || text === "false", "true or false") === "true";
		case OptionType.User:
			return valid(resolver.user(text), "a user");
		case OptionType.Channel:
			return valid(resolver.channel(text, option.channel_types), "a channel of this server, of an allowed type");
		case OptionType.Role:
			return valid(resolver.role(text), "a role of this server");
		case OptionType.Mentionable:
			return valid(resolver.user(text) || resolver.role(text), "a user or a role of this server");
		case OptionType.Attachment:
			return valid(
				resolver.attachment(text, (file) => checkFileType(option, file)),
				"a file that you uploaded",
			);
	}
}

type NumericOption = Extract<BasicOption, { type: OptionType.Integer | OptionType.Number }>;

function numberOf(option: NumericOption, given: string): number {
	if ("choices" in option && option.choices?.length) return choiceOf<number>(option.name, option.choices, given);
	const problem = numberProblem(given, { ...option, isInteger: option.type === OptionType.Integer });
	if (problem !== undefined) throw new InvalidInputError(`${option.name} ${problem}`);
	return Number(given);
}

/** Finds a choice by its value, or else by its name. */
function choiceOf<Value extends string | number>(
	name: string,
	choices: readonly { readonly name: string; readonly value: Value }[],
	given: string,
): Value {
	const found = choices.find(({ value }) => String(value) === given) ?? choices.find((choice) => choice.name === given);
	if (found) return found.value;
	throw new InvalidInputError(`${name} must be one of: ${choices.map((choice) => choice.name).join(", ")}.`);
}

function checkFileType(option: BasicOption, { filename, content_type: contentType }: APIAttachment): void {
	const types = "file_types" in option && Array.isArray(option.file_types) ? (option.file_types as string[]) : [];
	const isAccepted = types.some((type) =>
		type.startsWith(".") ? filename.toLowerCase().endsWith(type.toLowerCase()) : contentType?.startsWith(`${type}/`),
	);
	if (types.length > 0 && !isAccepted)
		throw new InvalidInputError(`${option.name} takes only these files: ${types.join(", ")}.`);
}
