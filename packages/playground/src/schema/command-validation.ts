/** Rules for commands that Discord enforces beyond its schema. */
import type { APIApplicationCommandOption } from "discord-api-types/v10";
import { ApplicationCommandOptionType as OptionType, ApplicationCommandType, Locale } from "discord-api-types/v10";
import type { JsonObject, JsonPath } from "../json.ts";
import { type CommandBody, isSubcommand } from "../simulator/commands.ts";
import { errorIf, type FieldError, REQUIRED } from "../simulator/api-error.ts";
import { rangeErrors } from "./component-validation.ts";

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const COMMAND_CHARS_MAX = 8_000;
const CHOICE_CHARS_MAX = 100;
/** Of a number in an option. */
const NUMBER_MAX = 2 ** 53;
const AUTOCOMPLETE_TYPES: ReadonlySet<OptionType> = new Set([OptionType.String, OptionType.Integer, OptionType.Number]);
const LOCALES = new Set<string>(Object.values(Locale));

export const DUPLICATE_NAME_ERROR: FieldError = {
	path: [],
	code: "APPLICATION_COMMANDS_DUPLICATE_NAME",
	message: "Application command names must be unique",
};

type Options = readonly APIApplicationCommandOption[];

export function commandErrors(body: CommandBody): FieldError[] {
	const type = body.type ?? ApplicationCommandType.ChatInput;
	const isChatInput = type === ApplicationCommandType.ChatInput;
	const isContextMenu = type === ApplicationCommandType.User || type === ApplicationCommandType.Message;
	const chars = charsOf(body);
	const tooLarge = `A command may have ${COMMAND_CHARS_MAX} characters in all; this has ${chars}.`;
	return [
		...(isChatInput ? nameErrors(body, []) : []),
		...errorIf(isChatInput && !body.description, ["description"], ...REQUIRED),
		...(["description", "options"] as const).flatMap((field) => {
			const code = `APPLICATION_COMMAND_CONTEXT_MENU_${field.toUpperCase()}_INVALID`;
			const isGiven = isContextMenu && (body[field]?.length ?? 0) > 0;
			return errorIf(isGiven, [field], code, `Context menu commands cannot have ${field}`);
		}),
		...localeErrors(body, []),
		...optionErrors(body.options ?? [], ["options"]),
		...errorIf(chars > COMMAND_CHARS_MAX, [], "APPLICATION_COMMAND_TOO_LARGE", tooLarge),
	];
}

export function commandListErrors(bodies: readonly CommandBody[]): FieldError[] {
	const seen = new Set<string>();
	return bodies.flatMap((body, index) => {
		const key = `${body.type ?? ApplicationCommandType.ChatInput} ${body.name}`;
		const isDuplicate = seen.has(key);
		seen.add(key);
		return [...commandErrors(body), ...(isDuplicate ? [DUPLICATE_NAME_ERROR] : [])].map((error) => ({
			...error,
			path: [index, ...error.path],
		}));
	});
}

/** Checks the name of a command or an option, and its localizations. */
function nameErrors(named: object, path: JsonPath): FieldError[] {
	const { name, name_localizations: localized } = named as { name: string; name_localizations?: object | null };
	const names: [JsonPath, unknown][] = [
		[["name"], name],
		...Object.entries(localized ?? {}).map(([locale, text]): [JsonPath, unknown] => [
			["name_localizations", locale],
			text,
		]),
	];
	return names
		.filter(([, text]) => typeof text === "string" && !(NAME.test(text) && text === text.toLowerCase()))
		.map(([field]) => ({
			path: [...path, ...field],
			code: "APPLICATION_COMMAND_INVALID_NAME",
			message: "Command name is invalid",
		}));
}

function localeErrors(from: object, path: JsonPath): FieldError[] {
	return ["name_localizations", "description_localizations"].flatMap((field) => {
		const texts: unknown = new Map<string, unknown>(Object.entries(from)).get(field);
		return Object.keys(typeof texts === "object" && texts !== null ? texts : {})
			.filter((locale) => !LOCALES.has(locale))
			.map((locale) => ({
				path: [...path, field, locale],
				code: "LOCALE_INVALID",
				message: `${locale} is no locale of Discord.`,
			}));
	});
}

function optionErrors(options: Options, path: JsonPath): FieldError[] {
	const areMixed = options.some(isSubcommand) && !options.every(isSubcommand);
	const message = "Subcommands and other options cannot stand side by side.";
	return [
		...errorIf(areMixed, path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message),
		...options.flatMap((option, index) => {
			const before = options.slice(0, index);
			const isRepeated = before.some(({ name }) => name === option.name);
			const isLate = before.some((other) => !isSubcommand(other) && !other.required);
			return [
				...nameErrors(option, [...path, index]),
				...localeErrors(option, [...path, index]),
				...errorIf(
					isRepeated,
					[...path, index, "name"],
					"APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
					"Option names must be unique",
				),
				...errorIf(
					isLate && !isSubcommand(option) && option.required === true,
					[...path, index],
					"APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
					"Required options must be placed before non-required options",
				),
				...valueErrors({ ...option }, [...path, index]),
				...("options" in option && option.options ? optionErrors(option.options, [...path, index, "options"]) : []),
			];
		}),
	];
}

/** Returns the errors in the limits of an option's value: its bounds, its choices, and its autocomplete. */
function valueErrors(option: JsonObject, path: JsonPath): FieldError[] {
	const choices = Array.isArray(option["choices"]) ? (option["choices"] as JsonObject[]) : [];
	const isCompleted = option["autocomplete"] === true;
	return [
		...errorIf(
			isCompleted && !AUTOCOMPLETE_TYPES.has(option["type"] as OptionType),
			[...path, "autocomplete"],
			"BASE_TYPE_BAD",
			"Only options of text and of numbers have autocomplete.",
		),
		...errorIf(
			isCompleted && choices.length > 0,
			path,
			"APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES",
			"Autocomplete and choices exclude each other.",
		),
		...rangeErrors(option, path),
		...boundErrors(option, path),
		...choices.flatMap(({ value }, at) => choiceLengthErrors(value, [...path, "choices", at, "value"])),
	];
}

/** Checks the value of a choice, which the schema lets be longer. */
export function choiceLengthErrors(value: unknown, path: JsonPath): FieldError[] {
	const isTooLong = typeof value === "string" && value.length > CHOICE_CHARS_MAX;
	return errorIf(isTooLong, path, "BASE_TYPE_MAX_LENGTH", `Must be ${CHOICE_CHARS_MAX} or fewer in length.`);
}

/** The bounds of a number are numbers that the option can have. */
function boundErrors(option: JsonObject, path: JsonPath): FieldError[] {
	return ["min_value", "max_value"].flatMap((field) => {
		const bound = option[field];
		if (typeof bound !== "number") return [];
		const error = (code: string, message: string): FieldError[] => [{ path: [...path, field], code, message }];
		if (option["type"] === OptionType.Integer && !Number.isInteger(bound))
			return error("NUMBER_TYPE_COERCE", `Value "${bound}" is not int.`);
		if (bound > NUMBER_MAX) return error("NUMBER_TYPE_MAX", `Value should be less than or equal to ${NUMBER_MAX}.`);
		return bound < -NUMBER_MAX
			? error("NUMBER_TYPE_MIN", `Value should be greater than or equal to ${-NUMBER_MAX}.`)
			: [];
	});
}

/** Counts names, descriptions and values; of localizations only the longest. */
function charsOf(value: object): number {
	const entries = new Map<string, unknown>(Object.entries(value));
	const longest = (field: string): number => {
		const texts = [entries.get(field), ...Object.values(entries.get(`${field}_localizations`) ?? {})];
		return Math.max(0, ...texts.map((text) => (typeof text === "string" ? text.length : 0)));
	};
	const inner = [entries.get("options"), entries.get("choices")].flatMap((list) =>
		Array.isArray(list) ? (list as object[]) : [],
	);
	const ownValue = entries.get("value");
	return (
		longest("name") +
		longest("description") +
		(typeof ownValue === "string" ? ownValue.length : 0) +
		inner.reduce((sum, child) => sum + charsOf(child), 0)
	);
}
