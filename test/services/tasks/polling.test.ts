import { describe, expect, test } from "vitest";
import type { OpenRemoteTask } from "@atelier/media-protocol/remote-task";
import { createDurationStats } from "../../../src/services/tasks/duration-stats.ts";
import { quantileMs } from "../../../src/services/tasks/poll-schedule.ts";
import { createPolling } from "../../../src/services/tasks/polling.ts";
import { baseOf, type TaskIn } from "../../../src/services/tasks/task.ts";
import { runningRemoteTask } from "../../fakes/fake-media-api.ts";
import { reservedTask } from "../../fakes/stored-tasks.ts";
import { createRandom, type Random } from "../../simulation/random.ts";

const KIND = "paint-1||";
/** Returns the hints of a service after a time, about a task that ends after `endMs`. */
type HintsAt = (elapsedMs: number, endMs: number) => Partial<OpenRemoteTask>;

const success = { state: "success", outputs: [], startedAtMs: null, finishedAtMs: null } as const;

function setupPolling({ pollsPerSecond = 1e6, seed = 1, typicalSeconds = 30 } = {}) {
	let nowMs = 0;
	const clock = {
		nowMs: () => nowMs,
		sleep: () => Promise.reject(new Error("polling does not sleep")),
		advance: (byMs: number) => void (nowMs += byMs),
	};
	const random = createRandom(seed);
	const durations = createDurationStats();
	const polling = createPolling({
		durations,
		clock,
		random: () => random.next(),
		pollsPerSecond: () => pollsPerSecond,
		intervalMsMin: 1_000,
	});
	let tasks = 0;

	const submit = (submittedAtMs = nowMs): TaskIn<"submitted"> => ({
		...baseOf(reservedTask),
		state: "submitted",
		id: `task-${++tasks}`,
		request: { ...reservedTask.request, typicalSeconds },
		remoteId: "1",
		submittedAtMs,
		deadlineAtMs: Number.MAX_SAFE_INTEGER,
	});
	/** Submits a task, and plans its first poll. */
	const begin = () => {
		const task = submit();
		polling.pollTimeMs(task, true);
		return task;
	};
	/** Returns the wait after a poll with these hints of the service. */
	const waitAfter = (task: TaskIn<"submitted">, hints: Partial<OpenRemoteTask> = {}): number =>
		polling.planNextPoll(task, { ...runningRemoteTask, phase: "unknown", ...hints }) - nowMs;

	/**
	 * Polls a task that ends after `endMs`, as scheduled or when it is woken. `hintsAt` returns the service's hints. Returns the
	 * number of polls.
	 */
	function follow(endMs: number, hintsAt: HintsAt = () => ({}), wokenAfterMs = Number.POSITIVE_INFINITY): number {
		const task = submit();
		const fromMs = nowMs;
		const endAtMs = fromMs + endMs;
		let dueAtMs = polling.pollTimeMs(task, true);
		for (let polls = 1; ; polls++) {
			nowMs = Math.min(dueAtMs, endAtMs + wokenAfterMs);
			if (nowMs >= endAtMs) {
				polling.recordEnd(task, success);
				return polls;
			}
			dueAtMs = nowMs + waitAfter(task, hintsAt(nowMs - fromMs, endMs));
		}
	}
	return { clock, random, durations, polling, submit, begin, waitAfter, follow };
}

function logNormal(random: Random, medianMs: number, sd: number): number {
	const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
	return medianMs * Math.exp(sd * normal);
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

const byProgress: HintsAt = (ms, endMs) => ({ progressPercent: Math.floor((100 * ms) / endMs) });
const byEstimate: HintsAt = (ms, endMs) => ({ estimatedSeconds: Math.ceil((endMs - ms) / 1000) });

/** The true median (ms), and the catalog's typical time (s). */
const KINDS = [
	[90_000, 30],
	[90_000, 270],
	[8_000, 3],
	[8_000, 60],
] as const;

const HINTS = [
	["no hints", undefined, undefined],
	["progress", byProgress, undefined],
	["estimates", byEstimate, undefined],
	["a callback at the end", undefined, 20],
] as const;

describe("recorded durations", () => {
	test.each(HINTS.flatMap((hint) => KINDS.map((kind) => [...kind, ...hint] as const)))(
		"match the true distribution (%d ms, %d s in the catalog) with %s",
		async (medianMs, typicalSeconds, _hint, hintsAt, wokenAfterMs) => {
			const ratios: number[] = [];
			for (const seed of [1, 2, 3, 4]) {
				const { follow, random, durations } = setupPolling({ seed, typicalSeconds });
				for (let n = 0; n < 150; n++) follow(logNormal(random, medianMs, 0.35), hintsAt, wokenAfterMs);
				ratios.push(quantileMs(durations.recent(KIND, 1), 0.5) / medianMs);
			}
			expect(Math.abs(mean(ratios) - 1)).toBeLessThan(0.08);
		},
	);

	test("exclude tasks that failed, were canceled or were continued by another process, and count each end once", async () => {
		const { polling, durations, begin, clock } = setupPolling();
		const [canceled, failed, takenOver, ended] = [begin(), begin(), begin(), begin()];
		clock.advance(5_000);
		polling.forget(canceled.id);
		polling.recordEnd(canceled, success);
		polling.recordEnd(failed, { state: "failed", code: "internal", reason: "" });
		polling.recordEnd(ended, success);
		polling.recordEnd(ended, success);
		clock.advance(10 * 60_000);
		polling.recordEnd(takenOver, success);
		expect(durations.recent(KIND, 1).observations).toBe(1);
	});
});

describe("hints", () => {
	test("videos of about 90 seconds take at most four polls on average, with progress or estimates", async () => {
		const { follow, random } = setupPolling();
		const polls = Array.from({ length: 100 }, (_, n) =>
			follow(logNormal(random, 90_000, 0.35), n % 2 === 0 ? byProgress : byEstimate),
		);
		expect(mean(polls.slice(20))).toBeLessThanOrEqual(4);
	});

	test("progress is extrapolated from the time after the service's queue", async () => {
		const { begin, waitAfter, clock } = setupPolling();
		const task = begin();
		clock.advance(600_000);
		waitAfter(task, { phase: "queued" });
		clock.advance(20_000);
		const waitMs = waitAfter(task, { progressPercent: 50 });
		expect(waitMs).toBeGreaterThan(15_000);
		expect(waitMs).toBeLessThan(20_000);
	});

	test("that predict an early end never shorten the interval below its minimum", async () => {
		const { begin, waitAfter } = setupPolling({ typicalSeconds: 1 });
		expect(waitAfter(begin(), { estimatedSeconds: 0 })).toBeGreaterThanOrEqual(1_000);
	});

	test("an estimate that still says thirty seconds after thirty seconds is ignored", async () => {
		const { polling, begin, waitAfter, clock } = setupPolling();
		const task = begin();
		// Without hints, the estimate is the usual duration.
		expect(polling.readyAtMs(task)).toBeGreaterThan(25_000);
		expect(waitAfter(task, { estimatedSeconds: 30 })).toBeGreaterThan(24_000);
		expect(polling.readyAtMs(task)).toBe(30_000);
		clock.advance(31_000);
		expect(waitAfter(task, { estimatedSeconds: 30 })).toBeLessThan(11_000);
		expect(polling.readyAtMs(task)).toBeLessThan(60_000);
	});
});

test("a process start spreads its first polls over the limit until the deadline, and delays none twice", () => {
	const { polling, submit } = setupPolling({ pollsPerSecond: 20 });
	const found = Array.from({ length: 100 }, () => submit(-1_000));
	expect(found.map((task) => polling.pollTimeMs(task, false))).toStrictEqual(found.map((_, n) => n * 50));
	expect(polling.pollTimeMs({ ...submit(), deadlineAtMs: 1_000 }, false)).toBe(1_001);
	expect(polling.pollTimeMs(found[99] ?? submit(), false)).toBe(0);
});

test("a process start polls each task again directly after the first polls of all", () => {
	const { polling, submit, waitAfter } = setupPolling({ pollsPerSecond: 5 });
	const found = Array.from({ length: 100 }, () => submit(-600_000));
	for (const task of found) polling.pollTimeMs(task, false);
	// The first polls take 20 s; the jitter is up to a tenth.
	expect(Math.abs(waitAfter(found[0] ?? submit()) - 20_000)).toBeLessThanOrEqual(2_000);
});

describe("the poll limit", () => {
	test("is shared by ten thousand tasks", async () => {
		const { begin, waitAfter, clock } = setupPolling({ pollsPerSecond: 100, typicalSeconds: 60 });
		const tasks = Array.from({ length: 10_000 }, () => begin());
		clock.advance(30_000);
		for (const task of tasks) waitAfter(task);
		// The limit of 100 polls a second, and room for the jitter.
		expect(tasks.reduce((sum, task) => sum + 1000 / waitAfter(task), 0)).toBeLessThan(115);
	});

	test("counts the polls of tasks that wait for their cancellation, and delays none of them", async () => {
		const { polling, begin, waitAfter, clock } = setupPolling({ pollsPerSecond: 1, typicalSeconds: 600 });
		const other = begin();
		const canceled = Array.from({ length: 10 }, () => begin());
		clock.advance(300_000);
		for (const task of canceled) waitAfter(task);
		const before = waitAfter(other);
		for (const task of canceled)
			expect(polling.planNextPoll(task, runningRemoteTask, 5_000)).toBeLessThanOrEqual(305_000);
		expect(waitAfter(other)).toBeGreaterThan(1.5 * before);
	});

	test("is not used by tasks that another process continues", async () => {
		const { begin, waitAfter, clock } = setupPolling({ pollsPerSecond: 10, typicalSeconds: 60 });
		const alone = waitAfter(begin());
		for (let n = 0; n < 20_000; n++) begin();
		expect(waitAfter(begin())).toBeGreaterThan(4 * alone);
		clock.advance(24 * 60 * 60_000);
		waitAfter(begin());
		expect(waitAfter(begin())).toBeLessThan(2 * alone);
	});
});
