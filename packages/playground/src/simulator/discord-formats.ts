/** Discord's formats for single values: snowflakes, times, bit fields, and JSON with ids. */
import type { Clock } from "@atelier/common/clock";

const DISCORD_EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;
/** Derived ids have another worker number, so that they never equal generated ones. */
const OTHER_WORKER = 1n << 17n;

export interface Snowflakes {
	/** Returns a new id, greater than all earlier ones. */
	readonly next: () => string;
}

/**
 * Ids increase even while the clock stands still, and continue above `highest` after a restart within the same
 * millisecond.
 */
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

/** Returns the `nth` derived id of a time before this id: deterministic, and different from generated ids. */
export function earlierSnowflake(id: string, byMs: number, nth = 0): string {
	return ((((BigInt(id) >> TIME_SHIFT) - BigInt(byMs)) << TIME_SHIFT) | OTHER_WORKER | BigInt(nth)).toString();
}

/** Returns the shard of a guild. */
export function shardOf(guildId: string, shardCount: number): number {
	return Number((BigInt(guildId) >> TIME_SHIFT) % BigInt(shardCount));
}

/** Compares by age; ids of different length cannot be compared as text. */
export function compareSnowflakes(a: string, b: string): number {
	if (a.length !== b.length) return a.length - b.length;
	return a < b ? -1 : Number(a > b);
}

/** Formats times as Discord does: UTC with an offset instead of Z. */
export function discordTime(atMs: number): string {
	return new Date(atMs).toISOString().replace("Z", "000+00:00");
}

/** Casts a bit field to the enum of the types, which have single flags but no combinations. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it is inferred from the target of the assignment
export function flagsOf<Flags extends number>(bits: number): Flags {
	return bits as Flags;
}

/** A number of 16 digits or more outside of a string, or text in a string that looks like one. */
const LONG_NUMBER = /(?:^|[\s:,[-])\d{16}/;

/** Parses JSON, and keeps integers beyond a double's precision as strings, because ids need all of their digits. */
export function parseJson(text: string): unknown {
	// A reviver takes several times as long as the parser itself.
	return LONG_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
	const isCut = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? "");
	return isCut ? source : value;
}
