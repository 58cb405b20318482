import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Durations } from "../../../src/services/tasks/duration-stats.ts";
import { intervalMs, pollWaitMs } from "../../../src/services/tasks/poll-schedule.ts";

const POLL_WORTH_MS = 250;
const UNJITTERED = 0.5;
const noHints = { progressPercent: null, estimatedSeconds: null, pollAgainAfterMs: null };
/** Evenly spread from half of the middle to one and a half of it. */
const around = (middleMs: number, observed = 100): Durations => ({
	sortedMs: Array.from({ length: 101 }, (_, n) => middleMs * (0.5 + n / 100)),
	observed,
});
const image = around(8_000);
const video = around(90_000);

/** Times (s) of the polls of a task that gives no hints. */
function pollTimes(durations: Durations, untilMs: number): readonly number[] {
	const times: number[] = [];
	let elapsedMs = 0;
	while ((elapsedMs += Math.max(1_000, intervalMs(durations, elapsedMs, POLL_WORTH_MS))) < untilMs) {
		times.push(elapsedMs / 1000);
	}
	return times;
}

describe("without hints", () => {
	test("the first poll comes when the shortest known tasks of its kind have ended", () => {
		expect(pollTimes(image, 60_000)[0]).toBeGreaterThan(4);
		expect(pollTimes(video, 600_000)[0]).toBeGreaterThan(45);
		expect(pollTimes(video, 600_000)[0]).toBeLessThan(58);
	});

	test("polls become more frequent as fewer tasks of the kind remain", () => {
		const waits = [60_000, 80_000, 100_000, 120_000].map((ms) => intervalMs(video, ms, POLL_WORTH_MS));
		expect(waits).toStrictEqual(waits.toSorted((a, b) => b - a));
		expect(waits.at(-1)).toBeLessThan(4_500);
	});

	test("no poll falls into a period in which no task of its kind has ended", () => {
		const twoSpeeds: Durations = {
			sortedMs: [...around(20_000).sortedMs, ...around(200_000).sortedMs].toSorted((a, b) => a - b),
			observed: 200,
		};
		const idle = pollTimes(twoSpeeds, 400_000).filter((s) => s > 41 && s < 100);
		expect(idle.length).toBeLessThanOrEqual(6);
	});

	test("a task beyond the longest known duration is polled less and less often, at least once a minute", () => {
		const waits = [140_000, 300_000, 900_000, 3_600_000].map((ms) => intervalMs(video, ms, POLL_WORTH_MS));
		expect(waits).toStrictEqual([8_000, 48_000, 60_000, 60_000]);
	});

	test("the wait is at most ten seconds while a task may end, and a minute before that", () => {
		const hour = around(3_600_000);
		expect(intervalMs(hour, 0, 1e9)).toBe(60_000);
		expect(intervalMs(hour, 3_600_000, 1e9)).toBe(10_000);
	});

	test("a kind with few observations is polled after two seconds, then less and less often", () => {
		expect(pollTimes(around(90_000, 3), 20_000).slice(0, 3)).toStrictEqual([2, 4, 6]);
	});

	test("a poll that is worth more waiting comes later", () => {
		const waits = [50, 250, 1_000].map((worthMs) => intervalMs(image, 6_000, worthMs));
		expect(waits).toStrictEqual(waits.toSorted((a, b) => a - b));
		expect(new Set(waits).size).toBe(3);
	});
});

const wait = (change: Partial<Parameters<typeof pollWaitMs>[0]>, random = UNJITTERED): number =>
	pollWaitMs({ intervalMs: 4_000, runningMs: 0, hints: noHints, isHintWrong: false, ...change }, random);
const asked = (pollAgainAfterMs: number, random: number): number =>
	wait({ hints: { ...noHints, pollAgainAfterMs } }, random);

describe("hints", () => {
	test("progress places the next poll at the expected end, or before it if that is far", () => {
		expect(wait({ runningMs: 80_000, hints: { ...noHints, progressPercent: 90 } }) / 1000).toBeCloseTo(9.3, 1);
		expect(wait({ runningMs: 30_000, hints: { ...noHints, progressPercent: 50 } }) / 1000).toBeCloseTo(26.4, 1);
	});

	test("an estimate applies until the progress implies more", () => {
		const hints = { ...noHints, estimatedSeconds: 40, progressPercent: 4 };
		expect(wait({ runningMs: 5_000, hints })).toBe(35_200);
		expect(wait({ runningMs: 5_000, hints: { ...hints, progressPercent: 50 } })).toBe(5_250);
	});

	test("a task that stays at 99 percent is polled at most eight times as often", () => {
		const hints = { ...noHints, progressPercent: 99, estimatedSeconds: 1 };
		expect(wait({ intervalMs: 16_000, runningMs: 10_000, hints, isHintWrong: true })).toBe(2_000);
	});

	test("after a wrong prediction a hint no longer postpones a poll", () => {
		const hints = { ...noHints, estimatedSeconds: 30 };
		expect(wait({ hints })).toBe(26_400);
		expect(wait({ hints, isHintWrong: true })).toBe(4_000);
	});

	test("a requested pause is honored up to a minute, and never shortened", () => {
		expect(asked(20_000, 0)).toBe(20_000);
		expect(asked(20_000, 0.999)).toBeGreaterThan(21_900);
		expect(asked(86_400_000, 0)).toBe(60_000);
		expect(asked(100, UNJITTERED)).toBe(4_000);
	});

	test("random jitter moves a poll by a tenth of the interval", () => {
		expect(wait({}, 0)).toBeCloseTo(3_600, 6);
		expect(wait({}, 1)).toBeCloseTo(4_400, 6);
	});
});

const orNull = (max: number) => fc.option(fc.double({ min: 0, max, noNaN: true }));
const positive = (max: number) => fc.double({ min: 0, max, noNaN: true });

test("every wait is finite and bounded, for any durations and hints", () => {
	const sample = fc.record({ sortedMs: fc.array(positive(1e9), { minLength: 1 }), observed: fc.nat(200) });
	const hints = fc.record({
		progressPercent: orNull(150),
		estimatedSeconds: orNull(1e7),
		pollAgainAfterMs: orNull(1e12),
	});
	fc.assert(
		fc.property(
			sample,
			hints,
			positive(1e9),
			positive(1e9),
			positive(1),
			(durations, said, elapsedMs, worthMs, random) => {
				const sortedMs = durations.sortedMs.toSorted((a, b) => a - b);
				const ownMs = intervalMs({ ...durations, sortedMs }, elapsedMs, worthMs);
				expect(ownMs).toBeGreaterThanOrEqual(0);
				expect(ownMs).toBeLessThanOrEqual(60_000);
				const waitMs = pollWaitMs({ intervalMs: ownMs, runningMs: elapsedMs, hints: said, isHintWrong: false }, random);
				const predictedMs = Math.max((said.estimatedSeconds ?? 0) * 1000, elapsedMs * 20);
				expect(waitMs).toBeGreaterThanOrEqual(0);
				expect(waitMs).toBeLessThanOrEqual(1.1 * Math.max(60_000, predictedMs / 2));
			},
		),
	);
});
