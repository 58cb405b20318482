/** What was typed for a program that tries the bot out, or how it is to be typed. */
import { parseArgs, type ParseArgsConfig } from "node:util";

interface Wanted<Name extends string, Word extends string> {
	/** How it is typed, and what it does. */
	readonly usage: string;
	/** Options that are numbers, each with what stands in for it. */
	readonly numbers?: Readonly<Record<Name, number>>;
	/** Options that are words. */
	readonly words?: readonly Word[];
	/** What may stand without an option; the first where nothing does. */
	readonly choices?: readonly string[];
}

interface Typed<Name extends string, Word extends string> {
	readonly numbers: Readonly<Record<Name, number>>;
	/** Each as often as it was typed; `undefined` where it was not. */
	readonly words: Readonly<Partial<Record<Word, readonly string[]>>>;
	readonly choice: string | undefined;
}

/** It is not to be run: this is said in place of it. */
interface Ending {
	readonly exitCode: 0 | 2;
	readonly says: string;
}

export function understand<Name extends string = never, Word extends string = never>(
	typed: readonly string[],
	wanted: Wanted<Name, Word>,
): Typed<Name, Word> | Ending {
	try {
		return read(typed, wanted);
	} catch (error) {
		return { exitCode: 2, says: `${error instanceof Error ? error.message : String(error)}\n\n${wanted.usage}` };
	}
}

function read<Name extends string, Word extends string>(
	typed: readonly string[],
	{ usage, numbers, words = [], choices = [] }: Wanted<Name, Word>,
): Typed<Name, Word> | Ending {
	const options: NonNullable<ParseArgsConfig["options"]> = { help: { type: "boolean", short: "h" } };
	for (const name of Object.keys(numbers ?? {})) options[name] = { type: "string" };
	for (const word of words) options[word] = { type: "string", multiple: true };
	const { values, positionals } = parseArgs({ args: [...typed], options, allowPositionals: choices.length > 0 });
	const { help, ...given } = values;
	if (help === true) return { exitCode: 0, says: usage };
	const [choice = choices[0], ...more] = positionals;
	if (more.length > 0 || (choice !== undefined && !choices.includes(choice)))
		throw new Error(`Expected one of ${choices.join(", ")}, not ${positionals.join(" ")}`);
	const pairs = Object.entries<number>(numbers ?? {}).map(([name, standIn]) => {
		const text = given[name]?.toString();
		if (text !== undefined && !/^\d+(\.\d+)?$/.test(text)) throw new Error(`--${name} takes a number, not ${text}`);
		return [name, text === undefined ? standIn : Number(text)];
	});
	return {
		numbers: Object.fromEntries(pairs) as Record<Name, number>,
		words: Object.fromEntries(words.map((word) => [word, given[word]])) as Partial<Record<Word, readonly string[]>>,
		choice,
	};
}

/** The same of what was typed for this process. Where it is not to be run, that is said, and the process ends. */
export function readTyped<Name extends string = never, Word extends string = never>(
	wanted: Wanted<Name, Word>,
): Typed<Name, Word> {
	const understood = understand(process.argv.slice(2), wanted);
	if (!("exitCode" in understood)) return understood;
	(understood.exitCode === 0 ? process.stdout : process.stderr).write(`${understood.says}\n`);
	process.exit(understood.exitCode);
}
