import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hazardPerMs, lookIntervalMs, normalHazard, truncatedMoments } from "../../../src/services/tasks/log-normal.ts";

const times = fc.record({
	logMean: fc.double({ min: Math.log(50), max: Math.log(3_600_000), noNaN: true }),
	logSd: fc.double({ min: 0.05, max: 2, noNaN: true }),
});
const elapsed = fc.double({ min: 0, max: 1e9, noNaN: true });
const kappa = fc.double({ min: 1, max: 1e7, noNaN: true });

describe("the hazard of the standard normal", () => {
	test.each([
		[-3, 0.004_437_837],
		[0, 0.797_884_561],
		[1.999_999, 2.373_214_702],
		[2, 2.373_215_533],
		[5, 5.186_503_967],
		[40, 40.024_968_847],
	])("at %d is %d", (z, hazard) => {
		expect(normalHazard(z)).toBeCloseTo(hazard, 6);
	});

	test("only rises, and goes to z in the tail without ever being 0 / 0", () => {
		fc.assert(
			fc.property(fc.double({ min: -12, max: 1e6, noNaN: true }), (z) => {
				const hazard = normalHazard(z);
				expect(Number.isFinite(hazard)).toBe(true);
				expect(hazard).toBeGreaterThanOrEqual(Math.max(0, z));
				expect(hazard).toBeLessThanOrEqual(z > 1 ? z + 1 / z : 2);
				expect(normalHazard(z + 0.01)).toBeGreaterThanOrEqual(hazard);
			}),
		);
	});
});

describe("moments of a truncated normal", () => {
	const infinity = Number.POSITIVE_INFINITY;

	test.each([
		[-infinity, infinity, 0, 1],
		[0, infinity, 0.797_884_6, 1],
		[-infinity, 0, -0.797_884_6, 1],
		[-1, 1, 0, 0.291_125_1],
		[2, 2, 2, 4],
		[30, infinity, 30.033_259_7, 901.997_791],
		[1, 1.000_001, 1.000_000_5, 1.000_001],
	])("between %d and %d are %d and %d", (from, to, mean, square) => {
		const moments = truncatedMoments(from, to);
		expect(moments.mean).toBeCloseTo(mean, 4);
		expect(moments.square / Math.max(1, square)).toBeCloseTo(square / Math.max(1, square), 5);
	});

	test("lie in the interval, however short it is and however far out", () => {
		const z = fc.double({ min: -200, max: 200, noNaN: true });
		fc.assert(
			fc.property(z, fc.double({ min: 0, max: 50, noNaN: true }), (from, length) => {
				const { mean, square } = truncatedMoments(from, from + length);
				expect(mean).toBeGreaterThanOrEqual(from - 1e-9);
				expect(mean).toBeLessThanOrEqual(from + length + 1e-9);
				expect(square).toBeGreaterThanOrEqual(mean * mean * (1 - 1e-9));
			}),
		);
	});
});

describe("the interval between two looks", () => {
	test("is √(2κ / hazard) where the hazard hardly changes", () => {
		const long = { logMean: Math.log(90_000), logSd: 0.8 };
		const local = Math.sqrt((2 * 100) / hazardPerMs(long, 90_000));
		expect(lookIntervalMs(long, 90_000, 100, 60_000) / local).toBeCloseTo(1, 1);
	});

	test("reaches to where makings begin to end, where nothing can have ended yet", () => {
		const video = { logMean: Math.log(90_000), logSd: 0.35 };
		expect(Math.sqrt((2 * 250) / hazardPerMs(video, 10_000))).toBeGreaterThan(1e6);
		expect(10_000 + lookIntervalMs(video, 10_000, 250, 1e9)).toBeGreaterThan(40_000);
		expect(10_000 + lookIntervalMs(video, 10_000, 250, 1e9)).toBeLessThan(60_000);
	});

	test("is finite, within its bound, and no shorter where a look is dearer", () => {
		fc.assert(
			fc.property(times, elapsed, kappa, fc.double({ min: 1, max: 10, noNaN: true }), (each, ms, kappaMs, dearer) => {
				const interval = lookIntervalMs(each, ms, kappaMs, 60_000);
				expect(interval).toBeGreaterThanOrEqual(0);
				expect(interval).toBeLessThanOrEqual(60_000);
				// To the last digits of what was elapsed.
				expect(lookIntervalMs(each, ms, kappaMs * dearer, 60_000)).toBeGreaterThanOrEqual(interval - 1e-6 - ms * 1e-12);
			}),
		);
	});
});
