/** How a language names commands, their subcommands and options, and how its sentences mention them. */
import { names as english } from "./locales/en/names.ts";

/** A name as it is registered and as the code knows it. Wherever it is used it has the same translation. */
export type CommandWord = keyof typeof english;

/** What the people of one language type: lower case, no spaces, and no two alike. */
export type CommandNames = Readonly<Record<CommandWord, string>>;

const MANAGING = ["setup", "settings", "quota", "usage", "filter", "block", "blocks", "style"] as const;

/** Mentions of commands and options as whoever reads the sentence sees them in their Discord. */
export function mentionsOf(names: CommandNames) {
	const command = (...path: readonly CommandWord[]): string => `\`/${path.map((word) => names[word]).join(" ")}\``;
	return {
		/** What people who manage a server have beside the rest. */
		managing: MANAGING.map((word) => command(word)).join(", "),
		/** `/job get` */
		command,
		/** The same where nothing is formatted: /job get */
		plain: (...path: readonly CommandWord[]): string => `/${path.map((word) => names[word]).join(" ")}`,
		/** `before`, or with a value `before: 12`. */
		option: (word: CommandWord, value?: string | number): string =>
			value === undefined ? `\`${names[word]}\`` : `\`${names[word]}: ${value}\``,
		/** An option by the name that the code knows, where a sentence is about whichever it is. */
		named: (name: string): string => (isWord(name) ? names[name] : name),
	};
}

function isWord(name: string): name is CommandWord {
	return Object.hasOwn(english, name);
}
