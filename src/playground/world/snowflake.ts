import type { Clock } from "../../clock.ts";

const DISCORD_EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;

export interface Snowflakes {
	/** A new id of Discord's kind, greater than every id before it. */
	readonly next: () => string;
}

/** Ids grow even while the clock stands still, and go on above `highest` after a restart within the same millisecond. */
export function createSnowflakes(clock: Clock, highest: string | undefined): Snowflakes {
	let last = BigInt(highest ?? "0");
	return {
		next() {
			const fromClock = BigInt(Math.floor(clock.nowMs()) - DISCORD_EPOCH_MS) << TIME_SHIFT;
			last = fromClock > last ? fromClock : last + 1n;
			return last.toString();
		},
	};
}

/** Order of age; ids of different length cannot be compared as text. */
export function compareSnowflakes(a: string, b: string): number {
	if (a.length !== b.length) return a.length - b.length;
	return a < b ? -1 : Number(a > b);
}
