/** What an examination has found, and how it is shown. */

/** `ok` is well, `note` is good to know, `warn` may matter, `fix` has to be mended before the bot can do its work. */
type Grade = "ok" | "note" | "warn" | "fix";

export interface Finding {
	readonly grade: Grade;
	readonly text: string;
	/** What was understood, field by field. */
	readonly details?: readonly string[];
	/** What to do. */
	readonly advice?: string;
}

export interface Examination {
	readonly title: string;
	/** What looking costs. */
	readonly costs: string;
	readonly findings: () => AsyncIterable<Finding> | Iterable<Finding>;
}

/** Services write these texts too: nothing in them may reach the terminal as more than text. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;
const LINE_CHARS_MAX = 400;

export function linesOf({ grade, text, details = [], advice }: Finding): readonly string[] {
	return [
		`  ${grade.padEnd(4)}  ${plain(text)}`,
		...details.map((detail) => `          ${plain(detail)}`),
		...(advice === undefined ? [] : [`        → ${plain(advice)}`]),
	];
}

function plain(text: string): string {
	const line = text.replaceAll(CONTROL, " ");
	return line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX)}…` : line;
}
