import { LRUCache } from "lru-cache";

/** Recent durations of one kind of task. */
export interface DurationSample {
	/** Ascending and smoothed. Never empty: guesses around the catalog's typical time fill up missing observations. */
	readonly sortedMs: readonly number[];
	/** The number of observed durations; the others are guesses. */
	readonly observations: number;
}

export type DurationStats = ReturnType<typeof createDurationStats>;

/** Enough for a smooth distribution, few enough to follow a service that gets slower. */
const DURATIONS_MAX = 120;
/** The most neighbors on each side in the moving average. */
const SMOOTHING_NEIGHBORS = 12;
/**
 * The guesses as factors of the typical time: ten evenly spaced quantiles of a log-normal distribution (σ = 1). They are wide
 * apart because the catalog's time may be wrong.
 */
const GUESSED_FACTORS = [0.19, 0.35, 0.51, 0.68, 0.88, 1.13, 1.47, 1.96, 2.82, 5.2];
const KINDS_MAX = 500;

/** Remembers how long recent tasks of each kind took, for this process only: losing it costs a few polls. */
export function createDurationStats() {
	/** By kind: the observed durations, and their sample once it is needed. */
	const kinds = new LRUCache<string, { readonly latestMs: readonly number[]; sample?: DurationSample }>({
		max: KINDS_MAX,
	});
	return {
		/** Returns the recent durations of a kind. `typicalMs` is the duration in the catalog. */
		recent(kind: string, typicalMs: number): DurationSample {
			const stats = kinds.get(kind) ?? { latestMs: [] };
			if (stats.latestMs.length === 0) kinds.set(kind, stats);
			stats.sample ??= sampleOf(stats.latestMs, typicalMs);
			return stats.sample;
		},
		record(kind: string, durationMs: number): void {
			kinds.set(kind, { latestMs: [...(kinds.get(kind)?.latestMs ?? []), durationMs].slice(-DURATIONS_MAX) });
		},
	};
}

/** Fills up missing observations with guesses, spread evenly over all guessed factors. */
function sampleOf(latestMs: readonly number[], typicalMs: number): DurationSample {
	const missingCount = Math.max(0, GUESSED_FACTORS.length - latestMs.length);
	const guessedMs = Array.from({ length: missingCount }, (_, n) => {
		const factorIndex = Math.floor(((n + 0.5) * GUESSED_FACTORS.length) / missingCount);
		return (GUESSED_FACTORS[factorIndex] ?? 1) * typicalMs;
	});
	return { sortedMs: smoothed([...guessedMs, ...latestMs].toSorted((a, b) => a - b)), observations: latestMs.length };
}

/** Returns the moving average of sorted durations, because with few observations the gaps between them are random. */
function smoothed(sortedMs: readonly number[]): readonly number[] {
	return sortedMs.map((_, index) => {
		const neighbors = Math.min(SMOOTHING_NEIGHBORS, index, sortedMs.length - 1 - index);
		const window = sortedMs.slice(index - neighbors, index + neighbors + 1);
		return window.reduce((sum, ms) => sum + ms, 0) / window.length;
	});
}
