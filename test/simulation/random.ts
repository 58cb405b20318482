/** Pseudorandom numbers, equal for equal seeds. */
export interface Random {
	/** From 0 to below 1. */
	next(): number;
	/** From `min` to `max`, both included. */
	between(min: number, max: number): number;
	chance(probability: number): boolean;
	pick<T>(choices: readonly T[]): T;
}

/** Creates a generator by the algorithm mulberry32, which is short and good enough for simulations. */
export function createRandom(seed: number): Random {
	let state = seed >>> 0;

	function next(): number {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	return {
		next,
		between: (min, max) => min + Math.floor(next() * (max - min + 1)),
		chance: (probability) => next() < probability,
		pick(choices) {
			const picked = choices[Math.floor(next() * choices.length)];
			if (picked === undefined) throw new Error("nothing to pick from");
			return picked;
		},
	};
}

/** Draws a rate up to each maximum; a rate is zero with probability `zeroProbability`, so that runs with few faults occur too. */
export function drawRates<Name extends string>(
	random: Random,
	zeroProbability: number,
	maxima: Readonly<Record<Name, number>>,
): Record<Name, number> {
	const entries = Object.entries<number>(maxima);
	const rates = entries.map(([name, max]) => [name, random.chance(zeroProbability) ? 0 : random.next() * max]);
	return Object.fromEntries(rates) as Record<Name, number>;
}
