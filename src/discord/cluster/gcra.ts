/** The rate of the generic cell rate algorithm (GCRA): evenly spaced requests, with short bursts. */
export interface GcraRate {
	/** The time between two requests of the even schedule. */
	readonly intervalMs: number;
	/** Requests may be ahead of the even schedule by at most this time. */
	readonly burstMs: number;
}

/** Returns a rate of at most `perSecond` requests in any second. A burst has at most a tenth of them, or one request. */
export function gcraRate(perSecond: number): GcraRate {
	const burstRequests = Math.max(1, Math.floor(perSecond / 10));
	// At rates below two per second the first operand is too small: 0 or negative up to one per second.
	const intervalMs = 1000 / Math.max(perSecond - burstRequests, perSecond / 2);
	return { intervalMs, burstMs: (burstRequests - 1) * intervalMs };
}

/**
 * Takes the next slot. `nextSlotAtMs`, the time of the next slot on the even schedule, is the only state: pass the returned value
 * to the next call.
 */
export function takeGcraSlot(
	nextSlotAtMs: number,
	nowMs: number,
	{ intervalMs, burstMs }: GcraRate,
): { readonly waitMs: number; readonly nextSlotAtMs: number } {
	return {
		waitMs: Math.max(0, nextSlotAtMs - burstMs - nowMs),
		nextSlotAtMs: Math.max(nextSlotAtMs, nowMs) + intervalMs,
	};
}
