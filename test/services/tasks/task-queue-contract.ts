import { setImmediate as settle, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import type { RunTask, TaskQueue } from "../../../src/services/tasks/task-queue.ts";

const HOUR_MS = 60 * 60 * 1000;
const OFTEN = { interval: 5 };

interface TaskQueueOptions {
	readonly runsAtOnceMax?: number;
}

/** Opens an empty queue, which is stopped at the end of the test. */
type OpenTaskQueue = (options?: TaskQueueOptions) => Promise<TaskQueue>;

const nowMs = (): number => systemClock.nowMs();

export async function schedule(queue: TaskQueue, taskId: string, dueAtMs: number): Promise<void> {
	await queue.addMissing([{ taskId, dueAtMs }]);
}

/** A run that records the tasks that ran and their concurrency. `nextRunOf` returns the time of the next run. */
export function recordRuns(
	nextRunOf: (taskId: string, runCount: number) => ReturnType<RunTask> = async () => undefined,
) {
	const ranIds: string[] = [];
	const running = new Set<string>();
	const concurrency = { atOnceMax: 0, twiceAtOnce: [] as string[] };
	const runCountOf = (taskId: string): number => ranIds.filter((id) => id === taskId).length;
	const runTask: RunTask = async (taskId) => {
		if (running.has(taskId)) concurrency.twiceAtOnce.push(taskId);
		running.add(taskId);
		ranIds.push(taskId);
		concurrency.atOnceMax = Math.max(concurrency.atOnceMax, running.size);
		try {
			return await nextRunOf(taskId, runCountOf(taskId));
		} finally {
			running.delete(taskId);
		}
	};
	return { runTask, ranIds, concurrency, runCountOf };
}

/** The contract of every task queue. Runs on the real clock, and does not depend on its speed. */
export function taskQueueContract(name: string, open: OpenTaskQueue): void {
	const opened = async (options?: TaskQueueOptions): Promise<TaskQueue> => {
		const queue = await open(options);
		onTestFinished(() => queue.stop());
		return queue;
	};
	const started = async (nextRunOf?: Parameters<typeof recordRuns>[0], options?: TaskQueueOptions) => {
		const queue = await opened(options);
		const { runTask, ...recorded } = recordRuns(nextRunOf);
		queue.start(runTask);
		return { queue, ...recorded };
	};
	/** A started queue, whose runs of the task `hangs` end with `release`. */
	const startedHanging = async (options?: TaskQueueOptions) => {
		const { promise, resolve } = Promise.withResolvers<number | undefined>();
		const fixture = await started(async (taskId) => (taskId === "hangs" ? await promise : undefined), options);
		fixture.queue.wake("hangs");
		await expect.poll(() => fixture.ranIds, OFTEN).toStrictEqual(["hangs"]);
		return { ...fixture, release: (nextAtMs?: number) => resolve(nextAtMs) };
	};

	describe(`the task queue: ${name}`, () => {
		test("runs tasks in the order of their due times, and not before", async () => {
			const queue = await opened({ runsAtOnceMax: 1 });
			// Far enough ahead for all of them to be scheduled before the first is due.
			const startMs = nowMs() + 1_000;
			const dueAtMs = (taskId: string | number): number => startMs + Number(taskId) * 50;
			const earlyIds: string[] = [];
			const { runTask, ranIds } = recordRuns(async (taskId) => {
				if (nowMs() < dueAtMs(taskId)) earlyIds.push(taskId);
				return undefined;
			});
			for (const n of [3, 1, 5, 2, 4]) await schedule(queue, String(n), dueAtMs(n));
			queue.start(runTask);
			await expect.poll(() => ranIds, OFTEN).toStrictEqual(["1", "2", "3", "4", "5"]);
			expect(earlyIds).toStrictEqual([]);
		});

		test("runs a task again as its run requests, until it requests none", async () => {
			const { queue, ranIds, runCountOf } = await started(async (_, count) => (count < 4 ? nowMs() + 20 : undefined));
			queue.wake("1");
			await expect.poll(() => ranIds.length, OFTEN).toBe(4);
			await oneMoreRun(queue, ranIds);
			expect(runCountOf("1")).toBe(4);
		});

		test("runs a woken task at once, although it was due later", async () => {
			const { queue, ranIds } = await started();
			await schedule(queue, "1", nowMs() + HOUR_MS);
			queue.wake("1");
			await expect.poll(() => ranIds, OFTEN).toStrictEqual(["1"]);
			await oneMoreRun(queue, ranIds);
			expect(ranIds).toHaveLength(2);
		});

		test("runs a task that is woken during its run again, and not concurrently", async () => {
			const { queue, ranIds, concurrency, runCountOf, release } = await startedHanging();
			queue.wake("hangs");
			queue.wake("hangs");
			await oneMoreRun(queue, ranIds);
			release(nowMs() + HOUR_MS);
			await expect.poll(() => runCountOf("hangs"), OFTEN).toBe(2);
			expect(concurrency.twiceAtOnce).toStrictEqual([]);
		});

		test("continues after a run that throws, with other tasks and with the same", async () => {
			const { queue, ranIds, runCountOf } = await started(
				async (taskId, count) =>
					taskId === "1" && count === 1 ? await Promise.reject(new Error("a fault")) : undefined,
				{ runsAtOnceMax: 1 },
			);
			queue.wake("1");
			await expect.poll(() => ranIds.length, OFTEN).toBe(1);
			await oneMoreRun(queue, ranIds);
			queue.wake("1");
			await expect.poll(() => runCountOf("1"), OFTEN).toBe(2);
		});

		test("starts no runs after a stop, and waits for running ones", async () => {
			const { queue, ranIds, release } = await startedHanging();
			const stopped = queue.stop();
			queue.wake("2");
			expect(await Promise.race([stopped, settle("waits")])).toBe("waits");
			release();
			await stopped;
			expect(ranIds).toStrictEqual(["hangs"]);
		});

		test("limits concurrent runs, and runs every task in the end", async () => {
			const { queue, ranIds, concurrency } = await started(() => sleep(2), { runsAtOnceMax: 3 });
			const ids = Array.from({ length: 60 }, (_, n) => String(n));
			await queue.addMissing(ids.map((taskId) => ({ taskId, dueAtMs: nowMs() })));
			await expect.poll(() => ranIds.length, OFTEN).toBe(60);
			expect(ranIds.toSorted()).toStrictEqual(ids.toSorted());
			expect(concurrency.atOnceMax).toBe(3);
		});

		test("schedules tasks without a run, and leaves the others unchanged", async () => {
			const { queue, ranIds, runCountOf, release } = await startedHanging();
			await schedule(queue, "later", nowMs() + HOUR_MS);
			await queue.addMissing(["later", "hangs", "missing"].map((taskId) => ({ taskId, dueAtMs: nowMs() })));
			await expect.poll(() => ranIds.includes("missing"), OFTEN).toBe(true);
			release();
			await oneMoreRun(queue, ranIds);
			expect([runCountOf("later"), runCountOf("hangs")]).toStrictEqual([0, 1]);
		});

		test("reports the oldest overdue run, which is not one that is due later", async () => {
			const { queue, release } = await startedHanging({ runsAtOnceMax: 1 });
			await schedule(queue, "later", nowMs() + HOUR_MS);
			expect(await queue.oldestOverdueRunMs()).toBe(0);
			queue.wake("waits");
			await expect.poll(() => queue.oldestOverdueRunMs(), OFTEN).toBeGreaterThan(20);
			release();
			await expect.poll(() => queue.oldestOverdueRunMs(), OFTEN).toBe(0);
		});
	});
}

/** Resolves when the queue has run another task: earlier due runs have started by then. */
async function oneMoreRun(queue: TaskQueue, ranIds: readonly string[]): Promise<void> {
	queue.wake("another");
	await expect.poll(() => ranIds.includes("another"), OFTEN).toBe(true);
}
