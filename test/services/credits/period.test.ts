import { expect, test } from "vitest";
import { forecastMonth } from "../../../src/services/credits/period.ts";

const november = (day: number, hour = 0): number => Date.UTC(2026, 10, day, hour);

test.each([
	["a third of the month", 100, november(11), 300],
	["all but an hour of the month", 719, november(30, 23), 720],
	["nothing spent", 0, november(11), 0],
	["the first day", 50, november(1, 23), null],
])("the forecast of the month after %s", (_title, spentCredits, nowMs, forecast) => {
	expect(forecastMonth(spentCredits, nowMs, "UTC")).toBe(forecast);
});
