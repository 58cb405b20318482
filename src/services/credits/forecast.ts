import { periodAt } from "./period.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the credits that will be spent by the end of the month at the present rate; `null` on the month's first day. No I/O. */
export function forecastMonth(spentCredits: number, nowMs: number, timeZone: string): number | null {
	const { startsAtMs, endsAtMs } = periodAt(nowMs, "month", timeZone);
	const elapsedMs = nowMs - startsAtMs;
	if (elapsedMs < DAY_MS) return null;
	return Math.round((spentCredits * (endsAtMs - startsAtMs)) / elapsedMs);
}
