import { describe, expect, test } from "vitest";
import type { OpenRemoteTask } from "@atelier/media-protocol/remote-task";
import { createDurationStats } from "../../../src/services/tasks/duration-stats.ts";
import { quantileMs } from "../../../src/services/tasks/poll-schedule.ts";
import { createPolling } from "../../../src/services/tasks/polling.ts";
import type { TaskIn } from "../../../src/services/tasks/task.ts";
import { runningRemoteTask } from "../../fakes/fake-media-api.ts";
import { createRandom, type Random } from "../../simulation/random.ts";
import { submission } from "./task-setup.ts";

const KIND = "paint-1||";
const success = { state: "success", outputs: [], startedAtMs: null, finishedAtMs: null } as const;

function setupPolling({ pollsPerSecondMax = 1e6, seed = 1, typicalSeconds = 30 } = {}) {
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
		pollsPerSecondMax,
		budgetShare: () => 1,
		intervalMsMin: 1_000,
	});
	let tasks = 0;

	const submit = (change: Partial<TaskIn<"submitted">> = {}): TaskIn<"submitted"> => ({
		...submission,
		state: "submitted",
		id: `task-${++tasks}`,
		request: { ...submission.request, typicalSeconds },
		limitAccounts: [],
		remoteId: "1",
		createdAtMs: 0,
		submittedAtMs: clock.nowMs(),
		deadlineAtMs: Number.MAX_SAFE_INTEGER,
		...change,
	});

	/**
	 * Polls a task that ends after `endMs`, as scheduled or when it is woken. `hintsAt` returns the service's hints. Returns the
	 * number of polls.
	 */
	function follow(
		endMs: number,
		hintsAt: (elapsedMs: number) => Partial<OpenRemoteTask> = () => ({}),
		wokenAfterMs = Number.POSITIVE_INFINITY,
	): number {
		const task = submit();
		const fromMs = clock.nowMs();
		const endAtMs = fromMs + endMs;
		let dueAtMs = polling.planFirstPoll(task);
		for (let polls = 1; ; polls++) {
			clock.advance(Math.min(dueAtMs, endAtMs + wokenAfterMs) - clock.nowMs());
			if (nowMs >= endAtMs) {
				polling.recordEnd(task, success);
				return polls;
			}
			dueAtMs = polling.planNextPoll(task, { ...runningRemoteTask, phase: "unknown", ...hintsAt(nowMs - fromMs) });
		}
	}
	return { clock, random, durations, polling, submit, follow };
}

function logNormal(random: Random, medianMs: number, sd: number): number {
	const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
	return medianMs * Math.exp(sd * normal);
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

const failedRemotely = { state: "failed", code: "internal", reason: "" } as const;

/** The true median (ms), and the catalog's typical time (s). */
const KINDS = [
	[90_000, 30],
	[90_000, 270],
	[8_000, 3],
	[8_000, 60],
] as const;

const HINTS = [
	["no hints", undefined, undefined],
	["progress", (ms: number, endMs: number) => ({ progressPercent: Math.floor((100 * ms) / endMs) }), undefined],
	["estimates", (ms: number, endMs: number) => ({ estimatedSeconds: Math.ceil((endMs - ms) / 1000) }), undefined],
	["a callback at the end", undefined, 20],
] as const;

describe("recorded durations", () => {
	test.each(HINTS.flatMap((hint) => KINDS.map((kind) => [...kind, ...hint] as const)))(
		"match the true distribution (%d ms, %d s in the catalog) with %s",
		async (medianMs, typicalSeconds, _hint, hintsAt, wokenAfterMs) => {
			const ratios: number[] = [];
			for (const seed of [1, 2, 3, 4]) {
				const { follow, random, durations } = setupPolling({ seed, typicalSeconds });
				for (let n = 0; n < 150; n++) {
					const endMs = logNormal(random, medianMs, 0.35);
					follow(endMs, hintsAt ? (elapsedMs) => hintsAt(elapsedMs, endMs) : undefined, wokenAfterMs);
				}
				ratios.push(quantileMs(durations.recent(KIND, 1), 0.5) / medianMs);
			}
			expect(Math.abs(mean(ratios) - 1)).toBeLessThan(0.08);
		},
	);

	test("exclude tasks that failed, were canceled or were continued by another process, and count each end once", async () => {
		const { polling, durations, submit, clock } = setupPolling();
		const [canceled, failed, takenOver, ended] = [submit(), submit(), submit(), submit()];
		for (const task of [canceled, failed, takenOver, ended]) polling.planFirstPoll(task);
		clock.advance(5_000);
		polling.forget(canceled.id);
		polling.recordEnd(canceled, success);
		polling.recordEnd(failed, failedRemotely);
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
		const polls: number[] = [];
		for (let n = 0; n < 100; n++) {
			const endMs = logNormal(random, 90_000, 0.35);
			const byProgress = (ms: number) => ({ progressPercent: Math.floor((100 * ms) / endMs) });
			const byEstimate = (ms: number) => ({ estimatedSeconds: Math.ceil((endMs - ms) / 1000) });
			const found = follow(endMs, n % 2 === 0 ? byProgress : byEstimate);
			if (n >= 20) polls.push(found);
		}
		expect(mean(polls)).toBeLessThanOrEqual(4);
	});

	test("progress is extrapolated from the time after the service's queue", async () => {
		const { polling, submit, clock } = setupPolling();
		const task = submit();
		polling.planFirstPoll(task);
		clock.advance(600_000);
		polling.planNextPoll(task, { ...runningRemoteTask, phase: "queued" });
		clock.advance(20_000);
		const wait = polling.planNextPoll(task, { ...runningRemoteTask, progressPercent: 50 }) - clock.nowMs();
		expect(wait).toBeGreaterThan(15_000);
		expect(wait).toBeLessThan(20_000);
	});

	test("that predict an early end never shorten the interval below its minimum", async () => {
		const { polling, submit, clock } = setupPolling({ typicalSeconds: 1 });
		const task = submit();
		polling.planFirstPoll(task);
		const waitMs = polling.planNextPoll(task, { ...runningRemoteTask, estimatedSeconds: 0 }) - clock.nowMs();
		expect(waitMs).toBeGreaterThanOrEqual(1_000);
	});

	test("an estimate that still says thirty seconds after thirty seconds is ignored", async () => {
		const { polling, submit, clock } = setupPolling();
		const task = submit();
		polling.planFirstPoll(task);
		// Without hints, the estimate is the usual duration.
		expect(polling.readyAtMs(task)).toBeGreaterThan(25_000);
		const remote: OpenRemoteTask = { ...runningRemoteTask, estimatedSeconds: 30 };
		expect(polling.planNextPoll(task, remote)).toBeGreaterThan(24_000);
		expect(polling.readyAtMs(task)).toBe(30_000);
		clock.advance(31_000);
		expect(polling.planNextPoll(task, remote) - clock.nowMs()).toBeLessThan(11_000);
		expect(polling.readyAtMs(task)).toBeLessThan(60_000);
	});
});

test("a process start spreads overdue polls over half of the limit, and delays none twice", () => {
	const { polling, submit } = setupPolling({ pollsPerSecondMax: 20 });
	const found = Array.from({ length: 100 }, () => submit({ submittedAtMs: -600_000 }));
	// Half of 20 polls a second is a poll every 100 ms.
	expect(found.map((task) => polling.planFirstPoll(task))).toStrictEqual(found.map((_, n) => n * 100));
	expect(polling.planFirstPoll(found[99] ?? submit())).toBe(0);
});

describe("the poll limit", () => {
	test("is shared by ten thousand tasks", async () => {
		const { polling, submit, clock } = setupPolling({ pollsPerSecondMax: 100, typicalSeconds: 60 });
		const tasks = Array.from({ length: 10_000 }, () => submit());
		for (const task of tasks) polling.planFirstPoll(task);
		clock.advance(30_000);
		for (const task of tasks) polling.planNextPoll(task, { ...runningRemoteTask, phase: "unknown" });
		const waits = tasks.map(
			(task) => polling.planNextPoll(task, { ...runningRemoteTask, phase: "unknown" }) - clock.nowMs(),
		);
		// The limit of 100 polls a second, and room for the jitter.
		expect(waits.reduce((sum, ms) => sum + 1000 / ms, 0)).toBeLessThan(115);
	});

	test("is not used by tasks that another process continues", async () => {
		const { polling, submit, clock } = setupPolling({ pollsPerSecondMax: 10, typicalSeconds: 60 });
		const waitOf = (): number => {
			const task = submit();
			polling.planFirstPoll(task);
			return polling.planNextPoll(task, { ...runningRemoteTask, phase: "unknown" }) - clock.nowMs();
		};
		const alone = waitOf();
		for (let n = 0; n < 20_000; n++) polling.planFirstPoll(submit());
		expect(waitOf()).toBeGreaterThan(4 * alone);
		clock.advance(24 * 60 * 60_000);
		waitOf();
		expect(waitOf()).toBeLessThan(2 * alone);
	});
});
