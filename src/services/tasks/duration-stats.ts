import { LRUCache } from "lru-cache";

/** Recent durations of one kind of task. */
export interface Durations {
	/** Ascending, in ms, smoothed. Never empty: guesses around the catalog's typical time stand in for missing observations. */
	readonly sortedMs: readonly number[];
	readonly observed: number;
}

/** Remembers how long recent tasks of each kind took, for this process only: losing it costs a few polls. */
export interface DurationStats {
	recent(kind: string, typicalMs: number): Durations;
	record(kind: string, durationMs: number): void;
}

/** Enough for a smooth distribution, few enough to follow a service that gets slower. */
const DURATIONS_MAX = 120;
const SMOOTHING_REACH = 12;
/** Quantiles of a log-normal distribution (σ 1), as factors of the typical time: the catalog may be far off. */
const GUESSED_FACTORS = [0.19, 0.35, 0.51, 0.68, 0.88, 1.13, 1.47, 1.96, 2.82, 5.2];
const KINDS_MAX = 500;

export function createDurationStats(): DurationStats {
	const kinds = new LRUCache<string, { readonly latestMs: readonly number[]; durations?: Durations }>({
		max: KINDS_MAX,
	});
	return {
		recent(kind, typicalMs) {
			const stats = kinds.get(kind) ?? { latestMs: [] };
			if (stats.latestMs.length === 0) kinds.set(kind, stats);
			return (stats.durations ??= withGuesses(stats.latestMs, typicalMs));
		},
		record(kind, durationMs) {
			kinds.set(kind, { latestMs: [...(kinds.get(kind)?.latestMs ?? []), durationMs].slice(-DURATIONS_MAX) });
		},
	};
}

function withGuesses(latestMs: readonly number[], typicalMs: number): Durations {
	const missing = Math.max(0, GUESSED_FACTORS.length - latestMs.length);
	const guessedMs = Array.from({ length: missing }, (_, n) => {
		const spread = Math.floor(((n + 0.5) * GUESSED_FACTORS.length) / missing);
		return (GUESSED_FACTORS[spread] ?? 1) * typicalMs;
	});
	return { sortedMs: smoothed([...guessedMs, ...latestMs].toSorted((a, b) => a - b)), observed: latestMs.length };
}

/** Moving average over sorted durations: gaps between few observations are chance. */
function smoothed(sortedMs: readonly number[]): readonly number[] {
	return sortedMs.map((_, index) => {
		const reach = Math.min(SMOOTHING_REACH, index, sortedMs.length - 1 - index);
		const window = sortedMs.slice(index - reach, index + reach + 1);
		return window.reduce((sum, ms) => sum + ms, 0) / window.length;
	});
}
