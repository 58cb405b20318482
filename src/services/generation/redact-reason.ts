/**
 * Prepares the words of a media service for logs, the store and other readers: one bounded line without member input.
 * Services repeat the prompt in their messages, whole, truncated or quoted.
 */
import { plainLine } from "../../i18n/quote.ts";
import type { GenerationRequest } from "./request.ts";

export const REASON_CHARS_MAX = 200;
/** Bounds the comparison: a service may send a long page. */
const COMPARED_CHARS_MAX = 4_000;
/** So many letters and digits in a row that also occur in the prompt are a quotation. Shorter runs are common words. */
const RUN_CHARS = 12;
/** Scripts with words of one or two characters, in which shorter runs are a quotation. */
const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const DENSE_RUN_CHARS = 4;
const QUOTED = /"[^"]+"|'[^']+'|`[^`]+`|“[^”]+”|‘[^’]+’|«[^»]+»|「[^」]+」/gu;
const REDACTED = "[prompt]";
const WORD_CHAR = /[\p{L}\p{N}]/u;

/** Removes the prompt and other texts of the member from a reason, shortens its URLs, and bounds its length. */
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

/** Returns whether an option is free text, such as lyrics. Values of a list, such as `16:9`, help to understand a reason and stay. */
function isFreeText(name: string, value: string | number | boolean | readonly string[]): value is string {
	return typeof value === "string" && (/prompt|lyrics|text/i.test(name) || value.length > 16 || /\s/.test(value));
}

/** Removes a text that the member typed, whole or in part. */
function withoutText(line: string, typed: string): string {
	const typedText = normalize(typed).text;
	if (typedText === "") return line;
	const unquoted = line.replaceAll(QUOTED, (quotation: string) => {
		const quoted = normalize(quotation.slice(1, -1)).text;
		return quoted !== "" && typedText.includes(quoted) ? REDACTED : quotation;
	});
	return withoutRuns(unquoted, typedText);
}

/** Replaces every run of the line that occurs in the member's text. Runs that overlap are one replacement. */
function withoutRuns(line: string, typedText: string): string {
	const { text, starts, ends } = normalize(line);
	const isTyped = (at: number, runChars: number): boolean => {
		if (at + runChars > text.length || !typedText.includes(text.slice(at, at + runChars))) return false;
		const [start = 0, end = 0] = [starts[at], ends[at + runChars - 1]];
		if (runChars >= RUN_CHARS || DENSE_SCRIPT.test(line.slice(start, end))) return true;
		// A short prompt is removed as a word of its own: `cat` inside of another word stays.
		return runChars === typedText.length && !WORD_CHAR.test((line[start - 1] ?? "") + (line[end] ?? ""));
	};
	let redacted = "";
	let copiedTo = 0;
	let runsTo = 0;
	for (let at = 0; at < text.length; at++) {
		const runChars = [Math.min(RUN_CHARS, typedText.length), DENSE_RUN_CHARS].find((chars) => isTyped(at, chars));
		if (runChars === undefined) continue;
		if (at >= runsTo) redacted += line.slice(copiedTo, starts[at]) + REDACTED;
		runsTo = Math.max(runsTo, at + runChars);
		copiedTo = ends[runsTo - 1] ?? line.length;
	}
	return redacted + line.slice(copiedTo);
}

/** A text reduced to what is compared. */
interface NormalizedText {
	/** Letters and digits only, in lower case. */
	readonly text: string;
	/** The start and end in the original of each UTF-16 code unit of `text`. */
	readonly starts: readonly number[];
	readonly ends: readonly number[];
}

function normalize(original: string): NormalizedText {
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
