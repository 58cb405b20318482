/**
 * Makes the words of a media service fit for logs, for the store and for other readers: one bounded line without what the
 * member typed. Services repeat the prompt in their messages, whole, cut off or in quotation marks.
 */
import { plainLine } from "../../i18n/quote.ts";
import type { GenerationRequest } from "./request.ts";

export const REASON_CHARS_MAX = 200;
/** Bounds the comparison: a service may answer with a page. */
const COMPARED_CHARS_MAX = 4_000;
/** A run of so many letters and digits that the prompt has as well is a quotation. Shorter runs are words of the language. */
const RUN_CHARS = 12;
/** Scripts that write a word with one or two characters. */
const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const DENSE_RUN_CHARS = 4;
const QUOTED = /"([^"]+)"|'([^']+)'|`([^`]+)`|“([^”]+)”|‘([^’]+)’|«([^»]+)»|「([^」]+)」/gu;
const REDACTED = "[prompt]";
const WORD_CHAR = /[\p{L}\p{N}]/u;

export function redactReason(
	reason: string,
	{ prompt, options }: Pick<GenerationRequest, "prompt" | "options">,
): string {
	const texts = [
		prompt,
		...Object.entries(options).flatMap(([name, value]) => (isFreeText(name, value) ? [value] : [])),
	];
	const line = plainLine(reason.slice(0, COMPARED_CHARS_MAX), COMPARED_CHARS_MAX)
		.replaceAll(/\bdata:\S+/gi, "[data]")
		.replaceAll(/(\bhttps?:\/\/[^\s/?#"'<>]+)[^\s"'<>]*/gi, "$1/…");
	return plainLine(texts.reduce(withoutText, line), REASON_CHARS_MAX);
}

/** Lyrics and the like. The values of a list, such as `16:9`, help to understand a reason and stay in it. */
function isFreeText(name: string, value: string | number | boolean | readonly string[]): value is string {
	return typeof value === "string" && (/prompt|lyrics|text/i.test(name) || value.length > 16 || /\s/.test(value));
}

function withoutText(line: string, typed: string): string {
	const whole = normal(typed).text;
	if (whole === "") return line;
	const unquoted = line.replaceAll(QUOTED, (quotation, ...groups: unknown[]) => {
		const inner = normal(groups.slice(0, 7).find((group) => typeof group === "string") as string).text;
		return inner !== "" && whole.includes(inner) ? REDACTED : quotation;
	});
	return withoutRuns(withoutRuns(unquoted, runsOf(whole, RUN_CHARS)), denseRunsOf(whole));
}

/** Every run of this many characters, or the whole text where it is shorter. */
function runsOf(whole: string, runCharsMax: number): readonly string[] {
	const runChars = Math.min(runCharsMax, whole.length);
	return Array.from({ length: whole.length - runChars + 1 }, (_, at) => whole.slice(at, at + runChars));
}

/** A prompt may mix scripts: only runs with a character of a dense script count as quotations where they are short. */
function denseRunsOf(whole: string): readonly string[] {
	return runsOf(whole, DENSE_RUN_CHARS).filter((run) => DENSE_SCRIPT.test(run));
}

/** Replaces every run of the line that the typed text has too. */
function withoutRuns(line: string, typedRuns: readonly string[]): string {
	const { text, starts, ends } = normal(line);
	const runs = new Set(typedRuns);
	const runChars = typedRuns[0]?.length ?? Number.POSITIVE_INFINITY;
	let redacted = "";
	let copiedTo = 0;
	for (let at = 0; at + runChars <= text.length; at++) {
		if (!runs.has(text.slice(at, at + runChars)) || !isWhole(line, starts[at], ends[at + runChars - 1], runChars))
			continue;
		let end = at + runChars;
		while (runs.has(text.slice(end - runChars + 1, end + 1)) && end < text.length) end++;
		redacted += line.slice(copiedTo, starts[at]) + REDACTED;
		copiedTo = ends[end - 1] ?? line.length;
		at = end - 1;
	}
	return redacted + line.slice(copiedTo);
}

/** A short prompt such as `cat` is not taken out of the middle of other words. */
function isWhole(line: string, start = 0, end = line.length, runChars: number): boolean {
	if (runChars >= RUN_CHARS || DENSE_SCRIPT.test(line.slice(start, end))) return true;
	return !WORD_CHAR.test(line[start - 1] ?? "") && !WORD_CHAR.test(line[end] ?? "");
}

interface Normal {
	/** Letters and digits alone, in lower case. */
	readonly text: string;
	/** Where each of them begins and ends in the original. */
	readonly starts: readonly number[];
	readonly ends: readonly number[];
}

function normal(original: string): Normal {
	let text = "";
	const starts: number[] = [];
	const ends: number[] = [];
	let at = 0;
	for (const char of original) {
		for (const unit of char.normalize("NFKC").toLowerCase()) {
			if (!WORD_CHAR.test(unit)) continue;
			text += unit;
			for (let count = 0; count < unit.length; count++) {
				starts.push(at);
				ends.push(at + char.length);
			}
		}
		at += char.length;
	}
	return { text, starts, ends };
}
