/* oxlint-disable typescript/no-unsafe-enum-comparison -- the browser gets Discord's numbers; the enum exists in types only */
/**
 * Slash commands as text: what a person means by `/im`, and by `/image prompt: a lighthouse aspect_ratio: 16:9`.
 *
 * @import { APIApplicationCommand, APIApplicationCommandBasicOption, APIApplicationCommandOption } from "discord-api-types/v10"
 */

/**
 * A command that can be sent: `image`, or a subcommand with its whole path, `credits grant`.
 *
 * `shown` is what the person knows it by, in their own language where it has a name there.
 *
 * @typedef {{ readonly path: string, readonly shown: string, readonly description: string, readonly options: readonly Option[] }} Command
 */

/**
 * `shown` is what the person knows it by, where that is another name than the one it is sent by.
 *
 * @typedef {APIApplicationCommandBasicOption & { readonly shown?: string }} Option
 */

/** @typedef {{ readonly name: string, readonly text: string }} TypedOption */

/** What a slash command is, among the things an application may register. */
const CHAT_INPUT = 1;
const SUBCOMMAND = 1;
const SUBCOMMAND_GROUP = 2;

/**
 * Everything a person can type: commands by name, the parts of one in the order it registered them, so that its first is
 * what Enter takes. Required options come first, as Discord shows them.
 *
 * @param {readonly APIApplicationCommand[]} commands
 * @param {string} [locale] the person's language, in which commands and options describe themselves where they can
 * @returns {Command[]}
 */
export function typeableCommands(commands, locale = "") {
	return commands
		.filter(({ type }) => type === CHAT_INPUT)
		.toSorted((one, other) => one.name.localeCompare(other.name))
		.flatMap((command) => {
			const shown = inLanguage(command.name, command.name_localizations, locale);
			return leavesOf({ path: command.name, shown }, described(command, locale), command.options ?? [], locale);
		});
}

/**
 * @param {{ readonly path: string, readonly shown: string }} named
 * @param {string} description
 * @param {readonly APIApplicationCommandOption[]} options
 * @param {string} locale
 * @returns {Command[]}
 */
function leavesOf({ path, shown }, description, options, locale) {
	const branches = options.flatMap((option) =>
		option.type === SUBCOMMAND || option.type === SUBCOMMAND_GROUP
			? leavesOf(
					{
						path: `${path} ${option.name}`,
						shown: `${shown} ${inLanguage(option.name, option.name_localizations, locale)}`,
					},
					described(option, locale),
					option.options ?? [],
					locale,
				)
			: [],
	);
	if (branches.length > 0) return branches;
	const basic = /** @type {APIApplicationCommandBasicOption[]} */ (options).map((option) => optionIn(option, locale));
	return [
		{
			path,
			shown,
			description,
			options: basic.toSorted((one, other) => Number(other.required ?? false) - Number(one.required ?? false)),
		},
	];
}

/**
 * @param {APIApplicationCommandBasicOption} option
 * @param {string} locale
 * @returns {Option}
 */
function optionIn(option, locale) {
	const own = inLanguage(option.name, option.name_localizations, locale);
	const choices =
		"choices" in option && option.choices
			? option.choices.map((choice) => ({
					...choice,
					name: inLanguage(choice.name, choice.name_localizations, locale),
				}))
			: undefined;
	return /** @type {Option} */ ({
		...option,
		description: described(option, locale),
		...(own !== option.name && { shown: own }),
		...(choices && { choices }),
	});
}

/** What the person knows an option by. @param {Option} option */
export function shownName({ name, shown = name }) {
	return shown;
}

/**
 * The option that somebody means who types this, by either of its names.
 *
 * @param {Command} command
 * @param {string} typed
 */
export function optionCalled({ options }, typed) {
	return options.find(({ name }) => name === typed) ?? options.find(({ shown }) => shown === typed);
}

/**
 * @param {{ readonly description: string, readonly description_localizations?: object | null | undefined }} what
 * @param {string} locale
 */
function described({ description, description_localizations: others }, locale) {
	return inLanguage(description, others, locale);
}

/**
 * @param {string} text
 * @param {object | null | undefined} others
 * @param {string} locale
 */
function inLanguage(text, others, locale) {
	const own = new Map(Object.entries(others ?? {})).get(locale);
	return typeof own === "string" ? own : text;
}

/**
 * The commands that `/im` may become: those that start so, then those that have it anywhere, then by description.
 *
 * @param {readonly Command[]} commands
 * @param {string} text
 */
export function matchingCommands(commands, text) {
	if (!text.startsWith("/") || text.includes("\n")) return [];
	const wanted = text.slice(1).trim().toLowerCase();
	/** @param {Command} command */
	const rank = ({ path, shown, description }) => {
		if (shown.startsWith(wanted) || path.startsWith(wanted)) return 0;
		if (shown.includes(wanted) || path.includes(wanted)) return 1;
		return wanted.length > 2 && description.toLowerCase().includes(wanted) ? 2 : 3;
	};
	return commands.filter((command) => rank(command) < 3).toSorted((one, other) => rank(one) - rank(other));
}

/**
 * Reads a whole command typed or pasted as text. Null while the name is not complete: a space has to follow it.
 *
 * Each `name:` starts that option's value, which runs to the next one. A name counts once, so that a colon later in the
 * prompt stays in the prompt. Words before the first name belong to the first required option that takes text.
 *
 * @param {readonly Command[]} commands
 * @param {string} text
 * @returns {{ command: Command, options: TypedOption[] } | null}
 */
export function parseCommandText(commands, text) {
	const typed = text.trimStart();
	const [found] = commands
		.flatMap((command) => [command.path, command.shown].map((name) => ({ command, name })))
		.filter(({ name }) => typed.startsWith(`/${name}`) && /^\s/.test(typed.slice(name.length + 1)))
		.toSorted((one, other) => other.name.length - one.name.length);
	if (!found) return null;
	const { command } = found;
	const rest = typed.slice(found.name.length + 1);

	/** @type {{ name: string, from: number, valueFrom: number }[]} */
	const starts = [];
	for (const { 0: whole, 1: called = "", index } of rest.matchAll(/(?<=\s)([-_\p{L}\p{N}]{1,32}):/gu)) {
		const name = optionCalled(command, called)?.name;
		if (name !== undefined && !starts.some((start) => start.name === name))
			starts.push({ name, from: index, valueFrom: index + whole.length });
	}
	const options = starts.map(({ name, valueFrom }, at) => ({
		name,
		text: rest.slice(valueFrom, starts[at + 1]?.from).trim(),
	}));

	const loose = rest.slice(0, starts[0]?.from).trim();
	const home = command.options.find(({ type, required }) => required === true && type === 3);
	if (loose !== "" && home) {
		const named = options.find(({ name }) => name === home.name);
		if (!named) return { command, options: [{ name: home.name, text: loose }, ...options] };
		named.text = `${loose} ${named.text}`.trim();
	}
	return { command, options };
}

/**
 * Lets a person type on instead of clicking: `prompt:` at the start of the prompt's own field is dropped, and
 * `aspect_ratio:` at the end of it moves on to that option.
 *
 * @param {Command} command
 * @param {string} ownName
 * @param {ReadonlySet<string>} usedNames
 * @param {string} text
 * @returns {{ text: string, next: string | null } | null} null where the text simply is the value
 */
export function typedAhead(command, ownName, usedNames, text) {
	const own = /^([-_\p{L}\p{N}]{1,32}):/u.exec(text)?.[1];
	if (own !== undefined && optionCalled(command, own)?.name === ownName)
		return { text: text.slice(own.length + 1).trimStart(), next: null };
	const called = /(?:^|\s)([-_\p{L}\p{N}]{1,32}):$/u.exec(text)?.[1];
	const next = called === undefined ? undefined : optionCalled(command, called)?.name;
	if (called === undefined || next === undefined || usedNames.has(next)) return null;
	return { text: text.slice(0, -(called.length + 1)).trimEnd(), next };
}
