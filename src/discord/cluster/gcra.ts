/** A rate per second that is never exceeded in any second: a tenth may come at once, the rest evenly spaced. */
export interface GcraRate {
	readonly intervalMs: number;
	/** The length of a burst, as time ahead of the even schedule. */
	readonly aheadMs: number;
}

export function gcraRate(perSecond: number): GcraRate {
	const atOnce = Math.max(1, Math.floor(perSecond / 10));
	// Below two per second there is no room for a burst.
	const intervalMs = 1000 / Math.max(perSecond - atOnce, perSecond / 2);
	return { intervalMs, aheadMs: (atOnce - 1) * intervalMs };
}

/** Takes the next slot of the generic cell rate algorithm. Returns the wait, and the state for the next call. */
export function takeGcraSlot(
	freeAtMs: number,
	nowMs: number,
	{ intervalMs, aheadMs }: GcraRate,
): { readonly waitMs: number; readonly freeAtMs: number } {
	return { waitMs: Math.max(0, freeAtMs - aheadMs - nowMs), freeAtMs: Math.max(freeAtMs, nowMs) + intervalMs };
}
