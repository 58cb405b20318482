/** Slash commands as text: reads `/im`, and `/image prompt: a lighthouse aspect_ratio: 16:9`. */
import type {
	APIApplicationCommand,
	APIApplicationCommandBasicOption,
	APIApplicationCommandOption,
} from "discord-api-types/v10";
import { COMMAND, OPTION } from "./discord-constants.ts";

/** A command or subcommand that can be sent. */
export interface Command {
	/** `image`, or `credits grant` for a subcommand. */
	readonly path: string;
	/** The path in the user's language. */
	readonly label: string;
	readonly description: string;
	readonly options: readonly Option[];
}

/** `label` is the name in the user's language, if it differs from `name`. */
export type Option = APIApplicationCommandBasicOption & { readonly label?: string };

export interface TypedOption {
	readonly name: string;
	readonly text: string;
}

type Localized = object | null | undefined;

/** The commands that a user can type, in the order of their registration. Required options come first, as in Discord. */
export function typeableCommands(commands: readonly APIApplicationCommand[], locale = ""): Command[] {
	return commands
		.filter(({ type }) => type === COMMAND.chatInput)
		.flatMap((command) => leavesOf(command, "", "", locale));
}

type CommandOrGroup = APIApplicationCommand | APIApplicationCommandOption;

function leavesOf(command: CommandOrGroup, parentPath: string, parentLabel: string, locale: string): Command[] {
	const path = parentPath + command.name;
	const label = parentLabel + localized(command.name, command.name_localizations, locale);
	const options: readonly APIApplicationCommandOption[] = ("options" in command && command.options) || [];
	const leaves = options
		.filter(({ type }) => type === OPTION.subcommand || type === OPTION.subcommandGroup)
		.flatMap((option) => leavesOf(option, `${path} `, `${label} `, locale));
	if (leaves.length > 0) return leaves;
	const own = (options as APIApplicationCommandBasicOption[])
		.map((option) => localizedOption(option, locale))
		.toSorted((one, other) => Number(other.required ?? false) - Number(one.required ?? false));
	return [{ path, label, description: localizedDescription(command, locale), options: own }];
}

function localizedOption(option: APIApplicationCommandBasicOption, locale: string): Option {
	const label = localized(option.name, option.name_localizations, locale);
	const choices =
		"choices" in option
			? option.choices?.map((choice) => ({
					...choice,
					name: localized(choice.name, choice.name_localizations, locale),
				}))
			: undefined;
	return {
		...option,
		description: localizedDescription(option, locale),
		...(label !== option.name && { label }),
		...(choices && { choices }),
	} as Option;
}

function localizedDescription(
	described: { description: string; description_localizations?: Localized },
	locale: string,
): string {
	return localized(described.description, described.description_localizations, locale);
}

function localized(text: string, localizations: Localized, locale: string): string {
	const own = new Map(Object.entries(localizations ?? {})).get(locale);
	return typeof own === "string" ? own : text;
}

/** The name of an option in the user's language. */
export function optionLabel({ name, label = name }: Pick<Option, "name" | "label">): string {
	return label;
}

/** The option of this name, in either language. */
function findOption({ options }: Pick<Command, "options">, typed: string): Option | undefined {
	return options.find(({ name }) => name === typed) ?? options.find(({ label }) => label === typed);
}

/** The commands that match `/im`: by the start of the name, then by any part of it, then, from three characters on, by the description. */
export function matchingCommands(commands: readonly Command[], text: string): Command[] {
	if (!text.startsWith("/") || text.includes("\n")) return [];
	const query = text.slice(1).trim().toLowerCase();
	const rank = ({ path, label, description }: Command): number => {
		if (label.startsWith(query) || path.startsWith(query)) return 0;
		if (label.includes(query) || path.includes(query)) return 1;
		return query.length > 2 && description.toLowerCase().includes(query) ? 2 : 3;
	};
	return commands.filter((command) => rank(command) < 3).toSorted((one, other) => rank(one) - rank(other));
}

/**
 * Reads a command typed or pasted as text. Null until a space follows the complete name.
 *
 * Each `name:` starts the value of that option, up to the next one. A name counts once, so that a later colon in the prompt stays in
 * the prompt. Text before the first name belongs to the first required text option.
 */
export function parseCommandText(
	commands: readonly Command[],
	text: string,
): { command: Command; options: TypedOption[] } | null {
	const typed = text.trimStart();
	const [found] = commands
		.flatMap((command) => [command.path, command.label].map((name) => ({ command, name })))
		.filter(({ name }) => typed.startsWith(`/${name}`) && /^\s/.test(typed.slice(name.length + 1)))
		.toSorted((one, other) => other.name.length - one.name.length);
	if (!found) return null;
	const { command } = found;
	const rest = typed.slice(found.name.length + 1);

	const starts: { name: string; from: number; valueFrom: number }[] = [];
	for (const { 0: whole, 1: typedName = "", index } of rest.matchAll(/(?<=\s)([-_\p{L}\p{N}]{1,32}):/gu)) {
		const name = findOption(command, typedName)?.name;
		if (name !== undefined && !starts.some((start) => start.name === name))
			starts.push({ name, from: index, valueFrom: index + whole.length });
	}
	const options = starts.map(({ name, valueFrom }, at) => ({
		name,
		text: rest.slice(valueFrom, starts[at + 1]?.from).trim(),
	}));

	const leading = rest.slice(0, starts[0]?.from).trim();
	const leadingOption = command.options.find(({ type, required }) => required === true && type === OPTION.string);
	if (leading !== "" && leadingOption) {
		const leadingValue = options.find(({ name }) => name === leadingOption.name);
		if (!leadingValue) return { command, options: [{ name: leadingOption.name, text: leading }, ...options] };
		leadingValue.text = `${leading} ${leadingValue.text}`.trim();
	}
	return { command, options };
}

/**
 * Lets a user type on instead of clicking: drops `prompt:` at the start of the prompt's own field; `aspect_ratio:` at its end moves on
 * to that option. Null when the text is only the value.
 */
export function typedAhead(
	command: Pick<Command, "options">,
	ownName: string,
	usedNames: ReadonlySet<string>,
	text: string,
): { text: string; next: string | null } | null {
	const ownTypedName = /^([-_\p{L}\p{N}]{1,32}):/u.exec(text)?.[1];
	if (ownTypedName !== undefined && findOption(command, ownTypedName)?.name === ownName)
		return { text: text.slice(ownTypedName.length + 1).trimStart(), next: null };
	const typedName = /(?:^|\s)([-_\p{L}\p{N}]{1,32}):$/u.exec(text)?.[1];
	const next = typedName === undefined ? undefined : findOption(command, typedName)?.name;
	if (typedName === undefined || next === undefined || usedNames.has(next)) return null;
	return { text: text.slice(0, -(typedName.length + 1)).trimEnd(), next };
}
