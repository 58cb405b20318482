import { DateTime } from "luxon";
import type { PERIODS } from "@atelier/dashboard/server-settings";

const DAY_MS = 24 * 60 * 60 * 1000;

export type Period = (typeof PERIODS)[number];

/** A day, an ISO week or a month in a time zone. */
export interface PeriodSpan {
	/** `2026-11-20`, `2026-W47`, `2026-11`. */
	readonly id: string;
	readonly startsAtMs: number;
	/** The start of the next period. */
	readonly endsAtMs: number;
}

const ID_FORMATS = { day: "yyyy-MM-dd", week: "kkkk-'W'WW", month: "yyyy-MM" } as const satisfies Record<
	Period,
	string
>;

export function periodAt(nowMs: number, period: Period, timeZone: string): PeriodSpan {
	const start = DateTime.fromMillis(nowMs, { zone: timeZone }).startOf(period);
	return {
		id: start.toFormat(ID_FORMATS[period]),
		startsAtMs: start.toMillis(),
		// The second `startOf`: where clocks change at midnight, a day begins at one o'clock.
		endsAtMs: start
			.plus({ [period]: 1 })
			.startOf(period)
			.toMillis(),
	};
}

/** Returns the last `count` days including today, oldest first. */
export function lastDays(nowMs: number, count: number, timeZone: string): readonly PeriodSpan[] {
	const today = DateTime.fromMillis(nowMs, { zone: timeZone }).startOf("day");
	return Array.from({ length: count }, (_, n) => {
		const start = today.minus({ days: count - 1 - n }).startOf("day");
		const endsAtMs = start.plus({ days: 1 }).startOf("day").toMillis();
		return { id: start.toFormat(ID_FORMATS.day), startsAtMs: start.toMillis(), endsAtMs };
	});
}

/** Returns the end of a day such as `2026-12-31`. */
export function endOfDay(day: string, timeZone: string): number {
	return DateTime.fromISO(day, { zone: timeZone }).startOf("day").plus({ days: 1 }).startOf("day").toMillis();
}

/** Returns the credits that will be spent by the end of the month at the present rate; `null` on the month's first day. */
export function forecastMonth(spentCredits: number, nowMs: number, timeZone: string): number | null {
	const { startsAtMs, endsAtMs } = periodAt(nowMs, "month", timeZone);
	const elapsedMs = nowMs - startsAtMs;
	if (elapsedMs < DAY_MS) return null;
	return Math.round((spentCredits * (endsAtMs - startsAtMs)) / elapsedMs);
}
