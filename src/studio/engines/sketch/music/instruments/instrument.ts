import type { Random } from "../../random.ts";

/** One note as an instrument sees it: when it sounds is the mixer's business. */
export interface Tone {
	/** MIDI number, 60 is middle C. */
	readonly pitch: number;
	readonly durationSeconds: number;
	/** 0 < velocity <= 1. */
	readonly velocity: number;
	/** What a voice shapes its mouth for; other instruments do not care. */
	readonly vowel?: Vowel;
}

export const VOWELS = ["a", "e", "i", "o", "u"] as const;
export type Vowel = (typeof VOWELS)[number];

/** The sound of one tone, mono, from silence to silence, so that notes may start anywhere without a click. */
export type Instrument = (tone: Tone, random: Random) => Float32Array;
