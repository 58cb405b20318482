import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Estimate } from "../../../src/services/tasks/fit-run-times.ts";
import { intervalMs, waitMs, type LookPrice, type OpenTask } from "../../../src/services/tasks/poll-schedule.ts";

const image: Estimate = { logMean: Math.log(8_000), logSd: 0.35, observations: 40 };
const video: Estimate = { logMean: Math.log(90_000), logSd: 0.35, observations: 40 };
const price: LookPrice = { kappaMs: 250, floorMs: 1_000, shareMs: 0 };
const noHints = { progressPercent: null, estimatedSeconds: null, lookAgainAfterMs: null };
const UNJITTERED = 0.5;

function open(change: Partial<OpenTask> = {}): OpenTask {
	return { times: video, elapsedMs: 0, hints: noHints, wasMisled: false, atLeastMs: 0, ...change };
}

/** When a task is looked at that never says anything. */
function looks(times: Estimate, untilMs: number, at: LookPrice = price): readonly number[] {
	const all: number[] = [];
	for (let ms = intervalMs(times, 0, at); ms < untilMs; ms += intervalMs(times, ms, at))
		all.push(Math.round(ms / 100) / 10);
	return all;
}

describe("a task that says nothing", () => {
	test("is looked at most where it is likely to end", () => {
		const seconds = looks(image, 20_000);
		expect(seconds[0]).toBeGreaterThan(4);
		expect(seconds.filter((s) => s < 16).length).toBeLessThan(10);
		const gaps = looks(video, 200_000).map((s, n, all) => s - (all[n - 1] ?? 0));
		expect(gaps[0]).toBeGreaterThan(30);
		expect(Math.min(...gaps)).toBeLessThan(6);
	});

	test("is left alone for a minute at most, and for ten seconds where it may well end", () => {
		const dear = { ...price, kappaMs: 1e9 };
		const hour: Estimate = { logMean: Math.log(3_600_000), logSd: 0.2, observations: 40 };
		expect(intervalMs(hour, 0, dear)).toBe(60_000);
		expect(intervalMs(hour, 3_600_000, dear)).toBe(10_000);
	});

	test("is looked at less and less when it takes longer than it ever does, down to once a minute", () => {
		const late = [266_000, 310_000, 320_000, 400_000, 3_600_000].map((ms) => intervalMs(video, ms, price));
		expect(late).toStrictEqual(late.toSorted((a, b) => a - b));
		expect(late[0]).toBeLessThan(12_000);
		expect(late.at(-1)).toBe(60_000);
	});

	test("is looked at after two seconds, then ever less often, while too little is known of its kind", () => {
		const unknown = { ...video, observations: 3 };
		const seconds = looks(unknown, 120_000);
		expect(seconds.slice(0, 3)).toStrictEqual([2, 4, 6]);
		expect(Math.max(...seconds.map((s, n) => s - (seconds[n - 1] ?? 0)))).toBeLessThanOrEqual(10);
	});

	test("waits longer than its bounds where the budget does not reach for them", () => {
		expect(intervalMs(video, 0, { ...price, kappaMs: 1e9, shareMs: 200_000 })).toBe(200_000);
		expect(intervalMs({ ...video, observations: 0 }, 0, { ...price, kappaMs: 1e9, shareMs: 30_000 })).toBe(30_000);
	});
});

describe("what the service says", () => {
	test("of its progress puts the next look where the end will be", () => {
		const near = waitMs(open({ elapsedMs: 80_000, hints: { ...noHints, progressPercent: 90 } }), price, UNJITTERED);
		expect(near / 1000).toBeCloseTo(9.3, 1);
		const far = waitMs(open({ elapsedMs: 30_000, hints: { ...noHints, progressPercent: 50 } }), price, UNJITTERED);
		expect(far / 1000).toBeCloseTo(26.4, 1);
	});

	test("of the time that is left counts until the progress says more", () => {
		const hints = { ...noHints, estimatedSeconds: 40, progressPercent: 4 };
		expect(waitMs(open({ elapsedMs: 5_000, hints }), price, UNJITTERED)).toBe(35_200);
		const later = { ...hints, progressPercent: 50 };
		expect(waitMs(open({ elapsedMs: 5_000, hints: later }), price, UNJITTERED)).toBe(5_250);
	});

	test("does not hasten looks beyond reason when a task stays at 99 percent", () => {
		const hints = { ...noHints, progressPercent: 99, estimatedSeconds: 1 };
		const waits = [250_000, 500_000, 1_000_000].map((elapsedMs) =>
			waitMs(open({ elapsedMs, hints, wasMisled: true }), price, UNJITTERED),
		);
		expect(Math.min(...waits)).toBeGreaterThan(2_500);
		expect(waits.at(-1)).toBeGreaterThan(7_500);
		expect(waits).toStrictEqual(waits.toSorted((a, b) => a - b));
	});

	test("puts no look off any more once an end that it foretold has passed", () => {
		const hints = { ...noHints, estimatedSeconds: 30 };
		const own = intervalMs(video, 90_000, price);
		expect(waitMs(open({ elapsedMs: 90_000, hints }), price, UNJITTERED)).toBeGreaterThan(own);
		expect(waitMs(open({ elapsedMs: 90_000, hints, wasMisled: true }), price, UNJITTERED)).toBe(own);
	});

	test("when it asks to be left alone is granted, up to a minute, and never shortened", () => {
		const asked = (lookAgainAfterMs: number, chance: number): number =>
			waitMs(open({ times: image, elapsedMs: 8_000, hints: { ...noHints, lookAgainAfterMs } }), price, chance);
		expect(asked(20_000, 0)).toBe(20_000);
		expect(asked(20_000, 0.999)).toBeGreaterThan(21_900);
		expect(asked(86_400_000, 0)).toBe(60_000);
		expect(asked(100, UNJITTERED)).toBe(intervalMs(image, 8_000, price));
	});

	test("that it waits for its turn lets it wait for as long as no making could take less, up to ten seconds", () => {
		const queued = { times: image, elapsedMs: 8_000 };
		expect(waitMs(open({ ...queued, atLeastMs: 4_000 }), price, UNJITTERED)).toBe(4_000);
		expect(waitMs(open({ ...queued, atLeastMs: 40_000 }), price, UNJITTERED)).toBe(10_000);
	});
});

test("chance moves a look by a tenth of the interval, either way", () => {
	const own = intervalMs(image, 8_000, price);
	const at = (chance: number): number => waitMs(open({ times: image, elapsedMs: 8_000 }), price, chance);
	expect(at(0)).toBeCloseTo(0.9 * own, 6);
	expect(at(1)).toBeCloseTo(1.1 * own, 6);
});

const orNull = (max: number) => fc.option(fc.double({ min: 0, max, noNaN: true }));

test("whatever is known and said, the wait is finite, no shorter than the floor, and bounded", () => {
	const times = fc.record({
		logMean: fc.double({ min: 0, max: 20, noNaN: true }),
		logSd: fc.double({ min: 0.05, max: 3, noNaN: true }),
		observations: fc.double({ min: 0, max: 60, noNaN: true }),
	});
	const task = fc.record({
		times,
		elapsedMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
		hints: fc.record({ progressPercent: orNull(150), estimatedSeconds: orNull(1e7), lookAgainAfterMs: orNull(1e12) }),
		wasMisled: fc.boolean(),
		atLeastMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
	});
	const prices = fc.record({
		kappaMs: fc.double({ min: 1, max: 1e9, noNaN: true }),
		floorMs: fc.double({ min: 1, max: 5_000, noNaN: true }),
		shareMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
	});
	fc.assert(
		fc.property(task, prices, fc.double({ min: 0, max: 1, noNaN: true }), (each, at, chance) => {
			const wait = waitMs(each, at, chance);
			expect(wait).toBeGreaterThanOrEqual(at.floorMs);
			const guessedMs = Math.max((each.hints.estimatedSeconds ?? 0) * 1000, each.elapsedMs * 4);
			const boundMs = Math.max(60_000, at.shareMs, each.hints === noHints ? 0 : guessedMs / 2);
			expect(wait).toBeLessThanOrEqual(1.1 * Math.max(boundMs, at.floorMs));
		}),
	);
});
