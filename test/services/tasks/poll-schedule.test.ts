import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DurationSample } from "../../../src/services/tasks/duration-stats.ts";
import { intervalMs, pollWaitMs, type Hints } from "../../../src/services/tasks/poll-schedule.ts";

/** The delay that one more poll has to save. */
const POLL_WORTH_MS = 250;
/** Polls that are worth nothing: the wait is as long as possible. */
const WORTHLESS = 1e9;
/** Durations from half of `middleMs` to one and a half of it, evenly distributed. */
const durationsAround = (middleMs: number, observations = 100): DurationSample => ({
	sortedMs: Array.from({ length: 101 }, (_, n) => middleMs * (0.5 + n / 100)),
	observations,
});
const image = durationsAround(8_000);
const video = durationsAround(90_000);
const slow = durationsAround(3_600_000);
const fewVideos = durationsAround(90_000, 3);
const equallyLong = { sortedMs: [100, 1_000, 1_000, 1_000], observations: 100 };

test("without hints, the first poll comes shortly after the shortest known duration", () => {
	expect(intervalMs(image, 0, POLL_WORTH_MS)).toBeGreaterThan(4_000);
	expect(intervalMs(video, 0, POLL_WORTH_MS)).toBeGreaterThan(45_000);
	expect(intervalMs(video, 0, POLL_WORTH_MS)).toBeLessThan(58_000);
});

test.each([
	["as much later as a poll is worth, if all tasks take equally long", equallyLong, 500, POLL_WORTH_MS, 750],
	// The longest video takes 135 s: a twentieth of it, plus a quarter of the time since then.
	["later and later after the longest known duration", video, 140_000, POLL_WORTH_MS, 8_000],
	["later and later after that", video, 300_000, POLL_WORTH_MS, 48_000],
	["after a minute at most", video, 900_000, POLL_WORTH_MS, 60_000],
	["after a minute at most before the shortest known duration", slow, 0, WORTHLESS, 60_000],
	["after ten seconds at most after it", slow, 3_600_000, WORTHLESS, 10_000],
	["after two seconds with few observations", fewVideos, 0, POLL_WORTH_MS, 2_000],
	["after two seconds again", fewVideos, 4_000, POLL_WORTH_MS, 2_000],
	["after a quarter of the elapsed time then", fewVideos, 20_000, WORTHLESS, 5_000],
])("without hints, the next poll comes %s", (_when, durations, elapsedMs, worthMs, waitMs) => {
	expect(intervalMs(durations, elapsedMs, worthMs)).toBe(waitMs);
});

/** Returns the wait with these hints, which is 4 s without hints. */
const waitWith = (given: Partial<Hints>, change: Partial<Parameters<typeof pollWaitMs>[0]> = {}, random = 0.5) => {
	const hints = { progressPercent: null, estimatedSeconds: null, pollAgainAfterMs: null, ...given };
	return pollWaitMs({ intervalMs: 4_000, runningMs: 0, hints, isHintWrong: false, ...change }, random);
};

test.each([
	// 80 s for 90 % leave 8.9 s, times 1.05; 30 s for 50 % leave 30 s, times 0.88.
	["just after a near predicted end", { progressPercent: 90 }, 80_000, 9_333],
	["before a distant one", { progressPercent: 50 }, 30_000, 26_400],
	// 40 s times 0.88; 5 s for 50 % leave 5 s, times 1.05.
	["by the estimate while there is little progress", { estimatedSeconds: 40, progressPercent: 4 }, 5_000, 35_200],
	["by the progress later", { estimatedSeconds: 40, progressPercent: 50 }, 5_000, 5_250],
	["no earlier because the service asks for it", { pollAgainAfterMs: 100 }, 0, 4_000],
])("with hints, the next poll comes %s", (_when, hints, runningMs, waitMs) => {
	expect(Math.round(waitWith(hints, { runningMs }))).toBe(waitMs);
});

test("a task that stays at 99 percent is polled at most eight times as often as without hints", () => {
	const change = { intervalMs: 16_000, runningMs: 10_000, isHintWrong: true };
	expect(waitWith({ progressPercent: 99, estimatedSeconds: 1 }, change)).toBe(2_000);
});

test("after a wrong prediction a hint no longer postpones a poll", () => {
	expect(waitWith({ estimatedSeconds: 30 })).toBe(26_400);
	expect(waitWith({ estimatedSeconds: 30 }, { isHintWrong: true })).toBe(4_000);
});

test("a pause that the service requests is kept up to a minute, and jitter never shortens it", () => {
	expect(waitWith({ pollAgainAfterMs: 20_000 }, {}, 0)).toBe(20_000);
	expect(waitWith({ pollAgainAfterMs: 20_000 }, {}, 0.999)).toBeGreaterThan(21_900);
	expect(waitWith({ pollAgainAfterMs: 86_400_000 }, {}, 0)).toBe(60_000);
});

const numberUpTo = (max: number) => fc.double({ min: 0, max, noNaN: true });
const nullOrNumberUpTo = (max: number) => fc.option(numberUpTo(max));

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
			(durations, reported, elapsedMs, worthMs, random) => {
				const sortedMs = durations.sortedMs.toSorted((a, b) => a - b);
				const ownMs = intervalMs({ ...durations, sortedMs }, elapsedMs, worthMs);
				expect(ownMs).toBeGreaterThanOrEqual(0);
				expect(ownMs).toBeLessThanOrEqual(60_000);
				const boundedMs = waitWith(reported, { intervalMs: ownMs, runningMs: elapsedMs }, random);
				// Progress counts from 5 % on, which predicts an end after at most 20 times the elapsed time.
				const predictedMs = Math.max((reported.estimatedSeconds ?? 0) * 1000, elapsedMs * 20);
				expect(boundedMs).toBeGreaterThanOrEqual(0);
				expect(boundedMs).toBeLessThanOrEqual(1.1 * Math.max(60_000, predictedMs / 2));
			},
		),
	);
});
