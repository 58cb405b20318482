/** Compares spending with that of an earlier time. Pure. */

export interface Difference {
	readonly kind: "more" | "less" | "same" | "first";
	/** The difference as a share of the earlier value. */
	readonly share: number;
}

export function differenceOf(now: number, before: number): Difference {
	if (now === before) return { kind: "same", share: 0 };
	if (before === 0) return { kind: "first", share: 0 };
	const share = Math.abs(now - before) / before;
	// Shown as 0%.
	if (Math.round(100 * share) === 0) return { kind: "same", share: 0 };
	return { kind: now > before ? "more" : "less", share };
}
