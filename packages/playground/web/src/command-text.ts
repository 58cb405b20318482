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
	readonly shown: string;
	readonly description: string;
	readonly options: readonly Option[];
}

/** `shown` is the name in the user's language, where that differs. */
export type Option = APIApplicationCommandBasicOption & { readonly shown?: string };

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

function leavesOf(command: CommandOrGroup, parentPath: string, parentShown: string, locale: string): Command[] {
	const path = parentPath + command.name;
	const shown = parentShown + localized(command.name, command.name_localizations, locale);
	const options: readonly APIApplicationCommandOption[] = ("options" in command && command.options) || [];
	const leaves = options
		.filter(({ type }) => type === OPTION.subcommand || type === OPTION.subcommandGroup)
		.flatMap((option) => leavesOf(option, `${path} `, `${shown} `, locale));
	if (leaves.length > 0) return leaves;
	const own = (options as APIApplicationCommandBasicOption[])
		.map((option) => localizedOption(option, locale))
		.toSorted((one, other) => Number(other.required ?? false) - Number(one.required ?? false));
	return [{ path, shown, description: describe(command, locale), options: own }];
}

function localizedOption(option: APIApplicationCommandBasicOption, locale: string): Option {
	const shown = localized(option.name, option.name_localizations, locale);
	const choices =
		"choices" in option
			? option.choices?.map((choice) => ({
					...choice,
					name: localized(choice.name, choice.name_localizations, locale),
				}))
			: undefined;
	return {
		...option,
		description: describe(option, locale),
		...(shown !== option.name && { shown }),
		...(choices && { choices }),
	} as Option;
}

function describe(what: { description: string; description_localizations?: Localized }, locale: string): string {
	return localized(what.description, what.description_localizations, locale);
}

function localized(text: string, localizations: Localized, locale: string): string {
	const own = new Map(Object.entries(localizations ?? {})).get(locale);
	return typeof own === "string" ? own : text;
}

/** The name of an option in the user's language. */
export function shownName({ name, shown = name }: Pick<Option, "name" | "shown">): string {
	return shown;
}

/** The option of this name, in either language. */
export function optionCalled({ options }: Pick<Command, "options">, typed: string): Option | undefined {
	return options.find(({ name }) => name === typed) ?? options.find(({ shown }) => shown === typed);
}

/** The commands that match `/im`: by the start of the name, then by any part of it, then by the description. */
export function matchingCommands(commands: readonly Command[], text: string): Command[] {
	if (!text.startsWith("/") || text.includes("\n")) return [];
	const wanted = text.slice(1).trim().toLowerCase();
	const rank = ({ path, shown, description }: Command): number => {
		if (shown.startsWith(wanted) || path.startsWith(wanted)) return 0;
		if (shown.includes(wanted) || path.includes(wanted)) return 1;
		return wanted.length > 2 && description.toLowerCase().includes(wanted) ? 2 : 3;
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
		.flatMap((command) => [command.path, command.shown].map((name) => ({ command, name })))
		.filter(({ name }) => typed.startsWith(`/${name}`) && /^\s/.test(typed.slice(name.length + 1)))
		.toSorted((one, other) => other.name.length - one.name.length);
	if (!found) return null;
	const { command } = found;
	const rest = typed.slice(found.name.length + 1);

	const starts: { name: string; from: number; valueFrom: number }[] = [];
	for (const { 0: whole, 1: called = "", index } of rest.matchAll(/(?<=\s)([-_\p{L}\p{N}]{1,32}):/gu)) {
		const name = optionCalled(command, called)?.name;
		if (name !== undefined && !starts.some((start) => start.name === name))
			starts.push({ name, from: index, valueFrom: index + whole.length });
	}
	const options = starts.map(({ name, valueFrom }, at) => ({
		name,
		text: rest.slice(valueFrom, starts[at + 1]?.from).trim(),
	}));

	const leading = rest.slice(0, starts[0]?.from).trim();
	const home = command.options.find(({ type, required }) => required === true && type === OPTION.string);
	if (leading !== "" && home) {
		const named = options.find(({ name }) => name === home.name);
		if (!named) return { command, options: [{ name: home.name, text: leading }, ...options] };
		named.text = `${leading} ${named.text}`.trim();
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
	const own = /^([-_\p{L}\p{N}]{1,32}):/u.exec(text)?.[1];
	if (own !== undefined && optionCalled(command, own)?.name === ownName)
		return { text: text.slice(own.length + 1).trimStart(), next: null };
	const called = /(?:^|\s)([-_\p{L}\p{N}]{1,32}):$/u.exec(text)?.[1];
	const next = called === undefined ? undefined : optionCalled(command, called)?.name;
	if (called === undefined || next === undefined || usedNames.has(next)) return null;
	return { text: text.slice(0, -(called.length + 1)).trimEnd(), next };
}
