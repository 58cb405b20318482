import { DateTime } from "luxon";
import type { Period } from "../../i18n/params.ts";

/** A day, an ISO week or a month as a clock on the wall of that time zone shows it. */
export interface PeriodSpan {
	/** `2026-11-20`, `2026-W47`, `2026-11`. */
	readonly id: string;
	readonly startsAtMs: number;
	/** When the next one begins. */
	readonly endsAtMs: number;
}

const ID_FORMATS = { day: "yyyy-MM-dd", week: "kkkk-'W'WW", month: "yyyy-MM" } as const satisfies Record<
	Period,
	string
>;

export function periodAt(nowMs: number, period: Period, timeZone: string): PeriodSpan {
	const start = DateTime.fromMillis(nowMs, { zone: timeZone }).startOf(period);
	// Where clocks change at midnight a day begins at one o'clock: adding a day alone would miss that.
	return {
		id: start.toFormat(ID_FORMATS[period]),
		startsAtMs: start.toMillis(),
		endsAtMs: start
			.plus({ [period]: 1 })
			.startOf(period)
			.toMillis(),
	};
}

export function isTimeZone(name: string): boolean {
	return DateTime.local({ zone: name }).isValid;
}

/** The last `count` days, today among them, oldest first. */
export function lastDays(nowMs: number, count: number, timeZone: string): readonly PeriodSpan[] {
	const today = DateTime.fromMillis(nowMs, { zone: timeZone }).startOf("day");
	return Array.from({ length: count }, (_, n) => {
		const start = today.minus({ days: count - 1 - n }).startOf("day");
		const endsAtMs = start.plus({ days: 1 }).startOf("day").toMillis();
		return { id: start.toFormat(ID_FORMATS.day), startsAtMs: start.toMillis(), endsAtMs };
	});
}

/** When a day such as `2026-12-31` is over. */
export function endOfDay(day: string, timeZone: string): number {
	return DateTime.fromISO(day, { zone: timeZone }).startOf("day").plus({ days: 1 }).startOf("day").toMillis();
}
