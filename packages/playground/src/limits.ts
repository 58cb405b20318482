/** Limits of the playground and of its page, which does not load the schemas. A problem continues a sentence: "must be a number." */

/** The number of servers that load tests may create. */
export const GUILDS_MAX = 100_000;
/** The newest messages of each channel that a state has. */
export const CHANNEL_MESSAGES_MAX = 100;

/** Discord's maximum for texts without a limit of their own, in options and in the fields of modals. */
export const TEXT_CHARS_MAX = { option: 6_000, field: 4_000 } as const;

/** Of a poll, in the form of the page. */
export const POLL_ANSWERS_MAX = 10;
export const POLL_ANSWER_CHARS_MAX = 55;

/** Counts code points, not UTF-16 units: an emoji is one character. */
export const charsOf = (text: string): number => Array.from(text).length;

export function lengthProblem(
	text: string,
	{ min, max }: { readonly min: number; readonly max: number },
): string | undefined {
	const chars = charsOf(text);
	if (chars < min) return `must have at least ${min} characters.`;
	return chars > max ? `may have at most ${max} characters; this has ${chars}.` : undefined;
}

export function numberProblem(
	typed: string,
	limits: {
		readonly isInteger: boolean;
		readonly min_value?: number | undefined;
		readonly max_value?: number | undefined;
	},
): string | undefined {
	const { isInteger, min_value: min, max_value: max } = limits;
	const text = typed.trim();
	const value = Number(text);
	const isNumber = isInteger
		? /^[+-]?\d+$/.test(text) && Number.isSafeInteger(value)
		: text !== "" && Number.isFinite(value) && Math.abs(value) <= 2 ** 53;
	if (!isNumber) return `must be a ${isInteger ? "whole number" : "number"}.`;
	if (min !== undefined && value < min) return `must be ${min} or more.`;
	return max !== undefined && value > max ? `must be ${max} or less.` : undefined;
}
