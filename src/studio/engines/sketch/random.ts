import { createHash } from "node:crypto";

/** A repeatable stream of numbers: the same seed words give the same picture on every machine. */
export interface Random {
	/** 0 <= x < 1. */
	next(): number;
	/** min <= x < max. */
	between(min: number, max: number): number;
	/** min <= x <= max, whole. */
	integer(min: number, max: number): number;
	chance(probability: number): boolean;
	pick<T>(choices: readonly [T, ...T[]]): T;
	/** An independent stream for one part, so that a change in one layer leaves the others as they were. */
	fork(name: string): Random;
}

export function createRandom(...seedWords: readonly (string | number)[]): Random {
	const seed = seedWords.join("\u0000");
	const digest = createHash("sha256").update(seed).digest();
	let a = digest.readUInt32LE(0);
	let b = digest.readUInt32LE(4);
	let c = digest.readUInt32LE(8);
	let d = 1;

	// sfc32 (Chris Doty-Humphrey, PractRand): small, fast, passes the statistical batteries.
	function next(): number {
		const sum = (((a + b) | 0) + d) | 0;
		d = (d + 1) | 0;
		a = b ^ (b >>> 9);
		b = (c + (c << 3)) | 0;
		c = ((c << 21) | (c >>> 11)) + sum;
		c |= 0;
		return (sum >>> 0) / 2 ** 32;
	}
	for (let round = 0; round < 12; round++) next();

	return {
		next,
		between: (min, max) => min + (max - min) * next(),
		integer: (min, max) => min + Math.floor((max - min + 1) * next()),
		chance: (probability) => next() < probability,
		pick: (choices) => choices[Math.floor(choices.length * next())] ?? choices[0],
		fork: (name) => createRandom(seed, name),
	};
}
