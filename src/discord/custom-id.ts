/**
 * What a button, a menu or a form says of itself when it comes back, after restarts and years: a version, its name, and
 * ids. Never what people typed, because everybody can read it, and never what may be done, because anybody may have made it
 * up: who presses is checked as if they had typed.
 */
import assert from "node:assert/strict";

/** Of all custom ids. What an older version wrote under the same name, and in the same form, must mean the same. */
const VERSION = "1";
const SEPARATOR = ":";
/** Discord's bound. */
const CUSTOM_ID_CHARS_MAX = 100;

/** One part of a custom id: what it is read as, `undefined` where nobody can have written that. */
interface Part<Value extends string> {
	readonly charsMax: number;
	readonly read: (text: string) => Value | undefined;
}

type Parts = Readonly<Record<string, Part<string>>>;
type ValuesOf<P extends Parts> = { readonly [Name in keyof P]: P[Name] extends Part<infer Value> ? Value : never };

export interface CustomId<Values> {
	readonly name: string;
	write(values: Values): string;
	/** `undefined` for whatever this did not write: of another version, of another name, forged. */
	read(customId: string): Values | undefined;
}

const SNOWFLAKE = /^[1-9]\d{0,19}$/;

export const part = {
	/** An id of Discord's: also of a task, which has that of its interaction. */
	snowflake: { charsMax: 20, read: (text: string) => (SNOWFLAKE.test(text) ? text : undefined) },
	/** One of a few words. */
	oneOf: <const Word extends string>(...words: readonly Word[]): Part<Word> => ({
		charsMax: Math.max(...words.map(({ length }) => length)),
		read: (text) => words.find((word) => word === text),
	}),
};

/** The custom ids of one kind of control, by the values that it brings back. */
export function customIds<const P extends Parts>(name: string, parts: P): CustomId<ValuesOf<P>> {
	const head = [VERSION, name];
	const entries = Object.entries(parts);
	const longest = [...head, ...entries.map(([, { charsMax: chars }]) => "x".repeat(chars))];
	const charsMax = longest.join(SEPARATOR).length;
	assert(charsMax <= CUSTOM_ID_CHARS_MAX, `the custom ids of ${name} can be ${charsMax} characters long`);

	return {
		name,
		write(values) {
			const texts = entries.map(([key, { read }]) => {
				const text = (values as Readonly<Record<string, string>>)[key] ?? "";
				assert(read(text) === text && !text.includes(SEPARATOR), `${name} cannot have that as ${key}`);
				return text;
			});
			return [...head, ...texts].join(SEPARATOR);
		},
		read(customId) {
			const texts = customId.split(SEPARATOR);
			if (texts[0] !== VERSION || texts[1] !== name || texts.length !== head.length + entries.length) return undefined;
			const values = entries.map(([key, { read }], index) => [key, read(texts[head.length + index] ?? "")] as const);
			if (values.some(([, value]) => value === undefined)) return undefined;
			return Object.fromEntries(values) as ValuesOf<P>;
		},
	};
}

/** The name that a custom id gives itself; what it is worth shows when it is read. */
export function nameIn(customId: string): string | undefined {
	const [version, name] = customId.split(SEPARATOR);
	return version === VERSION ? name : undefined;
}
