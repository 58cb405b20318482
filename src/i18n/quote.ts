import type { Text } from "./message-descriptor.ts";
import { shortList } from "./message-param-values.ts";

/** ASCII punctuation that starts markdown, a mention, an emoji or a link in Discord. */
const MARKDOWN = /[\\*_~`|>#[\]()<:@-]/g;
/** Characters that reverse or hide the text around them. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;
/** Invisible, but part of how emoji and several scripts are written. */
const JOINERS = new Set(["\u200C", "\u200D"]);
/** Names that need no quoting: letters, digits, dots and spaces, and a number after a colon, as in `16:9`. */
const PLAIN_NAME = /^[\p{L}\p{N}. ]{1,40}(:\d{1,5})?$/u;
const NAME_CHARS_MAX = 40;
/** Keeps right-to-left text inside its own direction. */
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_DIRECTIONAL_ISOLATE = "\u2069";

/**
 * Quotes member input as one line: it formats nothing, pings no member, links nowhere, and cannot end the quotation. At
 * most `charsMax` characters.
 */
export function quote(text: string, charsMax: number): string {
	const line = shorten(oneLine(text), charsMax);
	return FIRST_STRONG_ISOLATE + line.replaceAll(MARKDOWN, "\\$&") + POP_DIRECTIONAL_ISOLATE;
}

/** Shortens member input to one line of plain text, such as the description of an image. */
export function plainLine(text: string, charsMax: number): string {
	return shorten(oneLine(text), charsMax);
}

/** The length of a prompt in messages. Prompts themselves are up to 6,000 characters long. */
export const PROMPT_CHARS_SHOWN = 280;

export function quotePrompt(prompt: string): string {
	return quote(prompt, PROMPT_CHARS_SHOWN);
}

const LISTED_NAMES_MAX = 12;

/** Returns a short name of a model, value or resolution, quoted unless it is harmless. */
export function quoteName(name: string): string {
	return PLAIN_NAME.test(name) ? name : quote(name, NAME_CHARS_MAX);
}

/** Quotes names for a list, and counts the rest. */
export function enumerate(names: readonly string[]): Text {
	return shortList(names.map(quoteName), LISTED_NAMES_MAX);
}

function oneLine(text: string): string {
	return text
		.replaceAll(/[\s\p{Z}\p{Cc}]+/gu, " ")
		.replaceAll(INVISIBLE, (char) => (JOINERS.has(char) || isTag(char) ? char : ""))
		.trim();
}

/** Regional flags are written with tag characters (U+E0020 to U+E007F) after a black flag. */
function isTag(char: string): boolean {
	const codePoint = char.codePointAt(0) ?? 0;
	return codePoint >= 0xe0020 && codePoint <= 0xe007f;
}

/** Created once: it loads the rules of the Unicode standard. */
let segmenter: Intl.Segmenter | undefined;

function shorten(text: string, charsMax: number): string {
	if (text.length <= charsMax) return text;
	segmenter ??= new Intl.Segmenter();
	let shortened = "";
	for (const { segment } of segmenter.segment(text)) {
		if (shortened.length + segment.length > charsMax - 1) break;
		shortened += segment;
	}
	return `${shortened.trimEnd()}…`;
}
