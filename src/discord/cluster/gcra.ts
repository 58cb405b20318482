/** So many in a second, evenly, and never more than that in any second: a tenth of them at once, the others one by one. */
export interface GcraRate {
	readonly intervalMs: number;
	/** How far ahead of their time some may go. */
	readonly aheadMs: number;
}

export function gcraRate(perSecond: number): GcraRate {
	const atOnce = Math.max(1, Math.floor(perSecond / 10));
	// Below two a second there is nothing to divide.
	const intervalMs = 1000 / Math.max(perSecond - atOnce, perSecond / 2);
	return { intervalMs, aheadMs: (atOnce - 1) * intervalMs };
}

/** The next one's turn (the generic cell rate algorithm): how long it waits, and what the one after it is told. */
export function takeGcraSlot(
	freeAtMs: number,
	nowMs: number,
	{ intervalMs, aheadMs }: GcraRate,
): { readonly waitMs: number; readonly freeAtMs: number } {
	return { waitMs: Math.max(0, freeAtMs - aheadMs - nowMs), freeAtMs: Math.max(freeAtMs, nowMs) + intervalMs };
}
