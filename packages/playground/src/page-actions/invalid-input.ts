import { lengthProblem, TEXT_CHARS_MAX } from "../limits.ts";

/** Invalid input; the message is for the user. */
export class InvalidInputError extends Error {
	override readonly name = "InvalidInputError";
}

/** Validates the length of a text in an option of a command or a field of a modal. */
export function checkLength(
	kind: keyof typeof TEXT_CHARS_MAX,
	name: string,
	text: string,
	{ min_length: min, max_length: max }: { readonly min_length?: unknown; readonly max_length?: unknown },
): void {
	const problem = lengthProblem(text, {
		min: typeof min === "number" ? min : 0,
		max: typeof max === "number" ? max : TEXT_CHARS_MAX[kind],
	});
	if (problem !== undefined) throw new InvalidInputError(`${name} ${problem}`);
}
