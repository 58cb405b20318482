import type { Random } from "../random.ts";
import type { Style } from "./styles.ts";
import { type Chord, type Key, type ScaleName, chordPitchClasses, modulo } from "./theory.ts";

/** The chords of each part of the form, one a bar. */
export interface Progressions {
	readonly verse: readonly Chord[];
	readonly bridge: readonly Chord[];
	/** The bars before the last chord. */
	readonly cadence: readonly Chord[];
	readonly tonic: Chord;
}

/** Degrees counted from one, as musicians do. */
type Degrees = readonly [number, number, number, number];

interface Repertoire {
	readonly verse: readonly [Degrees, ...Degrees[]];
	readonly bridge: readonly [Degrees, ...Degrees[]];
	readonly cadence: readonly [number, number];
}

const REPERTOIRE: Readonly<Record<ScaleName, Repertoire>> = {
	major: {
		verse: [
			[1, 5, 6, 4],
			[1, 6, 4, 5],
			[1, 4, 1, 5],
			[1, 3, 4, 5],
			[1, 4, 6, 5],
			[1, 6, 2, 5],
		],
		bridge: [
			[6, 4, 1, 5],
			[4, 5, 3, 6],
			[4, 1, 2, 5],
			[2, 5, 1, 6],
			[6, 3, 4, 5],
		],
		cadence: [4, 5],
	},
	lydian: {
		verse: [
			[1, 2, 1, 5],
			[1, 2, 6, 5],
			[1, 5, 2, 6],
		],
		bridge: [
			[6, 2, 3, 5],
			[3, 6, 2, 5],
		],
		cadence: [2, 5],
	},
	mixolydian: {
		verse: [
			[1, 7, 4, 1],
			[1, 4, 7, 4],
			[1, 5, 7, 4],
		],
		bridge: [
			[4, 1, 7, 4],
			[6, 4, 1, 7],
		],
		cadence: [4, 7],
	},
	dorian: {
		verse: [
			[1, 4, 1, 7],
			[1, 3, 4, 1],
			[1, 7, 4, 1],
			[1, 4, 7, 4],
		],
		bridge: [
			[3, 7, 4, 1],
			[4, 1, 7, 4],
		],
		cadence: [4, 7],
	},
	minor: {
		verse: [
			[1, 6, 3, 7],
			[1, 7, 6, 5],
			[1, 4, 6, 5],
			[1, 6, 4, 5],
			[1, 3, 7, 6],
		],
		bridge: [
			[6, 7, 1, 5],
			[4, 1, 6, 5],
			[3, 7, 6, 5],
			[6, 3, 7, 5],
		],
		cadence: [4, 5],
	},
	phrygian: {
		verse: [
			[1, 2, 1, 7],
			[1, 2, 3, 2],
			[1, 6, 2, 1],
		],
		bridge: [
			[6, 2, 3, 2],
			[4, 3, 2, 1],
		],
		cadence: [7, 2],
	},
};

/** Jazz and its kin move in fifths. */
const CIRCLES: Partial<Record<ScaleName, Repertoire>> = {
	major: {
		verse: [
			[1, 6, 2, 5],
			[2, 5, 1, 6],
			[3, 6, 2, 5],
		],
		bridge: [
			[4, 7, 3, 6],
			[6, 2, 5, 1],
			[4, 3, 2, 5],
		],
		cadence: [2, 5],
	},
	minor: {
		verse: [
			[1, 4, 7, 3],
			[1, 6, 2, 5],
			[1, 6, 4, 5],
		],
		bridge: [
			[4, 7, 3, 6],
			[6, 3, 4, 5],
			[3, 6, 2, 5],
		],
		cadence: [2, 5],
	},
};

export function chooseProgressions(scale: ScaleName, style: Style, random: Random): Progressions {
	const isRich = style.chordShape === "ninth" && style.drums !== null;
	const repertoire = (isRich ? CIRCLES[scale] : undefined) ?? REPERTOIRE[scale];
	const chordOf = (degree: number): Chord => {
		const root = degree - 1;
		const raisedThird = scale === "minor" && root === 4 && style.chordShape !== "power";
		// A diminished triad has no place to rest; without its fifth and with a seventh it leads on.
		const shape = style.chordShape === "ninth" && root !== 0 && root !== 3 ? "seventh" : style.chordShape;
		return { root, raisedThird, shape: raisedThird && shape === "triad" ? "seventh" : shape };
	};
	return {
		verse: random.pick(repertoire.verse).map(chordOf),
		bridge: random.pick(repertoire.bridge).map(chordOf),
		cadence: repertoire.cadence.map(chordOf),
		tonic: chordOf(1),
	};
}

/** Chord notes in a middle register, each chord as near to the one before as its notes allow. */
export function voiceChords(key: Key, chords: readonly Chord[], centrePitch: number): readonly (readonly number[])[] {
	const voicings: (readonly number[])[] = [];
	let previous: readonly number[] = [centrePitch - 5, centrePitch, centrePitch + 4, centrePitch + 7];
	for (const chord of chords) {
		const [best = previous] = candidateVoicings(chordPitchClasses(key, chord), centrePitch).toSorted(
			(one, other) => cost(one, previous, centrePitch) - cost(other, previous, centrePitch),
		);
		voicings.push(best);
		previous = best;
	}
	return voicings;
}

const VOICES = 4;

/** All ways to stack the chord upwards from each of its notes; the bass has the root of big chords already. */
function candidateVoicings(pitchClasses: readonly number[], centrePitch: number): readonly (readonly number[])[] {
	const upper = pitchClasses.length > VOICES ? pitchClasses.slice(1) : pitchClasses;
	return [-14, -9, -5, -2].flatMap((below) =>
		upper.map((_, inversion) => {
			const stack: number[] = [];
			let floor = centrePitch + below;
			for (let voice = 0; voice < VOICES; voice++) {
				const pitchClass = upper[(inversion + voice) % upper.length] ?? 0;
				const pitch = floor + modulo(pitchClass - floor, 12);
				stack.push(pitch);
				floor = pitch + 1;
			}
			return stack;
		}),
	);
}

function cost(voicing: readonly number[], previous: readonly number[], centrePitch: number): number {
	const movement = voicing.reduce((sum, pitch, voice) => sum + Math.abs(pitch - (previous[voice] ?? pitch)), 0);
	const middle = voicing.reduce((sum, pitch) => sum + pitch, 0) / voicing.length;
	const clusters = voicing.filter((pitch, voice) => voice > 0 && pitch - (voicing[voice - 1] ?? 0) < 2).length;
	return movement + 0.6 * Math.abs(middle - centrePitch) + 3 * clusters;
}
