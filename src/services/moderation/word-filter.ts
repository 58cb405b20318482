/**
 * The word filter of a guild. A pattern is one or more words; `?` matches one letter or digit, `*` any number of them,
 * and a blank any separator of words. A match starts and ends at the edge of a word, except in scripts without blanks.
 * Matching reads the text once with a bit set of all reachable positions in the pattern: there is no backtracking, so
 * no pattern can be slow.
 */

/** Invisible characters, and combining marks that break words up. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|[\u0300-\u036F]|[\u0483-\u0489]|[\u20D0-\u20FF]/gu;
const LETTER_OR_DIGIT = /^[\p{L}\p{M}\p{N}]$/u;
/** Scripts without blanks between words. */
const WITHOUT_BLANKS =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

/** Normalizes text for comparison: compatibility forms, case, invisible characters and combining marks are equal. */
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

/** Characters that only mean something in regular expressions. */
const REGEXP_NOTATION = /[()[\]{}+^$|\\]/;

/**
 * Returns whether a pattern contains notation that matching ignores: `(a+)+$` would become `a`. Punctuation between
 * letters or digits is allowed; it separates words.
 */
export function losesNotation(typed: string): boolean {
	const folded = foldText(typed).trim();
	return [...folded.matchAll(/[^\p{L}\p{M}\p{N}*?]+/gu)].some(([between], index, all) => {
		if (/^\s*$/u.test(between)) return false;
		const at = all[index]?.index ?? 0;
		const isInsideWord =
			LETTER_OR_DIGIT.test(charBefore(folded, at)) && LETTER_OR_DIGIT.test(charAfter(folded, at + between.length));
		return REGEXP_NOTATION.test(between) || !isInsideWord;
	});
}

function charBefore(text: string, at: number): string {
	return Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? "";
}

function charAfter(text: string, at: number): string {
	return Array.from(text.slice(at, at + 2))[0] ?? "";
}

/** Returns the canonical form of a pattern; empty if it cannot match. */
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
		// Fast path: the text does not contain the longest literal part of the pattern.
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

/** Returns the end of the first match, or `undefined`. */
function endOfMatch(pattern: readonly string[], { chars, isLetter }: FoldedText): number | undefined {
	const positions = new PositionSet(pattern.length);
	const anyRun = positions.positionsWhere((position) => pattern[position] === "*");
	const anyLetter = positions.positionsWhere((position) => pattern[position] === "?");
	const separators = positions.positionsWhere((position) => pattern[position] === " ");
	const positionsOfChar = new Map(
		[...new Set(pattern)].map((char) => [char, positions.positionsWhere((position) => pattern[position] === char)]),
	);
	const none = positions.positionsWhere(() => false);
	const mayStartInWord = WITHOUT_BLANKS.test(pattern[0] ?? "");
	const mayEndInWord = WITHOUT_BLANKS.test(pattern.at(-1) ?? "");
	const isWordEdge = (at: number): boolean => !(isLetter[at - 1] ?? false) || !(isLetter[at] ?? false);

	for (const [at, char] of chars.entries()) {
		if (mayStartInWord || isWordEdge(at)) positions.addStart(anyRun);
		if (isLetter[at] ?? false) positions.advance(positionsOfChar.get(char) ?? none, anyLetter, anyRun, anyRun);
		else positions.advance(separators, none, separators, anyRun);
		if (positions.isAtEnd() && (mayEndInWord || isWordEdge(at + 1))) return at + 1;
	}
	return undefined;
}

/** A set of positions in a pattern, including its end, as bits. */
class PositionSet {
	readonly #last: number;
	readonly #reached: Uint32Array;

	constructor(partCount: number) {
		this.#last = partCount;
		this.#reached = new Uint32Array((partCount >>> 5) + 1);
	}

	positionsWhere(holds: (position: number) => boolean): Uint32Array {
		const bits = new Uint32Array(this.#reached.length);
		for (let position = 0; position < this.#last; position++) {
			if (holds(position)) bits[position >>> 5] = (bits[position >>> 5] ?? 0) | (1 << (position & 31));
		}
		return bits;
	}

	/** Adds the start of a match, and skips parts that may be empty. */
	addStart(any: Uint32Array): void {
		this.#reached[0] = (this.#reached[0] ?? 0) | 1 | (((any[0] ?? 0) & 1) << 1);
	}

	/** Advances by one character: to the next position for a matching part, and stays for a repeatable one. */
	advance(matching: Uint32Array, alsoMatching: Uint32Array, repeatable: Uint32Array, any: Uint32Array): void {
		let carry = 0;
		let anyCarry = 0;
		for (let word = 0; word < this.#reached.length; word++) {
			const before = this.#reached[word] ?? 0;
			const taken = before & ((matching[word] ?? 0) | (alsoMatching[word] ?? 0));
			const moved = (taken << 1) | carry | (before & (repeatable[word] ?? 0));
			const passed = moved & (any[word] ?? 0);
			this.#reached[word] = moved | (passed << 1) | anyCarry;
			carry = taken >>> 31;
			anyCarry = passed >>> 31;
		}
	}

	isAtEnd(): boolean {
		return ((this.#reached[this.#last >>> 5] ?? 0) & (1 << (this.#last & 31))) !== 0;
	}
}

/** Returns the longest literal part of a pattern. */
function longestLiteral(normal: string): string {
	return normal.split(/[*? ]/).reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** Returns the words of a literal pattern, else the last word of the match. */
function matchedText(end: number, normal: string, { chars, isLetter }: FoldedText): string {
	if (!/[*?]/.test(normal)) return normal;
	let from = end;
	while (from > 0 && (isLetter[from - 1] ?? false)) from -= 1;
	return chars.slice(from, end).join("");
}
