/**
 * Words and patterns that a server does not let into prompts. A pattern is a word or several; `?` stands for one letter or
 * digit, `*` for any number of them, and a blank for whatever separates words. It matches whole words, except where its
 * own end is of a script that writes none. Matching walks once through the text with the set of all places in the pattern
 * that it may have reached, a bit each: there is nothing to go back to, so no pattern can make it slow (docs/decisions/0013).
 */

/** What is not seen, and marks that are put over letters to break words up. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|[\u0300-\u036F]|[\u0483-\u0489]|[\u20D0-\u20FF]/gu;
const LETTER = /^[\p{L}\p{M}\p{N}]$/u;
/** Scripts in which words stand beside each other without a blank. */
const WITHOUT_BLANKS =
	/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

/** How text is compared: compatibility forms, case, invisible characters and stacked marks make no difference. */
function foldText(text: string): string {
	return (
		text
			.normalize("NFKC")
			.replaceAll(IGNORED, "")
			// Upper case first: it writes out what has no upper case of its own, such as ß.
			.toUpperCase()
			.toLowerCase()
			.replaceAll("ς", "σ")
			.replaceAll(IGNORED, "")
			.normalize("NFC")
	);
}

/** What regular expressions are written with. */
const NOTATION = /[()[\]{}+^$|\\]/;

/**
 * Whether a pattern says something that matching does not take into account: `(a+)+$` would be `a`. Only punctuation between
 * letters or digits stands for what it is, as whatever separates words.
 */
export function isSimplified(typed: string): boolean {
	const folded = foldText(typed).trim();
	return [...folded.matchAll(/[^\p{L}\p{M}\p{N}*?]+/gu)].some(([between], index, all) => {
		if (/^\s*$/u.test(between)) return false;
		const at = all[index]?.index ?? 0;
		const isBetween = LETTER.test(charBefore(folded, at)) && LETTER.test(charAfter(folded, at + between.length));
		return NOTATION.test(between) || !isBetween;
	});
}

function charBefore(text: string, at: number): string {
	return Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? "";
}

function charAfter(text: string, at: number): string {
	return Array.from(text.slice(at, at + 2))[0] ?? "";
}

/** A pattern in the one way to write it; empty where nothing of it can match. */
export function normalizePattern(typed: string): string {
	const folded = foldText(typed)
		.replaceAll(/[^\p{L}\p{M}\p{N}*?]+/gu, " ")
		.replaceAll(/\*+/g, "*")
		.trim();
	return /[\p{L}\p{N}]/u.test(folded) ? folded : "";
}

/** What in the text matches one of the patterns, as it was compared; `undefined` where nothing does. */
export function findFilterMatch(
	patterns: readonly string[],
	text: string,
): { readonly pattern: string; readonly found: string } | undefined {
	if (patterns.length === 0) return undefined;
	const folded = foldText(text);
	const chars = Array.from(folded);
	const letters = chars.map((char) => LETTER.test(char));
	for (const pattern of patterns) {
		// Imported ones are written in any way.
		const normal = normalizePattern(pattern);
		// Most patterns have a piece that the text has nowhere.
		if (normal === "" || !folded.includes(longestPiece(normal))) continue;
		const end = endOfMatch(Array.from(normal), { chars, letters });
		if (end !== undefined) return { pattern, found: foundBefore(end, normal, { chars, letters }) };
	}
	return undefined;
}

interface Text {
	readonly chars: readonly string[];
	readonly letters: readonly boolean[];
}

/** Where the first match ends; `undefined` where there is none. */
function endOfMatch(pattern: readonly string[], { chars, letters }: Text): number | undefined {
	const places = new PositionSet(pattern.length);
	const any = places.where((place) => pattern[place] === "*");
	const one = places.where((place) => pattern[place] === "?");
	const between = places.where((place) => pattern[place] === " ");
	const of = new Map([...new Set(pattern)].map((char) => [char, places.where((place) => pattern[place] === char)]));
	const none = places.where(() => false);
	const isFreeBefore = WITHOUT_BLANKS.test(pattern[0] ?? "");
	const isFreeBehind = WITHOUT_BLANKS.test(pattern.at(-1) ?? "");
	const isEdge = (at: number): boolean => !(letters[at - 1] ?? false) || !(letters[at] ?? false);

	for (const [at, char] of chars.entries()) {
		if (isFreeBefore || isEdge(at)) places.begin(any);
		if (letters[at] ?? false) places.step(of.get(char) ?? none, one, any, any);
		else places.step(between, none, between, any);
		if (places.isAtEnd() && (isFreeBehind || isEdge(at + 1))) return at + 1;
	}
	return undefined;
}

/** Places in a pattern, the one behind its last part included: a set of bits. */
class PositionSet {
	readonly #last: number;
	readonly #reached: Uint32Array;

	constructor(partCount: number) {
		this.#last = partCount;
		this.#reached = new Uint32Array((partCount >>> 5) + 1);
	}

	where(holds: (place: number) => boolean): Uint32Array {
		const bits = new Uint32Array(this.#reached.length);
		for (let place = 0; place < this.#last; place++) {
			if (holds(place)) bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
		}
		return bits;
	}

	/** A match may begin here. What may be nothing at all is passed at once. */
	begin(any: Uint32Array): void {
		this.#reached[0] = (this.#reached[0] ?? 0) | 1 | (((any[0] ?? 0) & 1) << 1);
	}

	/** One character further: on from the places that take it, and still at those that take more than one. */
	step(takes: Uint32Array, takesToo: Uint32Array, stays: Uint32Array, any: Uint32Array): void {
		let carry = 0;
		let anyCarry = 0;
		for (let word = 0; word < this.#reached.length; word++) {
			const before = this.#reached[word] ?? 0;
			const taken = before & ((takes[word] ?? 0) | (takesToo[word] ?? 0));
			const moved = (taken << 1) | carry | (before & (stays[word] ?? 0));
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

/** The longest part of a pattern that stands in every match as it is. */
function longestPiece(normal: string): string {
	return normal.split(/[*? ]/).reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** The words of a pattern that is plain, else the word that ends the match. */
function foundBefore(end: number, normal: string, { chars, letters }: Text): string {
	if (!/[*?]/.test(normal)) return normal;
	let from = end;
	while (from > 0 && (letters[from - 1] ?? false)) from -= 1;
	return chars.slice(from, end).join("");
}
