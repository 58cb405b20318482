/**
 * Custom ids of buttons, menus and modals: a version, a name, and ids. They must work after restarts and years. They
 * never carry member input, because anyone can read them, nor permissions, because anyone can forge them: each press is
 * authorized like a command.
 */
import assert from "node:assert/strict";

/** Prefix of all custom ids. An id of an older version with the same name and shape must have the same meaning. */
const VERSION = "1";
const SEPARATOR = ":";
/** Discord's maximum. */
const CUSTOM_ID_CHARS_MAX = 100;

/** One value in a custom id. `decode` returns `undefined` for invalid text. */
interface IdField<Value> {
	readonly charsMax: number;
	readonly decode: (text: string) => Value | undefined;
}

type IdFields = Readonly<Record<string, IdField<string | number | null>>>;
type ValuesOf<Fields extends IdFields> = {
	readonly [Name in keyof Fields]: Fields[Name] extends IdField<infer Value> ? Value : never;
};

export interface CustomIdCodec<Values> {
	readonly name: string;
	encode(values: Values): string;
	/** Returns `undefined` for custom ids of another version or name, and for forged ones. */
	decode(customId: string): Values | undefined;
}

/** Stands for `null`. */
const NONE = "0";

/** The highest number in a custom id: it has ten digits. */
export const ID_NUMBER_MAX = 9_999_999_999;

export const idField = {
	/** A Discord id, which may be a task id: tasks have the id of their interaction. */
	snowflake: { charsMax: 20, decode: (text: string) => (/^[1-9]\d{0,19}$/.test(text) ? text : undefined) },
	/** A whole number up to `ID_NUMBER_MAX`. */
	number: { charsMax: 10, decode: (text: string) => (/^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : undefined) },
	/** One of several fixed words. */
	oneOf: <const Word extends string>(...words: readonly Word[]): IdField<Word> => ({
		charsMax: Math.max(...words.map(({ length }) => length)),
		decode: (text) => words.find((word) => word === text),
	}),
	/** An id, or a number above 0, that may be missing. */
	optional: <Value extends string | number>({ charsMax, decode }: IdField<Value>): IdField<Value | null> => ({
		charsMax,
		decode: (text) => (text === NONE ? null : decode(text)),
	}),
};

/** Defines the custom ids of one kind of component by the values that they carry. */
export function defineCustomId<const Fields extends IdFields>(
	name: string,
	fields: Fields,
): CustomIdCodec<ValuesOf<Fields>> {
	const prefix = [VERSION, name];
	const fieldEntries = Object.entries(fields);
	const longestTexts = fieldEntries.map(([, field]) => "x".repeat(field.charsMax));
	const charsMax = [...prefix, ...longestTexts].join(SEPARATOR).length;
	assert(charsMax <= CUSTOM_ID_CHARS_MAX, `the custom ids of ${name} can be ${charsMax} characters long`);

	return {
		name,
		encode(values) {
			const texts = fieldEntries.map(([key, { decode }]) => {
				const value = (values as Readonly<Record<string, string | number | null>>)[key];
				const text = value === null ? NONE : String(value);
				assert(decode(text) === value && !text.includes(SEPARATOR), `${name} cannot contain ${key} with that value`);
				return text;
			});
			return [...prefix, ...texts].join(SEPARATOR);
		},
		decode(customId) {
			const texts = customId.split(SEPARATOR);
			if (texts[0] !== VERSION || texts[1] !== name || texts.length !== prefix.length + fieldEntries.length)
				return undefined;
			const values = fieldEntries.map(
				([key, { decode }], index) => [key, decode(texts[prefix.length + index] ?? "")] as const,
			);
			if (values.some(([, value]) => value === undefined)) return undefined;
			return Object.fromEntries(values) as ValuesOf<Fields>;
		},
	};
}

/** Returns the name in a custom id, which may be forged. */
export function nameIn(customId: string): string | undefined {
	const [version, name] = customId.split(SEPARATOR);
	return version === VERSION ? name : undefined;
}
