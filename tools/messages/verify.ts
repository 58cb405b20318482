/** Compares a translation with English. Pure. */
import { argumentsOf } from "./arguments.ts";
import type { DescribedMessages, Messages } from "./files.ts";

/** Returns missing and extra keys, invalid messages, and messages with other arguments than in English. */
export function problemsOf(english: DescribedMessages, translation: Messages): readonly string[] {
	const missing = Object.keys(english).filter((key) => !Object.hasOwn(translation, key));
	const extra = Object.keys(translation).filter((key) => !Object.hasOwn(english, key));
	const different = Object.entries(translation).flatMap(([key, message]) => {
		const source = english[key]?.defaultMessage;
		const problem = source === undefined ? undefined : problemOf(source, message);
		return problem === undefined ? [] : [`${key}: ${problem}`];
	});
	return [...missing.map((key) => `${key}: missing`), ...extra.map((key) => `${key}: not in English`), ...different];
}

function problemOf(source: string, message: string): string | undefined {
	// ICU reads a straight apostrophe before a brace as the start of a quotation.
	if (/'[{}]/.test(message)) return "use ’ before a brace";
	try {
		const [expected, actual] = [signatureOf(source), signatureOf(message)];
		return expected === actual ? undefined : `has the arguments ${actual}, English has ${expected}`;
	} catch (error) {
		return `invalid: ${error instanceof Error ? error.message : String(error)}`;
	}
}

/** A language without plurals may use a plain number where English has a plural. */
function signatureOf(message: string): string {
	const named = [...argumentsOf(message, { withNames: true })].map(([name, { options }]) => {
		const values = [...(options ?? [])].filter((option) => option !== "other").toSorted();
		return values.length > 0 ? `${name} (${values.join(", ")})` : name;
	});
	return named.toSorted().join(", ") || "none";
}
