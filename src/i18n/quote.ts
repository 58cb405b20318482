/** ASCII punctuation that Discord reads as markdown, as a mention, as an emoji or as the start of a link. */
const MARKDOWN = /[\\*_~`|>#[\]()<:@-]/g;
/** Marks that would turn or hide the text around them. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;
/** Invisible, but part of how emoji and several scripts are written. */
const JOINERS = new Set(["\u200C", "\u200D"]);
/** Nothing in it that Discord reads as markdown. */
const PLAIN_NAME = /^[\p{L}\p{N}. ]{1,40}(:\d{1,5})?$/u;
const NAME_CHARS_MAX = 40;
/** Right-to-left text stays inside its own direction. */
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_DIRECTIONAL_ISOLATE = "\u2069";

/**
 * What a member typed, as one line that is shown and nothing more: it formats nothing, mentions nobody, links nowhere,
 * and does not reach beyond its own end. At most `charsMax` characters of it, cut between whole ones.
 */
export function quote(text: string, charsMax: number): string {
	const line = shorten(oneLine(text), charsMax);
	return FIRST_STRONG_ISOLATE + line.replaceAll(MARKDOWN, "\\$&") + POP_DIRECTIONAL_ISOLATE;
}

/** The same for places that show plain text only, such as the description of a picture. */
export function plainLine(text: string, charsMax: number): string {
	return shorten(oneLine(text), charsMax);
}

const NAMED_MAX = 12;

/** A short name of a model, a value, a resolution: as it is where that is harmless, else quoted. */
export function quoteName(name: string): string {
	return PLAIN_NAME.test(name) ? name : quote(name, NAME_CHARS_MAX);
}

/** Names in a row, each quoted, and how many more there are beside the first. */
export function enumerate(names: readonly string[]): string {
	const named = names.slice(0, NAMED_MAX).map(quoteName);
	const more = names.length - named.length;
	return more > 0 ? `${named.join(", ")} … (+${more})` : named.join(", ");
}

function oneLine(text: string): string {
	return text
		.replaceAll(/[\s\p{Z}\p{Cc}]+/gu, " ")
		.replaceAll(INVISIBLE, (char) => (JOINERS.has(char) || isTag(char) ? char : ""))
		.trim();
}

/** Flags of regions are written with tag characters (U+E0020 to U+E007F) behind a black flag. */
function isTag(char: string): boolean {
	const codePoint = char.codePointAt(0) ?? 0;
	return codePoint >= 0xe0020 && codePoint <= 0xe007f;
}

function shorten(text: string, charsMax: number): string {
	if (text.length <= charsMax) return text;
	let short = "";
	for (const { segment } of new Intl.Segmenter().segment(text)) {
		if (short.length + segment.length > charsMax - 1) break;
		short += segment;
	}
	return `${short.trimEnd()}…`;
}
