import { describe, expect, test } from "vitest";
import { imagine } from "../../../../../src/studio/engines/sketch/music/musical-idea.ts";
import { type Note, type Score, writeScore } from "../../../../../src/studio/engines/sketch/music/score.ts";
import { STYLE_NAMES } from "../../../../../src/studio/engines/sketch/music/styles.ts";
import { readLyrics } from "../../../../../src/studio/engines/sketch/music/syllables.ts";
import { chordPitchClasses, isInScale, modulo } from "../../../../../src/studio/engines/sketch/music/theory.ts";

function compose(
	prompt: string,
	durationSeconds: number,
	lyrics = "",
): { idea: ReturnType<typeof imagine>; score: Score } {
	const idea = imagine(prompt, 5);
	return { idea, score: writeScore(idea, durationSeconds, [prompt, 5], readLyrics(lyrics)) };
}

const notesOf = (score: Score, role: string): readonly Note[] =>
	score.tracks.filter((track) => track.role === role).flatMap((track) => track.notes);

const sectionsOf = (score: Score): readonly string[] =>
	score.plan.bars.filter((bar) => bar.barInSection === 0).map((bar) => bar.section);

describe("form", () => {
	test("a minute has an intro, verses, a bridge and an outro", () => {
		const sections = sectionsOf(compose("happy pop", 60).score);
		expect(sections.at(0)).toBe("intro");
		expect(sections.at(-1)).toBe("outro");
		expect(sections.indexOf("B")).toBeGreaterThan(sections.indexOf("A"));
		expect(sections.lastIndexOf("A")).toBeGreaterThan(sections.indexOf("B"));
	});

	test("four minutes breathe: there is a break, and the verse comes back after it", () => {
		const sections = sectionsOf(compose("techno", 240).score);
		expect(sections.lastIndexOf("break")).toBeGreaterThan(0);
		expect(sections.lastIndexOf("A")).toBeGreaterThan(sections.lastIndexOf("break"));
	});

	test.each([0.5, 1, 3, 8, 20, 37.5, 95])(
		"in %d s the last chord begins in time and every note ends in time",
		(durationSeconds) => {
			for (const prompt of ["waltz", "techno", "ambient", "music at 97 bpm"]) {
				const { score } = compose(prompt, durationSeconds);
				expect(score.plan.finalStartSeconds).toBeLessThan(durationSeconds);
				for (const { notes } of score.tracks) {
					for (const note of notes) {
						expect(note.startSeconds).toBeGreaterThanOrEqual(0);
						expect(note.startSeconds + note.durationSeconds).toBeLessThanOrEqual(durationSeconds + 0.03);
					}
				}
			}
		},
	);

	test("an asked tempo is not stretched to fit", () => {
		expect(compose("house at 120 bpm", 33).score.plan.secondsPerStep).toBeCloseTo(60 / 120 / 4, 9);
	});

	test("the piece ends at home: the last chord holds the tonic in melody and bass", () => {
		for (const name of STYLE_NAMES) {
			const { idea, score } = compose(name, 24);
			expect(modulo(notesOf(score, "lead").at(-1)?.pitch ?? -1, 12)).toBe(idea.key.tonic);
			expect(modulo(notesOf(score, "bass").at(-1)?.pitch ?? -1, 12)).toBe(idea.key.tonic);
		}
	});
});

describe("melody", () => {
	test.each(STYLE_NAMES)("%s stays in the scale but for its marked passing notes", (name) => {
		for (const feeling of ["happy", "sad", "angry"]) {
			const { idea, score } = compose(`${feeling} ${name}`, 40);
			const melody = notesOf(score, "lead");
			expect(melody.length).toBeGreaterThan(3);
			const strangers = melody.filter((note) => note.passing !== true && !isInScale(idea.key, note.pitch));
			expect(strangers).toStrictEqual([]);
			const passing = melody.filter((note) => note.passing === true);
			expect(passing.length).toBeLessThan(melody.length / 2);
		}
	});

	test.each(STYLE_NAMES)("of %s never leaps more than an octave, and most steps are small", (name) => {
		const leaps = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((seed) => {
			const melody = notesOf(writeScore(imagine(name, seed), 60, [name, seed], []), "lead");
			return melody.slice(1, -1).map((note, index) => Math.abs(note.pitch - (melody[index]?.pitch ?? note.pitch)));
		});
		expect(Math.max(...leaps)).toBeLessThanOrEqual(12);
		expect(leaps.filter((leap) => leap <= 4).length / leaps.length).toBeGreaterThan(0.65);
		expect(leaps.filter((leap) => leap > 0).length / leaps.length).toBeGreaterThan(0.65);
	});

	test("comes back: the second verse has the rhythm of the first in its opening bar", () => {
		const { score } = compose("folk", 60);
		const { bars, stepsPerBar, secondsPerStep } = score.plan;
		const openings = bars.filter((bar) => bar.section === "A" && bar.barInSection === 0).slice(0, 2);
		const rhythms = openings.map((bar) => {
			const start = bar.index * stepsPerBar * secondsPerStep;
			const own = notesOf(score, "lead").map((note) => Math.round((note.startSeconds - start) / secondsPerStep) + 0);
			return own.filter((step) => step >= 0 && step < stepsPerBar);
		});
		expect(rhythms[0]?.length).toBeGreaterThan(0);
		// A repeat may split a long note, but keeps every onset of the first time.
		expect(rhythms[1]).toStrictEqual(expect.arrayContaining([...(rhythms[0] ?? [])]));
	});
});

describe("harmony", () => {
	test("chords move by small steps, whatever the progression", () => {
		const { score } = compose("pop", 60);
		const chordAt = score.plan.bars.map((bar) => {
			const from = bar.index * score.plan.stepsPerBar * score.plan.secondsPerStep;
			return notesOf(score, "pad").filter(
				(note) => note.startSeconds <= from + 0.1 && note.startSeconds + note.durationSeconds > from + 0.2,
			);
		});
		const middles = chordAt
			.filter((notes) => notes.length > 0)
			.map((notes) => notes.reduce((sum, { pitch }) => sum + pitch, 0) / notes.length);
		for (const [index, middle] of middles.slice(1).entries())
			expect(Math.abs(middle - (middles[index] ?? middle))).toBeLessThan(5);
	});

	test("every chord note belongs to the chord of its bar", () => {
		const { idea, score } = compose("sad ballad", 40);
		const { bars, stepsPerBar, secondsPerStep, finalChord } = score.plan;
		for (const note of notesOf(score, "chords")) {
			const bar = bars[Math.floor((note.startSeconds + 0.012) / (stepsPerBar * secondsPerStep))];
			expect(chordPitchClasses(idea.key, bar?.chord ?? finalChord)).toContain(modulo(note.pitch, 12));
		}
	});
});

describe("lyrics", () => {
	test("a line gives as many notes as it has syllables", () => {
		const line = "the moon is rising over the sea";
		const [vowels = []] = readLyrics(line);
		expect(vowels).toHaveLength(9);
		const { score } = compose("slow ballad", 60, line);
		const barSeconds = score.plan.stepsPerBar * score.plan.secondsPerStep;
		const firstBar = score.plan.bars.findIndex((bar) => bar.roles.has("lead"));
		const sung = notesOf(score, "lead").filter(
			(note) =>
				note.startSeconds >= firstBar * barSeconds - 0.05 && note.startSeconds < (firstBar + 2) * barSeconds - 0.05,
		);
		expect(sung.map((note) => note.vowel)).toStrictEqual([...vowels]);
	});

	test.each([
		["hello", 2],
		["love me tender", 4],
		["さくら", 3],
		["안녕하세요", 5],
		["Straßenbahn", 3],
		["[Chorus] la la la (x2)", 3],
		["привет", 2],
		["שלום", 2],
		["...!?", 0],
	])("%s has %i syllables", (text, count) => {
		expect(readLyrics(text).flat()).toHaveLength(count);
	});
});
