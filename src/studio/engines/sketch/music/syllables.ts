import { VOWELS, type Vowel } from "./instruments/instrument.ts";

/** A line of a song as the voice needs it: one vowel for each syllable. */
export type LyricLine = readonly Vowel[];

const SYLLABLES_PER_LINE_MAX = 24;

/** "[Chorus]" and "(x2)" are directions, not words. */
const DIRECTION = /\[[^\]]*\]|\([^)]*\)/gu;

/** Counts syllables by runs of vowels in alphabets, by characters in scripts that write syllables. */
export function readLyrics(lyrics: string): readonly LyricLine[] {
	return lyrics
		.replace(DIRECTION, " ")
		.split(/[\n.!?;。！？]+/u)
		.map((line) => syllablesOf(line))
		.filter((line) => line.length > 0)
		.flatMap((line) => splitLong(line));
}

const SYLLABIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const SMALL_KANA = /[ゃゅょャュョっッー]/u;

function syllablesOf(line: string): LyricLine {
	const words =
		line
			.toLowerCase()
			.normalize("NFD")
			.match(/[\p{L}\p{M}]+/gu) ?? [];
	return words.flatMap((word) => {
		const composed = word.normalize("NFC");
		if (SYLLABIC.test(composed)) {
			return Array.from(composed)
				.filter((letter) => SYLLABIC.test(letter) && !SMALL_KANA.test(letter))
				.map(vowelOfLetter);
		}
		return latinSyllables(word.replaceAll(/\p{M}/gu, ""));
	});
}

const VOWEL_RUN = /[aeiouyаеёиоуыэюяαεηιουω]+/gu;

function latinSyllables(word: string): LyricLine {
	const runs = [...word.matchAll(VOWEL_RUN)];
	// A final e is mute in English and French, unless it is all there is: "love" is one syllable, "the" too.
	const sounding = runs.length > 1 && /[^aeiouyl]e$/u.test(word) ? runs.slice(0, -1) : runs;
	if (sounding.length > 0) return sounding.map(([run]) => vowelOfLetter(run[0] ?? "u"));
	// Scripts that do not write their vowels: about one syllable for two letters.
	return Array.from({ length: Math.ceil(word.length / 2) }, (_, index) => vowelOfLetter(word[index * 2] ?? "u"));
}

function vowelOfLetter(letter: string): Vowel {
	const written = VOWELS.find((vowel) => vowel === letter);
	if (written !== undefined) return written;
	if (letter === "y") return "i";
	return VOWELS[(letter.codePointAt(0) ?? 0) % VOWELS.length] ?? "u";
}

function splitLong(line: LyricLine): readonly LyricLine[] {
	if (line.length <= SYLLABLES_PER_LINE_MAX) return [line];
	return [line.slice(0, SYLLABLES_PER_LINE_MAX), ...splitLong(line.slice(SYLLABLES_PER_LINE_MAX))];
}
