import type { Random } from "../random.ts";
import { clamp } from "./dsp.ts";
import type { Bar, Plan, SectionName } from "./form.ts";
import { centreOf } from "./instruments/orchestra.ts";
import type { Idea } from "./musical-idea.ts";
import type { PlacedNote } from "./placed-note.ts";
import { type Onset, cadenceRhythm, inventRhythm, rhythmOfSyllables } from "./rhythm.ts";
import type { LyricLine } from "./syllables.ts";
import {
	type Chord,
	SCALE_LENGTH,
	chordDegrees,
	isInScale,
	modulo,
	nearestPitch,
	raiseToMajorThird,
	semitonesOf,
} from "./theory.ts";

/** What a tune remembers of itself: a rhythm and a line that every phrase takes up again. */
interface Motif {
	readonly rhythms: readonly [opening: readonly Onset[], answer: readonly Onset[], cadence: readonly Onset[]];
	/** Degrees above the first note, as long as the busiest bar. */
	readonly contour: readonly number[];
}

interface MelodyNote {
	readonly step: number;
	readonly lengthSteps: number;
	readonly degree: number;
	readonly chord: Chord;
	readonly accent: number;
	readonly vowel?: LyricLine[number];
}

const RANGE_DEGREES = 7;
const CONTOUR_NOTES = 16;

function inventMotif(idea: Idea, plan: Plan, random: Random, density: number): Motif {
	const rhythm = (extra: number): readonly Onset[] =>
		inventRhythm(random, plan.stepsPerBar, plan.stepsPerBeat, clamp(density + extra, 0, 1));
	const rises = random.chance(0.5 + 0.35 * idea.mood.valence);
	const contour = [0];
	let leapt = 0;
	while (contour.length < CONTOUR_NOTES) {
		const drift = rises === contour.length < CONTOUR_NOTES / 2 ? 1 : -1;
		const direction = leapt !== 0 ? -Math.sign(leapt) : random.chance(0.68) ? drift : -drift;
		const size = leapt !== 0 ? 1 : random.pick([0, 1, 1, 1, 1, 1, 2, 2, 3, 4]);
		leapt = size > 2 ? direction * size : 0;
		contour.push(clamp((contour.at(-1) ?? 0) + direction * size, -5, 6));
	}
	return {
		rhythms: [rhythm(0), rhythm(-0.12), cadenceRhythm(random, plan.stepsPerBar, plan.stepsPerBeat, density)],
		contour,
	};
}

/** The bridge answers the verse: its line upside down, its rhythm changed. */
const answered = (motif: Motif, bridge: Motif): Motif => ({
	rhythms: [motif.rhythms[1], bridge.rhythms[0], bridge.rhythms[2]],
	contour: motif.contour.map((degree) => -degree),
});

/** Phrases of four bars: the motif, its sequence, the motif again, a cadence. Repeats are varied, never copied. */
export function writeMelody(
	idea: Idea,
	plan: Plan,
	lyrics: readonly LyricLine[],
	random: Random,
): readonly PlacedNote[] {
	const density = clamp(idea.style.leadDensity * (0.65 + 0.75 * idea.mood.energy), 0.05, 0.95);
	const verse = inventMotif(idea, plan, random.fork("verse"), density);
	const bridge = answered(verse, inventMotif(idea, plan, random.fork("bridge"), clamp(density + 0.1, 0, 1)));
	const singer = createSinger(lyrics, plan);
	const notes: MelodyNote[] = [];
	let degree = triadDegrees(plan.finalChord)[random.pick([0, 1, 2])] ?? 0;
	let previous: number | null = null;
	// A section that returns begins where it began: that is how it is known again.
	const openings = new Map<SectionName, number>();
	for (const bar of plan.bars) {
		if (!bar.roles.has("lead")) continue;
		const home = bar.section === "B" ? "B" : "A";
		if (bar.barInSection === 0) degree = openings.get(home) ?? degree;
		if (bar.barInSection === 0) openings.set(home, degree);
		const motif = bar.section === "B" ? bridge : verse;
		const rhythm = singer(bar) ?? barRhythm(motif, bar, random.fork(`bar ${bar.index}`));
		const climb = bar.section === "B" ? 2 : bar.section === "A" && bar.repeat > 1 ? 1 : 0;
		const anchor = pullToCentre(degree, climb);
		for (const [index, onset] of rhythm.entries()) {
			const isStrong = onset.step % plan.stepsPerBeat === 0 || onset.lengthSteps >= plan.stepsPerBeat;
			const isEnd = index === rhythm.length - 1 && isPhraseEnd(bar);
			const wanted = clamp(
				anchor + (motif.contour[index % CONTOUR_NOTES] ?? 0),
				climb - RANGE_DEGREES,
				climb + RANGE_DEGREES,
			);
			// The next step snaps to a chord note, a root may be three degrees off: together never more than an octave.
			const reach = isEnd ? 4 : 5;
			const inRange = previous === null ? wanted : clamp(wanted, previous - reach, previous + reach);
			degree = isEnd
				? nearestDegree([bar.chord.root], inRange)
				: isStrong
					? nearestDegree(triadDegrees(bar.chord), inRange)
					: inRange;
			previous = degree;
			notes.push({
				step: bar.index * plan.stepsPerBar + onset.step,
				lengthSteps: onset.lengthSteps,
				degree,
				chord: bar.chord,
				accent: (onset.step === 0 ? 0.12 : isStrong ? 0.05 : -0.06) + 0.18 * (bar.intensity - 0.6),
				...(onset.vowel !== undefined && { vowel: onset.vowel }),
			});
		}
	}
	return decorate(idea, plan, notes, random.fork("decoration"));
}

/** What a melody may rest on, also where the accompaniment leaves the third out. */
const triadDegrees = (chord: Chord): readonly number[] => chordDegrees({ ...chord, shape: "triad" });

const pullToCentre = (degree: number, climb: number): number => Math.round(climb + (degree - climb) * 0.6);

const isPhraseEnd = (bar: Bar): boolean => bar.barInSection % 4 === 3 || bar.barInSection === bar.barsInSection - 1;

/** The degree of a chord, in any octave, that is nearest to where the line wants to go. */
function nearestDegree(degrees: readonly number[], near: number): number {
	const distances = degrees.map((degree) => {
		const above = modulo(degree - near, SCALE_LENGTH);
		return above > SCALE_LENGTH / 2 ? above - SCALE_LENGTH : above;
	});
	return near + distances.reduce((best, distance) => (Math.abs(distance) < Math.abs(best) ? distance : best), 7);
}

/** Bars of a phrase: opening, answer, opening varied, cadence. */
function barRhythm(motif: Motif, bar: Bar, random: Random): readonly SungOnset[] {
	const [opening, answer, cadence] = motif.rhythms;
	if (isPhraseEnd(bar)) return cadence;
	const rhythm = bar.barInSection % 4 === 1 ? answer : opening;
	const isVaried = bar.repeat > 0 || bar.barInSection % 4 === 2;
	return isVaried ? rhythm.flatMap((onset) => varied(onset, random)) : rhythm;
}

/** A long note may be said twice. */
function varied(onset: Onset, random: Random): readonly Onset[] {
	if (onset.lengthSteps < 4 || !random.chance(0.35)) return [onset];
	const half = onset.lengthSteps / 2;
	return Number.isInteger(half)
		? [
				{ step: onset.step, lengthSteps: half },
				{ step: onset.step + half, lengthSteps: half },
			]
		: [onset];
}

interface SungOnset extends Onset {
	readonly vowel?: LyricLine[number];
}

const BARS_PER_LINE = 2;

/** Hands out the lines of the lyrics, two bars each, from the beginning again when they are used up. */
function createSinger(lyrics: readonly LyricLine[], plan: Plan): (bar: Bar) => readonly SungOnset[] | null {
	let lineIndex = 0;
	let waiting: readonly SungOnset[] = [];
	return (bar) => {
		if (lyrics.length === 0) return null;
		if (bar.barInSection % BARS_PER_LINE === 0) {
			const bars = Math.min(BARS_PER_LINE, bar.barsInSection - bar.barInSection);
			const line = lyrics[lineIndex % lyrics.length] ?? [];
			lineIndex++;
			waiting = rhythmOfSyllables(line.length, bars * plan.stepsPerBar).map((onset, index) => ({
				...onset,
				vowel: line[index] ?? "u",
			}));
		}
		const here = waiting.filter(({ step }) => step < plan.stepsPerBar);
		waiting = waiting
			.filter(({ step }) => step >= plan.stepsPerBar)
			.map((onset) => ({ ...onset, step: onset.step - plan.stepsPerBar }));
		return here;
	};
}

/** From degrees to pitches: leading notes over dominants, chromatic passing notes in jazz, and the last chord's note. */
function decorate(idea: Idea, plan: Plan, notes: readonly MelodyNote[], random: Random): readonly PlacedNote[] {
	const tonicPitch = nearestPitch(idea.key.tonic, centreOf(idea.lead));
	const pitchOf = (note: MelodyNote): number => {
		const third = modulo(note.chord.root + 2, SCALE_LENGTH) === modulo(note.degree, SCALE_LENGTH);
		const raised = third && note.chord.raisedThird ? raiseToMajorThird(idea.key, note.chord) : 0;
		return tonicPitch + semitonesOf(idea.key.scale, note.degree) + raised;
	};
	const placed = notes.flatMap((note, index): readonly PlacedNote[] => {
		const pitch = pitchOf(note);
		const velocity = clamp(0.68 + note.accent + random.between(-0.05, 0.05), 0.2, 1);
		const plain: PlacedNote = {
			step: note.step,
			lengthSteps: note.lengthSteps,
			pitch,
			velocity,
			...(!isInScale(idea.key, pitch) && { passing: true as const }),
			...(note.vowel !== undefined && { vowel: note.vowel }),
		};
		const next = notes[index + 1];
		const between = next === undefined ? pitch : (pitch + pitchOf(next)) / 2;
		const mayPass =
			idea.styleName === "jazz" && Math.abs(between - pitch) === 1 && note.lengthSteps >= 4 && note.vowel === undefined;
		if (!mayPass || !random.chance(0.45)) return [plain];
		const half = note.lengthSteps / 2;
		const bridge: PlacedNote = { step: note.step + half, lengthSteps: half, pitch: between, velocity: velocity * 0.85 };
		return [{ ...plain, lengthSteps: half }, isInScale(idea.key, between) ? bridge : { ...bridge, passing: true }];
	});
	const lastDegree = nearestDegree([0], notes.at(-1)?.degree ?? 0);
	const last: PlacedNote = {
		step: plan.bars.length * plan.stepsPerBar,
		lengthSteps: Number.POSITIVE_INFINITY,
		pitch: tonicPitch + semitonesOf(idea.key.scale, lastDegree),
		velocity: 0.66,
	};
	return [...placed, notes.at(-1)?.vowel === undefined ? last : { ...last, vowel: "u" }];
}
