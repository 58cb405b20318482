import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitRunTimes, type Observation } from "../../../src/services/tasks/fit-run-times.ts";
import { createRandom } from "../../simulation/random.ts";
import { logNormal, mean } from "./polling-setup.ts";

const prior = { medianMs: 30_000, medianLogSd: 1 };

/** What looks every `everyMs`, shifted by chance, tell of makings. */
function censored(seed: number, count: number, medianMs: number, sd: number, everyMs: number): readonly Observation[] {
	const random = createRandom(seed);
	return Array.from({ length: count }, () => {
		const ms = logNormal(random, medianMs, sd);
		const shiftMs = random.next() * everyMs;
		const lowerMs = Math.max(0, Math.floor((ms - shiftMs) / everyMs) * everyMs + shiftMs);
		return { lowerMs, upperMs: Math.ceil((ms - shiftMs) / everyMs) * everyMs + shiftMs };
	});
}

const medianOf = (observations: readonly Observation[]): number => Math.exp(fitRunTimes(observations, prior).logMean);

describe("what is learned from looks", () => {
	const seeds = Array.from({ length: 40 }, (_, n) => n + 1);

	test.each([
		[90_000, 0.35, 5_000],
		[90_000, 0.35, 60_000],
		[90_000, 0.8, 30_000],
		[8_000, 0.35, 5_000],
		[8_000, 0.35, 10_000],
	])("with a median of %d ms and σ %d, seen every %d ms, is the truth", (medianMs, sd, everyMs) => {
		const fits = seeds.map((seed) => fitRunTimes(censored(seed, 96, medianMs, sd, everyMs), prior));
		const logErrors = fits.map(({ logMean }) => logMean - Math.log(medianMs));
		expect(Math.abs(mean(logErrors))).toBeLessThan(0.04);
		expect(Math.max(...logErrors.map(Math.abs))).toBeLessThan(0.25 + 0.25 * sd);
		expect(Math.abs(mean(fits.map(({ logSd }) => logSd)) - sd)).toBeLessThan(0.08);
	});

	test("is the prior where there is nothing, and no surer than it", () => {
		const nothing = fitRunTimes([], prior);
		expect(Math.exp(nothing.logMean)).toBeCloseTo(30_000, 0);
		expect(nothing.logSd).toBeGreaterThan(1);
		expect(nothing.observations).toBe(0);
	});

	test("outweighs a prior that is wrong by a factor of three after a few makings", () => {
		const few = fitRunTimes(censored(1, 8, 90_000, 0.35, 5_000), prior);
		expect(Math.exp(few.logMean)).toBeGreaterThan(65_000);
		expect(Math.exp(few.logMean)).toBeLessThan(120_000);
	});

	test("counts what was given up as longer than that, and not as ended then", () => {
		const random = createRandom(3);
		const all = Array.from({ length: 90 }, () => logNormal(random, 60_000, 0.4));
		const seen = all.map((ms) => (ms < 60_000 ? { lowerMs: ms, upperMs: ms } : { lowerMs: 60_000, upperMs: null }));
		expect(medianOf(seen) / 60_000).toBeGreaterThan(0.9);
		expect(medianOf(seen) / 60_000).toBeLessThan(1.12);
	});

	test("follows a service that takes twice as long from one day to the next", () => {
		const before = censored(1, 96, 40_000, 0.35, 5_000);
		const after = censored(2, 40, 80_000, 0.35, 5_000);
		expect(medianOf(before)).toBeLessThan(46_000);
		expect(medianOf([...before, ...after].slice(-96))).toBeGreaterThan(62_000);
	});

	test("is finite, whatever was seen", () => {
		const ms = fc.double({ min: 0, max: 1e12, noNaN: true });
		const observation = fc.record({ lowerMs: ms, upperMs: fc.option(ms) });
		fc.assert(
			fc.property(fc.array(observation, { maxLength: 96 }), (observations) => {
				const { logMean, logSd } = fitRunTimes(observations, prior);
				expect(Number.isFinite(logMean)).toBe(true);
				expect(logSd).toBeGreaterThanOrEqual(0.05);
				expect(Number.isFinite(logSd)).toBe(true);
			}),
		);
	});
});
