/** What one look is worth, so that all of them together stay within what the service is asked at most. */
export interface LookBudget {
	readonly kappaMs: number;
	/** Bounds on the waiting for one task give way to this: so they never take more than half of the budget. */
	readonly shareMs: number;
}

/** What one open task asks for: a look every √κ / `rootMs`, and at least one every `patienceMs`. */
export interface Demand {
	/** √(hazard / 2), in 1 / √ms. */
	readonly rootMs: number;
	readonly patienceMs: number;
}

/** A few hundred tasks tell how dear looks are, however many there are. */
export const BUDGET_SAMPLE = 256;
const HALVINGS = 30;
const KAPPA_MS_MAX = 1e9;

/**
 * The κ with which all open tasks ask for as many looks as there are, told from a sample of them. Without the bounds it is
 * (Σ √(hazard / 2) / budget)². Never below `kappaMsMin`: what is not needed is not spent.
 */
export function lookBudget(
	sample: readonly Demand[],
	tasks: number,
	looksPerSecond: number,
	kappaMsMin: number,
): LookBudget {
	const shareMs = (2000 * tasks) / looksPerSecond;
	const looksPerMs = (kappaMs: number): number => {
		const root = Math.sqrt(kappaMs);
		const each = sample.map(({ rootMs, patienceMs }) => Math.max(rootMs / root, 1 / Math.max(patienceMs, shareMs)));
		return (each.reduce((sum, rate) => sum + rate, 0) * tasks) / Math.max(1, sample.length);
	};
	const budget = looksPerSecond / 1000;
	if (looksPerMs(kappaMsMin) <= budget) return { kappaMs: kappaMsMin, shareMs };
	let [low, high] = [kappaMsMin, KAPPA_MS_MAX];
	for (let n = 0; n < HALVINGS; n++) {
		const middle = Math.sqrt(low * high);
		if (looksPerMs(middle) > budget) low = middle;
		else high = middle;
	}
	return { kappaMs: high, shareMs };
}
