/** Scales as semitones above the tonic. All have seven tones, so that a chord is every other one of them. */
const SCALES = {
	major: [0, 2, 4, 5, 7, 9, 11],
	lydian: [0, 2, 4, 6, 7, 9, 11],
	mixolydian: [0, 2, 4, 5, 7, 9, 10],
	dorian: [0, 2, 3, 5, 7, 9, 10],
	minor: [0, 2, 3, 5, 7, 8, 10],
	phrygian: [0, 1, 3, 5, 7, 8, 10],
} as const satisfies Record<string, readonly number[]>;

export type ScaleName = keyof typeof SCALES;

export const SCALE_LENGTH = 7;

export interface Key {
	/** Pitch class of the tonic, 0 is C. */
	readonly tonic: number;
	readonly scale: ScaleName;
}

/** How many thirds are stacked on the root, or what replaces them. */
export type ChordShape = "power" | "suspended" | "triad" | "seventh" | "ninth";

export interface Chord {
	/** Degree of the scale, 0 is the tonic. */
	readonly root: number;
	readonly shape: ChordShape;
	/** The third is raised to a major one, which makes the fifth degree of a minor key lead home. */
	readonly raisedThird: boolean;
}

const SHAPE_DEGREES: Readonly<Record<ChordShape, readonly number[]>> = {
	power: [0, 4],
	suspended: [0, 1, 4],
	triad: [0, 2, 4],
	seventh: [0, 2, 4, 6],
	ninth: [0, 2, 4, 6, 8],
};

export const hasMajorThird = (scale: ScaleName): boolean => SCALES[scale][2] === 4;

export const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;

/** Semitones above the tonic of any degree, also below 0 and above 6. */
export function semitonesOf(scale: ScaleName, degree: number): number {
	const step = SCALES[scale][modulo(degree, SCALE_LENGTH)] ?? 0;
	return step + 12 * Math.floor(degree / SCALE_LENGTH);
}

export const isInScale = (key: Key, pitch: number): boolean =>
	SCALES[key.scale].some((semitones) => semitones === modulo(pitch - key.tonic, 12));

/** Degrees of the scale in the chord, between 0 and 6. */
export const chordDegrees = (chord: Chord): readonly number[] =>
	SHAPE_DEGREES[chord.shape].map((degree) => modulo(chord.root + degree, SCALE_LENGTH));

/** Pitch classes of the chord, root first. */
export function chordPitchClasses(key: Key, chord: Chord): readonly number[] {
	return SHAPE_DEGREES[chord.shape].map((above) => {
		const raised = chord.raisedThird && above === 2 ? raiseToMajorThird(key, chord) : 0;
		return modulo(key.tonic + semitonesOf(key.scale, chord.root + above) + raised, 12);
	});
}

/** Semitones by which the chord's own third falls short of a major third. */
export const raiseToMajorThird = (key: Key, chord: Chord): number =>
	4 - (semitonesOf(key.scale, chord.root + 2) - semitonesOf(key.scale, chord.root));

/** The pitch of this class that is nearest to another pitch. */
export function nearestPitch(pitchClass: number, near: number): number {
	const above = modulo(pitchClass - near, 12);
	return near + (above > 6 ? above - 12 : above);
}
