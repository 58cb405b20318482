import * as fc from "fast-check";

export interface FuzzOptions {
	readonly runs: number;
	readonly seed: number;
}

export interface FuzzReport {
	/** The number of runs with each outcome. */
	readonly outcomes: Readonly<Record<string, number>>;
}

/** Returns the expected outcomes that did not occur. */
export type FindMissingOutcomes = (outcomes: FuzzReport["outcomes"]) => readonly string[];

/**
 * Generates `runs` values and calls `outcomeOf` with each, which names the outcome and throws if it violates a rule. Throws with the
 * smallest value that violates one, and the seed that generates it again.
 */
export async function fuzz<T>(
	{ runs, seed }: FuzzOptions,
	values: fc.Arbitrary<T>,
	outcomeOf: (value: T) => Promise<string>,
): Promise<FuzzReport> {
	const outcomes: Record<string, number> = {};
	const property = fc.asyncProperty(values, async (value) => {
		const outcome = await outcomeOf(value);
		outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
	});
	await fc.assert(property, { numRuns: runs, seed, endOnFailure: false });
	return { outcomes };
}
