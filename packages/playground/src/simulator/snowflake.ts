import type { Clock } from "@atelier/common/clock";

const DISCORD_EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;
/** Discord's ids name who made them; those that are not counted from the clock are another one's, and never the same. */
const OTHER_WORKER = 1n << 17n;

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

/** The `nth` of the ids of so many milliseconds before this one: always the same, and none that the clock gives. */
export function earlier(id: string, byMs: number, nth = 0): string {
	return ((((BigInt(id) >> TIME_SHIFT) - BigInt(byMs)) << TIME_SHIFT) | OTHER_WORKER | BigInt(nth)).toString();
}

/** By how many milliseconds an id of `earlier` is before `of`; undefined for ids of the clock. */
export function earlierByMs(id: string, of: string): number | undefined {
	if (!/^\d{1,20}$/.test(id) || (BigInt(id) & OTHER_WORKER) === 0n) return undefined;
	return Number((BigInt(of) >> TIME_SHIFT) - (BigInt(id) >> TIME_SHIFT));
}

/** Which of so many shards a guild belongs to. */
export function shardOf(guildId: string, shardCount: number): number {
	return Number((BigInt(guildId) >> TIME_SHIFT) % BigInt(shardCount));
}

/** Order of age; ids of different length cannot be compared as text. */
export function compareSnowflakes(a: string, b: string): number {
	if (a.length !== b.length) return a.length - b.length;
	return a < b ? -1 : Number(a > b);
}
