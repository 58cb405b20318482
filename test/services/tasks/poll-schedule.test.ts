import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DurationSample } from "../../../src/services/tasks/duration-stats.ts";
import { intervalMs, pollWaitMs } from "../../../src/services/tasks/poll-schedule.ts";

/** The delay that one more poll has to save. */
const POLL_WORTH_MS = 250;
const UNJITTERED = 0.5;
const noHints = { progressPercent: null, estimatedSeconds: null, pollAgainAfterMs: null };
/** Durations from half of `middleMs` to one and a half of it, evenly distributed. */
const durationsAround = (middleMs: number, observations = 100): DurationSample => ({
	sortedMs: Array.from({ length: 101 }, (_, n) => middleMs * (0.5 + n / 100)),
	observations,
});
const image = durationsAround(8_000);
const video = durationsAround(90_000);

/** Times (s) of the polls of a task that gives no hints. */
function pollTimes(durations: DurationSample, untilMs: number): readonly number[] {
	const times: number[] = [];
	let elapsedMs = 0;
	while ((elapsedMs += Math.max(1_000, intervalMs(durations, elapsedMs, POLL_WORTH_MS))) < untilMs) {
		times.push(elapsedMs / 1000);
	}
	return times;
}

describe("without hints", () => {
	test("the first poll comes shortly after the shortest known duration", () => {
		expect(pollTimes(image, 60_000)[0]).toBeGreaterThan(4);
		expect(pollTimes(video, 600_000)[0]).toBeGreaterThan(45);
		expect(pollTimes(video, 600_000)[0]).toBeLessThan(58);
	});

	test("the poll of tasks that take equally long comes as much later as a poll is worth", () => {
		expect(intervalMs({ sortedMs: [100, 1_000, 1_000, 1_000], observations: 100 }, 500, POLL_WORTH_MS)).toBe(750);
	});

	test("after the longest known duration the waits grow, to at most a minute", () => {
		// The longest duration is 135 s: a twentieth of it, plus a quarter of the time since then.
		const waits = [140_000, 300_000, 900_000, 3_600_000].map((ms) => intervalMs(video, ms, POLL_WORTH_MS));
		expect(waits).toStrictEqual([8_000, 48_000, 60_000, 60_000]);
	});

	test("the wait is at most a minute before the shortest known duration, and ten seconds after it", () => {
		const slowKind = durationsAround(3_600_000);
		expect(intervalMs(slowKind, 0, 1e9)).toBe(60_000);
		expect(intervalMs(slowKind, 3_600_000, 1e9)).toBe(10_000);
	});

	test("with few observations the first polls come every two seconds, later ones after a quarter of the time", () => {
		const fewObservations = durationsAround(90_000, 3);
		expect(pollTimes(fewObservations, 20_000).slice(0, 3)).toStrictEqual([2, 4, 6]);
		expect(intervalMs(fewObservations, 20_000, 1e9)).toBe(5_000);
	});
});

const waitMs = (change: Partial<Parameters<typeof pollWaitMs>[0]>, random = UNJITTERED): number =>
	pollWaitMs({ intervalMs: 4_000, runningMs: 0, hints: noHints, isHintWrong: false, ...change }, random);
const waitAfterPause = (pollAgainAfterMs: number, random: number): number =>
	waitMs({ hints: { ...noHints, pollAgainAfterMs } }, random);

describe("hints", () => {
	test("progress schedules the next poll just after a near predicted end, and before a distant one", () => {
		// 80 s for 90 % leave 8.9 s, times 1.05; 30 s for 50 % leave 30 s, times 0.88.
		expect(waitMs({ runningMs: 80_000, hints: { ...noHints, progressPercent: 90 } }) / 1000).toBeCloseTo(9.3, 1);
		expect(waitMs({ runningMs: 30_000, hints: { ...noHints, progressPercent: 50 } }) / 1000).toBeCloseTo(26.4, 1);
	});

	test("an estimate applies while there is little progress, and later the progress applies", () => {
		const hints = { ...noHints, estimatedSeconds: 40, progressPercent: 4 };
		// 40 s times 0.88; 5 s for 50 % leave 5 s, times 1.05.
		expect(waitMs({ runningMs: 5_000, hints })).toBe(35_200);
		expect(waitMs({ runningMs: 5_000, hints: { ...hints, progressPercent: 50 } })).toBe(5_250);
	});

	test("a task that stays at 99 percent is polled at most eight times as often as without hints", () => {
		const hints = { ...noHints, progressPercent: 99, estimatedSeconds: 1 };
		expect(waitMs({ intervalMs: 16_000, runningMs: 10_000, hints, isHintWrong: true })).toBe(2_000);
	});

	test("after a wrong prediction a hint no longer postpones a poll", () => {
		const hints = { ...noHints, estimatedSeconds: 30 };
		expect(waitMs({ hints })).toBe(26_400);
		expect(waitMs({ hints, isHintWrong: true })).toBe(4_000);
	});

	test("a pause that the service requests is kept up to a minute, and jitter never shortens it", () => {
		expect(waitAfterPause(20_000, 0)).toBe(20_000);
		expect(waitAfterPause(20_000, 0.999)).toBeGreaterThan(21_900);
		expect(waitAfterPause(86_400_000, 0)).toBe(60_000);
		expect(waitAfterPause(100, UNJITTERED)).toBe(4_000);
	});
});

const nullOrNumberUpTo = (max: number) => fc.option(fc.double({ min: 0, max, noNaN: true }));
const numberUpTo = (max: number) => fc.double({ min: 0, max, noNaN: true });

test("every wait is finite and bounded, for any durations and hints", () => {
	const sample = fc.record({ sortedMs: fc.array(numberUpTo(1e9), { minLength: 1 }), observations: fc.nat(200) });
	const hints = fc.record({
		progressPercent: nullOrNumberUpTo(150),
		estimatedSeconds: nullOrNumberUpTo(1e7),
		pollAgainAfterMs: nullOrNumberUpTo(1e12),
	});
	fc.assert(
		fc.property(
			sample,
			hints,
			numberUpTo(1e9),
			numberUpTo(1e9),
			numberUpTo(1),
			(durations, reportedHints, elapsedMs, worthMs, random) => {
				const sortedMs = durations.sortedMs.toSorted((a, b) => a - b);
				const scheduleIntervalMs = intervalMs({ ...durations, sortedMs }, elapsedMs, worthMs);
				expect(scheduleIntervalMs).toBeGreaterThanOrEqual(0);
				expect(scheduleIntervalMs).toBeLessThanOrEqual(60_000);
				const boundedMs = pollWaitMs(
					{ intervalMs: scheduleIntervalMs, runningMs: elapsedMs, hints: reportedHints, isHintWrong: false },
					random,
				);
				// Progress counts from 5 % on, which predicts an end after at most 20 times the elapsed time.
				const predictedMs = Math.max((reportedHints.estimatedSeconds ?? 0) * 1000, elapsedMs * 20);
				expect(boundedMs).toBeGreaterThanOrEqual(0);
				expect(boundedMs).toBeLessThanOrEqual(1.1 * Math.max(60_000, predictedMs / 2));
			},
		),
	);
});
