import { expect, test } from "vitest";
import { forecastMonth, periodAt } from "../../src/services/period.ts";

test.each([
	["a day in New York", "day", "America/New_York", "2026-11-20T03:00Z", "2026-11-19", "2026-11-20T05:00Z"],
	["a day of 23 hours", "day", "Europe/Berlin", "2026-03-29T00:30Z", "2026-03-29", "2026-03-29T22:00Z"],
	["a day before a DST gap", "day", "America/Santiago", "2026-09-05T16:00Z", "2026-09-05", "2026-09-06T04:00Z"],
	["a day from one o'clock", "day", "America/Santiago", "2026-09-06T16:00Z", "2026-09-06", "2026-09-07T03:00Z"],
	["a week, from Monday", "week", "UTC", "2026-11-22T23:59Z", "2026-W47", "2026-11-23T00:00Z"],
	["a week of the year before", "week", "UTC", "2027-01-01T00:00Z", "2026-W53", "2027-01-04T00:00Z"],
	["a month", "month", "Asia/Tokyo", "2026-12-31T15:00Z", "2027-01", "2027-01-31T15:00Z"],
] as const)("%s begins and ends by the clock of the server", (_rule, period, zone, now, id, ends) => {
	const span = periodAt(Date.parse(now), period, zone);
	expect([span.id, new Date(span.endsAtMs).toISOString()]).toStrictEqual([id, ends.replace("Z", ":00.000Z")]);
});

const november = (day: number, hour = 0): number => Date.UTC(2026, 10, day, hour);

test.each([
	["a third of the month", 100, november(11), 300],
	["all but an hour of the month", 719, november(30, 23), 720],
	["nothing spent", 0, november(11), 0],
	["the first day", 50, november(1, 23), null],
])("the forecast of the month after %s", (_title, spentCredits, nowMs, forecast) => {
	expect(forecastMonth(spentCredits, nowMs, "UTC")).toBe(forecast);
});
