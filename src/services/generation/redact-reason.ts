/**
 * Prepares the words of a media service for logs, the store and other readers: one bounded line without member input.
 * Services repeat the prompt in their messages, whole, truncated or quoted.
 */
import { plainLine } from "../../i18n/quote.ts";
import type { GenerationRequest } from "./request.ts";

export const REASON_CHARS_MAX = 200;
/** Bounds the comparison: a service may send a long page. */
const COMPARED_CHARS_MAX = 4_000;
/** A run of so many letters and digits that also occurs in the prompt is a quotation; shorter runs are common words. */
const RUN_CHARS = 12;
/** Scripts with words of one or two characters. */
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

/** Lyrics and similar free text. Values of a list, such as `16:9`, help to understand a reason and stay. */
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

/** Returns every run of this many characters, or the whole text if it is shorter. */
function runsOf(whole: string, runCharsMax: number): readonly string[] {
	const runChars = Math.min(runCharsMax, whole.length);
	return Array.from({ length: whole.length - runChars + 1 }, (_, at) => whole.slice(at, at + runChars));
}

/** For prompts with mixed scripts: a short run counts only with a character of a dense script. */
function denseRunsOf(whole: string): readonly string[] {
	return runsOf(whole, DENSE_RUN_CHARS).filter((run) => DENSE_SCRIPT.test(run));
}

/** Replaces every run that the member's text contains. */
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

/** Keeps a short prompt such as `cat` inside of other words. */
function isWhole(line: string, start = 0, end = line.length, runChars: number): boolean {
	if (runChars >= RUN_CHARS || DENSE_SCRIPT.test(line.slice(start, end))) return true;
	return !WORD_CHAR.test(line[start - 1] ?? "") && !WORD_CHAR.test(line[end] ?? "");
}

interface Normal {
	/** Letters and digits only, in lower case. */
	readonly text: string;
	/** The start and end of each character in the original. */
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
