import { MOOD_LEXICON } from "./mood-lexicon.ts";

/** What a prompt feels like, read from its words; pictures take their palette from it, music its key and tempo. */
export interface Mood {
	/** -1 sad or threatening, 1 happy. */
	readonly valence: number;
	/** 0 still, 1 wild. */
	readonly energy: number;
	/** 0 bright daylight, 1 night. */
	readonly darkness: number;
}

/** A word of the prompt that stands in a table. */
export interface Mention<T> {
	readonly value: T;
	/** "no drums", "not sad": the person wants the contrary. */
	readonly negated: boolean;
}

const NEUTRAL: Mood = { valence: 0.15, energy: 0.45, darkness: 0.35 };

const NEGATIONS = new Set(
	"no not without never isn don nicht ohne kein keine pas sans sin sem não nunca jamais".split(" "),
);
/** "not a sad song": how many words a negation reaches. */
const NEGATION_REACH = 2;
/** "Not sad" is less than happy. */
const NEGATED_SHARE = -0.6;

/** The words of a prompt, lower case, without punctuation, in any script; an emoji is a word. */
export function wordsOf(prompt: string): readonly string[] {
	return prompt.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*|\p{Extended_Pictographic}/gu) ?? [];
}

/** What a table knows of a prompt, in the prompt's order; plurals and simple endings are forgiven. */
export function findMentions<T>(prompt: string, table: ReadonlyMap<string, T>): readonly Mention<T>[] {
	const mentions: Mention<T>[] = [];
	let negationEndsAt = -1;
	for (const [index, word] of wordsOf(prompt).entries()) {
		if (NEGATIONS.has(word)) negationEndsAt = index + NEGATION_REACH;
		const found = WRITTEN_WITHOUT_SPACES.test(word) ? findInside(word, table) : findStem(word, table);
		for (const value of found) mentions.push({ value, negated: index <= negationEndsAt });
	}
	return mentions;
}

/** The mean of what the known words say; an axis that no word speaks of stays neutral. */
export function readMood(prompt: string): Mood {
	const known = findMentions(prompt, MOOD_LEXICON);
	const axis = (name: keyof Mood): number => {
		const spoken = known.flatMap(({ value, negated }) => {
			const weight = value[name];
			if (weight === undefined) return [];
			if (!negated) return [weight];
			return name === "valence" ? [weight * NEGATED_SHARE] : [];
		});
		return spoken.length === 0 ? NEUTRAL[name] : spoken.reduce((sum, weight) => sum + weight, 0) / spoken.length;
	};
	return { valence: axis("valence"), energy: axis("energy"), darkness: axis("darkness") };
}

const WRITTEN_WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Words of a run of characters without spaces. A word inside a longer known one is not meant: 夜 in 夜明け. */
function findInside<T>(run: string, table: ReadonlyMap<string, T>): readonly T[] {
	const found: T[] = [];
	let position = 0;
	while (position < run.length) {
		const word = longestWordAt(run, position, table);
		const value = word === null ? undefined : table.get(word);
		if (value !== undefined) found.push(value);
		position += word?.length ?? 1;
	}
	return found;
}

const RUN_WORD_CHARS_MAX = 6;

function longestWordAt(run: string, position: number, table: ReadonlyMap<string, unknown>): string | null {
	for (let length = Math.min(RUN_WORD_CHARS_MAX, run.length - position); length > 0; length--) {
		const word = run.slice(position, position + length);
		if (table.has(word)) return word;
	}
	return null;
}

function findStem<T>(word: string, table: ReadonlyMap<string, T>): readonly T[] {
	const stem = stemsOf(word).find((candidate) => table.has(candidate));
	const value = stem === undefined ? undefined : table.get(stem);
	return value === undefined ? [] : [value];
}

const ENDINGS = ["s", "ing", "ed", "d", "y", "ly", "ness", "ful", "ish", "er", "e", "en", "em", "es"] as const;
const Y_BECAME_I = /i(?:es|ly|ness|er|est|ed)$/u;
const STEM_CHARS_MIN = 3;

/** The word and what it may be without its ending: storms, stormy -> storm; sunny -> sun; cities -> city; racing -> race. */
function stemsOf(word: string): readonly string[] {
	const stems = [word];
	if (Y_BECAME_I.test(word)) stems.push(word.replace(Y_BECAME_I, "y"));
	for (const ending of ENDINGS) {
		const stem = word.slice(0, -ending.length);
		if (!word.endsWith(ending) || stem.length < STEM_CHARS_MIN) continue;
		stems.push(stem, `${stem}e`);
		if (stem.at(-1) === stem.at(-2)) stems.push(stem.slice(0, -1));
	}
	return stems;
}
