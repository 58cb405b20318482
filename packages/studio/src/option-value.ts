import type { OptionSchema } from "./engines/engine.ts";

export type OptionVerdict =
	| { readonly kind: "value"; readonly value: string | number | boolean }
	| { readonly kind: "urls"; readonly urls: readonly string[] }
	/** The expected value, for the error message. */
	| { readonly kind: "bad"; readonly expected: string };

const URL_CHARS_MAX = 2048;

/**
 * Parses one option by its schema. Accepts clear variants: list values in any case (`2k` for `2K`), and durations as
 * clients write them (5, "5", "5s").
 */
export function readOption(name: string, schema: OptionSchema, given: unknown): OptionVerdict {
	switch (schema.type) {
		case "string":
			return "enum" in schema ? readWord(schema.enum, given) : readText(schema.maxLength, given);
		case "integer":
			return readInteger(schema, name === "duration" ? secondsOf(given) : given);
		case "boolean":
			return typeof given === "boolean" ? { kind: "value", value: given } : bad("true or false");
		case "array":
			return readUrls(schema.maxItems, given);
	}
}

function readWord(words: readonly string[], given: unknown): OptionVerdict {
	const word = typeof given === "string" && words.find((each) => each.toLowerCase() === given.trim().toLowerCase());
	return typeof word === "string" ? { kind: "value", value: word } : bad(`one of ${words.join(", ")}`);
}

function readText(charsMax: number, given: unknown): OptionVerdict {
	return typeof given === "string" && given.length <= charsMax
		? { kind: "value", value: given }
		: bad(`text of at most ${charsMax} characters`);
}

function readInteger(schema: { readonly minimum: number; readonly maximum: number }, given: unknown): OptionVerdict {
	const fits =
		typeof given === "number" && Number.isSafeInteger(given) && given >= schema.minimum && given <= schema.maximum;
	return fits ? { kind: "value", value: given } : bad(`a whole number from ${schema.minimum} to ${schema.maximum}`);
}

function secondsOf(given: unknown): unknown {
	const digits = typeof given === "string" ? /^(\d{1,9})s?$/.exec(given.trim())?.[1] : undefined;
	return digits === undefined ? given : Number(digits);
}

function readUrls(itemsMax: number, given: unknown): OptionVerdict {
	const expected = bad(`a list of at most ${itemsMax} http or https addresses`);
	if (!Array.isArray(given) || given.length > itemsMax) return expected;
	const urls: string[] = [];
	for (const item of given as readonly unknown[]) {
		if (typeof item !== "string" || item.length > URL_CHARS_MAX) return expected;
		const url = URL.parse(item);
		if (!url || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "") {
			return expected;
		}
		urls.push(url.href);
	}
	return { kind: "urls", urls };
}

function bad(expected: string): { kind: "bad"; expected: string } {
	return { kind: "bad", expected };
}
