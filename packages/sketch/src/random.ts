import alea from "alea";

/** A repeatable stream of random numbers. */
export interface Random {
	/** 0 <= x < 1. */
	next(): number;
	between(min: number, max: number): number;
	/** Both ends are included. */
	integer(min: number, max: number): number;
	chance(probability: number): boolean;
	pick<T>(choices: readonly T[]): T;
	/** Returns an independent stream: a part with its own stream can change without an effect on other parts. */
	fork(name: string): Random;
}

export function createRandom(seed: string): Random {
	const next = alea(seed);
	return {
		next,
		between: (min, max) => min + (max - min) * next(),
		integer: (min, max) => min + Math.floor((max - min + 1) * next()),
		chance: (probability) => next() < probability,
		pick(choices) {
			const choice = choices[Math.floor(next() * choices.length)];
			if (choice === undefined) throw new RangeError("nothing to pick from");
			return choice;
		},
		fork: (name) => createRandom(`${seed}/${name}`),
	};
}
