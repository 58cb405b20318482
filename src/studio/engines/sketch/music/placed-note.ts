import type { Vowel } from "./instruments/instrument.ts";

/** A note on the grid of steps, before a player's hands make it late or early. */
export interface PlacedNote {
	/** Steps from the beginning of the piece. */
	readonly step: number;
	readonly lengthSteps: number;
	readonly pitch: number;
	readonly velocity: number;
	/** Not of the scale, on purpose: it leads to its neighbour. */
	readonly passing?: true;
	readonly vowel?: Vowel;
	/** Strings of a strummed chord follow one another. */
	readonly delaySeconds?: number;
}
