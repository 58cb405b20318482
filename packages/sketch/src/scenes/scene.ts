import type { Layer } from "../stage.ts";
import type { SubjectName } from "../words.ts";

/** Where a subject stands: its foot in the middle, its height, and how near it is. */
export interface Place {
	readonly x: number;
	readonly y: number;
	readonly size: number;
	readonly depth: number;
	/** It rocks with the water, and is mirrored in it. */
	readonly floats?: boolean;
	/** It hangs in the air or flies, with this tilt in radians. */
	readonly tilt?: number;
}

export interface Scene {
	readonly layers: readonly Layer[];
	/** In front of the subjects. */
	readonly front: readonly Layer[];
	place(subject: SubjectName, nth: number): Place;
}
