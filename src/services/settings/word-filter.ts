/**
 * The word filter of a server. A pattern is one or more words; `?` matches one letter or digit, `*` any number of them,
 * and a blank any separator of words. A match starts and ends at the edge of a word, except in scripts without blanks.
 * Matching reads the text once with a bit set of all positions in the pattern that the text so far can reach: there is no
 * backtracking, so no pattern can be slow.
 */

/** Invisible characters, and combining marks that are stacked on letters to hide a word. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|[\u0300-\u036F]|[\u0483-\u0489]|[\u20D0-\u20FF]/gu;
const LETTER_OR_DIGIT = /^[\p{L}\p{M}\p{N}]$/u;
/** Scripts without blanks between words. */
const WITHOUT_BLANKS =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

/** Normalizes text for comparison: compatibility forms and case become equal, invisible characters and stacked marks are removed. */
function foldText(text: string): string {
	return (
		text
			.normalize("NFKC")
			.replaceAll(IGNORED, "")
			// Upper case first: it expands characters such as ß.
			.toUpperCase()
			.toLowerCase()
			.replaceAll("ς", "σ")
			.replaceAll(IGNORED, "")
			.normalize("NFC")
	);
}

const REGULAR_EXPRESSION = /[()[\]{}+^$|\\]|\.[*?]/;
const MARK_AT_START = /^[^\p{L}\p{M}\p{N}*?]/u;
const MARK_AT_END = /[^\p{L}\p{M}\p{N}*?]$/u;

/**
 * Returns whether matching ignores a part of a pattern: `C#` would become `c`, and `(a+)+$` would become `a`. Other marks between
 * letters, digits and wildcards separate words, as blanks do.
 */
export function losesPart(typed: string): boolean {
	const folded = foldText(typed).trim();
	const hasIgnoredMark = [REGULAR_EXPRESSION, MARK_AT_START, MARK_AT_END].some((part) => part.test(folded));
	return hasIgnoredMark || normalizePattern(typed) === "";
}

/** Returns the canonical form of a pattern; empty for one without a letter or digit, which never matches. */
export function normalizePattern(typed: string): string {
	const folded = foldText(typed)
		.replaceAll(/[^\p{L}\p{M}\p{N}*?]+/gu, " ")
		.replaceAll(/\*+/g, "*")
		.trim();
	return /[\p{L}\p{N}]/u.test(folded) ? folded : "";
}

/** Returns the normalized text that matches one of the patterns; `undefined` without a match. */
export function findFilterMatch(
	patterns: readonly string[],
	text: string,
): { readonly pattern: string; readonly found: string } | undefined {
	if (patterns.length === 0) return undefined;
	const folded = foldText(text);
	const chars = Array.from(folded);
	const isLetter = chars.map((char) => LETTER_OR_DIGIT.test(char));
	for (const pattern of patterns) {
		// Imported patterns may not be normalized.
		const normal = normalizePattern(pattern);
		// Most texts do not contain the longest literal part of a pattern: no need to match the rest.
		if (normal === "" || !folded.includes(longestLiteral(normal))) continue;
		const end = endOfMatch(Array.from(normal), { chars, isLetter });
		if (end !== undefined) return { pattern, found: matchedText(end, normal, { chars, isLetter }) };
	}
	return undefined;
}

interface FoldedText {
	readonly chars: readonly string[];
	readonly isLetter: readonly boolean[];
}

/**
 * Returns the end of the first match, or `undefined`. Bit `n` of `reached` is set if the text up to here matches the first
 * `n` parts of the pattern.
 */
function endOfMatch(pattern: readonly string[], { chars, isLetter }: FoldedText): number | undefined {
	const positionsOf = positionsByPart(pattern);
	const anyRun = positionsOf.get("*") ?? 0n;
	const anyLetter = positionsOf.get("?") ?? 0n;
	const blank = positionsOf.get(" ") ?? 0n;
	const atEnd = 1n << BigInt(pattern.length);
	const mayStartInWord = WITHOUT_BLANKS.test(pattern[0] ?? "");
	const mayEndInWord = WITHOUT_BLANKS.test(pattern.at(-1) ?? "");
	const isWordEdge = (at: number): boolean => !(isLetter[at - 1] ?? false) || !(isLetter[at] ?? false);
	/** A `*` may match nothing. */
	const skipAnyRun = (reached: bigint): bigint => reached | ((reached & anyRun) << 1n);

	let reached = 0n;
	for (const [at, char] of chars.entries()) {
		if (mayStartInWord || isWordEdge(at)) reached = skipAnyRun(reached | 1n);
		if (reached === 0n) continue;
		const isLetterHere = isLetter[at] ?? false;
		const matching = isLetterHere ? (positionsOf.get(char) ?? 0n) | anyLetter : blank;
		const repeatable = isLetterHere ? anyRun : blank;
		reached = skipAnyRun(((reached & matching) << 1n) | (reached & repeatable));
		if ((reached & atEnd) !== 0n && (mayEndInWord || isWordEdge(at + 1))) return at + 1;
	}
	return undefined;
}

/** Returns for each part of a pattern a bit set of the positions at which it stands. */
function positionsByPart(pattern: readonly string[]): ReadonlyMap<string, bigint> {
	const positions = new Map<string, bigint>();
	for (const [index, part] of pattern.entries()) {
		positions.set(part, (positions.get(part) ?? 0n) | (1n << BigInt(index)));
	}
	return positions;
}

/** Returns the longest part of a pattern without wildcards and blanks. */
function longestLiteral(pattern: string): string {
	return pattern.split(/[*? ]/).toSorted((one, other) => other.length - one.length)[0] ?? "";
}

/** Returns a pattern without wildcards itself; for others, the last word of the match. */
function matchedText(end: number, pattern: string, { chars, isLetter }: FoldedText): string {
	if (!/[*?]/.test(pattern)) return pattern;
	let start = end;
	while (start > 0 && (isLetter[start - 1] ?? false)) start -= 1;
	return chars.slice(start, end).join("");
}
