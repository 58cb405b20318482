/** The localized names of commands, subcommands and options, and the sentences that mention them. */
import { names as english } from "./locales/en/names.ts";

/** A name in the code. It has the same translation everywhere. */
export type CommandWord = keyof typeof english;

/** The localized command names of one language: lower case, no spaces, and unique. */
export type CommandNames = Readonly<Record<CommandWord, string>>;

const MANAGING = ["setup", "settings", "quota", "usage", "filter", "block", "blocks", "style"] as const;

/** Mentions commands and options by the names that the reader's Discord client shows. */
export function mentionsOf(names: CommandNames) {
	const command = (...path: readonly CommandWord[]): string => `\`/${path.map((word) => names[word]).join(" ")}\``;
	return {
		/** Words for the commands of managers. */
		managing: MANAGING.map((word) => command(word)).join(", "),
		/** `/job get` */
		command,
		/** The same for plain text: /job get */
		plain: (...path: readonly CommandWord[]): string => `/${path.map((word) => names[word]).join(" ")}`,
		/** `before`, or with a value `before: 12`. */
		option: (word: CommandWord, value?: string | number): string =>
			value === undefined ? `\`${names[word]}\`` : `\`${names[word]}: ${value}\``,
		/** An option by its name in the code, for sentences about any option. */
		named: (name: string): string => (isWord(name) ? names[name] : name),
	};
}

function isWord(name: string): name is CommandWord {
	return Object.hasOwn(english, name);
}
