import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import type { PollTask, PollQueue } from "../../../src/services/tasks/poll-queue.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Longer than any machine needs, and shorter than the time limit of a test. */
const LONG_WAIT = { timeout: 20_000, interval: 5 };

interface PollQueueOptions {
	readonly pollsAtOnceMax?: number;
}

/** Opens an empty queue, which is stopped at the end of the test. */
type OpenPollQueue = (options?: PollQueueOptions) => Promise<PollQueue>;

const nowMs = (): number => systemClock.nowMs();

export async function schedule(queue: PollQueue, taskId: string, dueAtMs: number): Promise<void> {
	await queue.addMissing([{ taskId, dueAtMs }]);
}

/** A poll that records the polled tasks and their concurrency. `nextPollOf` returns the time of the next poll. */
export function recordPolls(
	nextPollOf: (taskId: string, pollCount: number) => ReturnType<PollTask> = async () => undefined,
) {
	const polled: string[] = [];
	const running = new Set<string>();
	const concurrency = { atOnceMax: 0, twiceAtOnce: [] as string[] };
	const pollCountOf = (taskId: string): number => polled.filter((id) => id === taskId).length;
	const poll: PollTask = async (taskId) => {
		if (running.has(taskId)) concurrency.twiceAtOnce.push(taskId);
		running.add(taskId);
		polled.push(taskId);
		concurrency.atOnceMax = Math.max(concurrency.atOnceMax, running.size);
		try {
			return await nextPollOf(taskId, pollCountOf(taskId));
		} finally {
			running.delete(taskId);
		}
	};
	return { poll, polled, concurrency, pollCountOf };
}

/** The contract of every poll queue. Runs on the real clock, and does not depend on its speed. */
export function pollQueueContract(name: string, open: OpenPollQueue): void {
	const opened = async (options?: PollQueueOptions): Promise<PollQueue> => {
		const queue = await open(options);
		onTestFinished(() => queue.stop());
		return queue;
	};
	const started = async (nextPollOf?: Parameters<typeof recordPolls>[0], options?: PollQueueOptions) => {
		const queue = await opened(options);
		const { poll, ...recorded } = recordPolls(nextPollOf);
		queue.start(poll);
		return { queue, ...recorded };
	};
	/** A started queue, whose polls of the task `hangs` end with `release`. */
	const startedHanging = async (options?: PollQueueOptions) => {
		const { promise, resolve } = Promise.withResolvers<number | undefined>();
		const fixture = await started(async (taskId) => (taskId === "hangs" ? await promise : undefined), options);
		fixture.queue.wake("hangs");
		await expect.poll(() => fixture.polled, LONG_WAIT).toStrictEqual(["hangs"]);
		return { ...fixture, release: (nextAtMs?: number) => resolve(nextAtMs) };
	};

	describe(`the poll queue: ${name}`, () => {
		test("polls a task when it is due, and not before", async () => {
			const queue = await opened();
			const dueAtMs = nowMs() + 150;
			const at = Promise.withResolvers<number>();
			queue.start(async () => {
				at.resolve(nowMs());
				return undefined;
			});
			await schedule(queue, "1", dueAtMs);
			expect(await at.promise).toBeGreaterThanOrEqual(dueAtMs);
		});

		test("polls tasks in the order of their due times", async () => {
			const queue = await opened({ pollsAtOnceMax: 1 });
			const { poll, polled } = recordPolls();
			// Far enough ahead for all of them to be scheduled before the first is due.
			const startMs = nowMs() + 1_000;
			for (const n of [3, 1, 5, 2, 4]) await schedule(queue, String(n), startMs + n * 50);
			queue.start(poll);
			await expect.poll(() => polled.length, LONG_WAIT).toBe(5);
			expect(polled).toStrictEqual(["1", "2", "3", "4", "5"]);
		});

		test("polls a task again as its poll requests, until it requests none", async () => {
			const { queue, polled, pollCountOf } = await started(async (_, count) => (count < 4 ? nowMs() + 20 : undefined));
			queue.wake("1");
			await expect.poll(() => polled.length, LONG_WAIT).toBe(4);
			await oneMorePoll(queue, polled);
			expect(pollCountOf("1")).toBe(4);
		});

		test("polls a woken task at once, although it was due later", async () => {
			const { queue, polled } = await started();
			await schedule(queue, "1", nowMs() + HOUR_MS);
			queue.wake("1");
			await expect.poll(() => polled, LONG_WAIT).toStrictEqual(["1"]);
			await oneMorePoll(queue, polled);
			expect(polled).toHaveLength(2);
		});

		test("polls a task that is woken during its poll again, and not concurrently", async () => {
			const { queue, polled, concurrency, pollCountOf, release } = await startedHanging();
			queue.wake("hangs");
			queue.wake("hangs");
			await oneMorePoll(queue, polled);
			release(nowMs() + HOUR_MS);
			await expect.poll(() => pollCountOf("hangs"), LONG_WAIT).toBe(2);
			expect(concurrency.twiceAtOnce).toStrictEqual([]);
		});

		test("continues after a poll that throws, with other tasks and with the same", async () => {
			const { queue, polled, pollCountOf } = await started(
				async (taskId, count) =>
					taskId === "1" && count === 1 ? await Promise.reject(new Error("a fault")) : undefined,
				{ pollsAtOnceMax: 1 },
			);
			queue.wake("1");
			await expect.poll(() => polled.length, LONG_WAIT).toBe(1);
			await oneMorePoll(queue, polled);
			queue.wake("1");
			await expect.poll(() => pollCountOf("1"), LONG_WAIT).toBe(2);
		});

		test("loses one slot to a poll that hangs", async () => {
			const { queue, polled, release } = await startedHanging({ pollsAtOnceMax: 2 });
			for (let n = 0; n < 20; n++) queue.wake(String(n));
			await expect.poll(() => polled.length, LONG_WAIT).toBe(21);
			release();
		});

		test("starts no polls after a stop, and waits for running ones", async () => {
			const { queue, polled, release } = await startedHanging();
			let isStopped = false;
			const stopping = queue.stop().then(() => (isStopped = true));
			queue.wake("2");
			await new Promise(setImmediate);
			expect(isStopped).toBe(false);
			release();
			await stopping;
			expect(polled).toStrictEqual(["hangs"]);
		});

		test("limits concurrent polls, and polls every task in the end", async () => {
			const { queue, polled, concurrency } = await started(() => sleep(2), { pollsAtOnceMax: 3 });
			const ids = Array.from({ length: 60 }, (_, n) => String(n));
			await queue.addMissing(ids.map((taskId) => ({ taskId, dueAtMs: nowMs() })));
			await expect.poll(() => polled.length, LONG_WAIT).toBe(60);
			expect(polled.toSorted()).toStrictEqual(ids.toSorted());
			expect(concurrency.atOnceMax).toBe(3);
		});

		test("polls a task that is woken many times once at a time", async () => {
			const { queue, polled, concurrency } = await started(() => sleep(1, nowMs() + 1));
			for (let round = 0; round < 50; round++) {
				for (const id of ["1", "2", "3"]) queue.wake(id);
				const before = polled.length;
				await expect.poll(() => polled.length, LONG_WAIT).toBeGreaterThan(before);
			}
			expect(concurrency.twiceAtOnce).toStrictEqual([]);
		});

		test("schedules tasks without a poll, and leaves the others unchanged", async () => {
			const { queue, polled, pollCountOf, release } = await startedHanging();
			await schedule(queue, "later", nowMs() + HOUR_MS);
			await queue.addMissing(["later", "hangs", "missing"].map((taskId) => ({ taskId, dueAtMs: nowMs() })));
			await expect.poll(() => polled.includes("missing"), LONG_WAIT).toBe(true);
			release();
			await oneMorePoll(queue, polled);
			expect([pollCountOf("later"), pollCountOf("hangs")]).toStrictEqual([0, 1]);
		});

		test("polls each of thousands of tasks once", async () => {
			const { queue, polled } = await started();
			const ids = Array.from({ length: 3_000 }, (_, n) => String(n));
			await queue.addMissing(ids.map((taskId, n) => ({ taskId, dueAtMs: nowMs() + (n % 100) })));
			await expect.poll(() => polled.length, LONG_WAIT).toBe(3_000);
			expect(new Set(polled).size).toBe(3_000);
		});

		test("reports the oldest overdue poll, which is not one that is due later", async () => {
			const { queue, release } = await startedHanging({ pollsAtOnceMax: 1 });
			await schedule(queue, "later", nowMs() + HOUR_MS);
			expect(await queue.oldestOverduePollMs()).toBe(0);
			queue.wake("waits");
			await expect.poll(() => queue.oldestOverduePollMs(), LONG_WAIT).toBeGreaterThan(20);
			release();
			await expect.poll(() => queue.oldestOverduePollMs(), LONG_WAIT).toBe(0);
		});
	});
}

/** Resolves when the queue has polled another task: earlier due polls have started by then. */
async function oneMorePoll(queue: PollQueue, polled: readonly string[]): Promise<void> {
	queue.wake("another");
	await expect.poll(() => polled.includes("another"), LONG_WAIT).toBe(true);
}
