/** Puts spending in words: forecasts, and differences to an earlier time. Pure. */
import type { MessageDescriptor } from "./language.ts";

interface Month {
	readonly spentCredits: number;
	readonly forecastCredits: number | null;
}

/** `monthlyCredits`: 0 without monthly credits; the forecast is then compared with nothing. */
export function forecastMessage({ forecastCredits }: Month, monthlyCredits: number): MessageDescriptor {
	if (forecastCredits === null) return { key: "dashboard.forecastNone", params: undefined };
	const overCredits = forecastCredits - monthlyCredits;
	return monthlyCredits > 0 && overCredits > 0
		? { key: "dashboard.forecastOver", params: { credits: forecastCredits, monthlyCredits } }
		: { key: "dashboard.forecast", params: { credits: forecastCredits } };
}

export interface Difference {
	readonly kind: "more" | "less" | "same" | "first";
	/** The difference as a share of the earlier value. */
	readonly share: number;
}

export function differenceOf(now: number, before: number): Difference {
	if (now === before) return { kind: "same", share: 0 };
	if (before === 0) return { kind: "first", share: 0 };
	return { kind: now > before ? "more" : "less", share: Math.abs(now - before) / before };
}
