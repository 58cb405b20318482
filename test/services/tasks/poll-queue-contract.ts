import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import type { Poll, PollQueue } from "../../../src/services/tasks/poll-queue.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Longer than any machine takes, shorter than a test may. */
const PATIENCE = { timeout: 20_000, interval: 5 };

interface PollQueueOptions {
	readonly pollsAtOnceMax?: number;
}

interface PollQueueAdapter {
	/** Empties what the queues of this test file share. */
	readonly empty?: () => Promise<void>;
	/** Opens a queue that is stopped at the end of the test. */
	readonly open: (options?: PollQueueOptions) => Promise<PollQueue>;
}

const nowMs = (): number => systemClock.nowMs();

/** Looks that note who was looked at, in which order, and how many at once; `answers` says what comes of a look. */
export function witness(answer: (taskId: string, times: number) => ReturnType<Poll> = async () => undefined) {
	const polled: string[] = [];
	const now = new Set<string>();
	const seen = { atOnceMax: 0, twiceAtOnce: [] as string[] };
	const poll: Poll = async (taskId) => {
		if (now.has(taskId)) seen.twiceAtOnce.push(taskId);
		now.add(taskId);
		polled.push(taskId);
		seen.atOnceMax = Math.max(seen.atOnceMax, now.size);
		try {
			return await answer(taskId, polled.filter((id) => id === taskId).length);
		} finally {
			now.delete(taskId);
		}
	};
	const times = (taskId: string): number => polled.filter((id) => id === taskId).length;
	return { poll, polled, now, seen, times };
}

/** The contract of every poll queue. Runs on the real clock, and does not depend on its speed. */
export function pollQueueContract(name: string, { open, empty }: PollQueueAdapter): void {
	const opened = async (options?: PollQueueOptions): Promise<PollQueue> => {
		const queue = await open(options);
		onTestFinished(() => queue.stop());
		return queue;
	};

	describe(`the poll queue: ${name}`, () => {
		beforeEach(async () => await empty?.());

		test("polls a task when it is due, and not before", async () => {
			const queue = await opened();
			const dueAtMs = nowMs() + 150;
			const at = Promise.withResolvers<number>();
			queue.start(async () => {
				at.resolve(nowMs());
				return undefined;
			});
			queue.schedule("1", dueAtMs);
			expect(await at.promise).toBeGreaterThanOrEqual(dueAtMs);
		});

		test("polls tasks in the order of their due times", async () => {
			const queue = await opened({ pollsAtOnceMax: 1 });
			const { poll, polled } = witness();
			// Far enough ahead for all of them to be scheduled before the first is due.
			const startMs = nowMs() + 1_000;
			for (const n of [3, 1, 5, 2, 4]) queue.schedule(String(n), startMs + n * 50);
			queue.start(poll);
			await expect.poll(() => polled.length, PATIENCE).toBe(5);
			expect(polled).toStrictEqual(["1", "2", "3", "4", "5"]);
		});

		test("polls a task again as its poll requests, until it requests none", async () => {
			const queue = await opened();
			const { poll, polled } = witness(async (_, times) => (times < 4 ? nowMs() + 20 : undefined));
			queue.start(poll);
			queue.wake("1");
			await expect.poll(() => polled.length, PATIENCE).toBe(4);
			await oneMorePoll(queue, polled);
			expect(polled.filter((id) => id === "1")).toHaveLength(4);
		});

		test("moves a poll to an earlier or later time", async () => {
			const queue = await opened();
			const { poll, polled } = witness();
			queue.start(poll);
			queue.schedule("forward", nowMs() + HOUR_MS);
			queue.schedule("off", nowMs() + 1_000);
			queue.schedule("off", nowMs() + HOUR_MS);
			queue.schedule("forward", nowMs() + 1_500);
			await expect.poll(() => polled.length, PATIENCE).toBe(1);
			expect(polled).toStrictEqual(["forward"]);
			queue.schedule("off", nowMs());
			await expect.poll(() => polled, PATIENCE).toStrictEqual(["forward", "off"]);
		});

		test("polls a woken task at once, although it was due later", async () => {
			const queue = await opened();
			const { poll, polled } = witness();
			queue.start(poll);
			queue.schedule("1", nowMs() + HOUR_MS);
			queue.wake("1");
			await expect.poll(() => polled, PATIENCE).toStrictEqual(["1"]);
			await oneMorePoll(queue, polled);
			expect(polled).toHaveLength(2);
		});

		test("polls a task that is woken during its poll again, and not concurrently", async () => {
			const queue = await opened();
			const first = Promise.withResolvers<void>();
			const { poll, polled, seen } = witness(async (_, times) => {
				if (times === 1) await first.promise;
				return nowMs() + HOUR_MS;
			});
			queue.start(poll);
			queue.wake("1");
			await expect.poll(() => polled.length, PATIENCE).toBe(1);
			queue.wake("1");
			queue.wake("1");
			await oneMorePoll(queue, polled);
			first.resolve();
			await expect.poll(() => polled.filter((id) => id === "1").length, PATIENCE).toBe(2);
			expect(seen.twiceAtOnce).toStrictEqual([]);
		});

		test("continues after a poll that throws, with other tasks and with the same", async () => {
			const queue = await opened({ pollsAtOnceMax: 1 });
			const { poll, polled } = witness(async (taskId, times) => {
				if (taskId === "1" && times === 1) throw new Error("a fault");
				return undefined;
			});
			queue.start(poll);
			queue.wake("1");
			await expect.poll(() => polled.length, PATIENCE).toBe(1);
			await oneMorePoll(queue, polled);
			queue.wake("1");
			await expect.poll(() => polled.filter((id) => id === "1").length, PATIENCE).toBe(2);
		});

		test("loses one slot to a poll that hangs", async () => {
			const queue = await opened({ pollsAtOnceMax: 2 });
			const hanging = Promise.withResolvers<undefined>();
			const { poll, polled } = witness((taskId) => (taskId === "hangs" ? hanging.promise : Promise.resolve(undefined)));
			queue.start(poll);
			queue.wake("hangs");
			await expect.poll(() => polled.length, PATIENCE).toBe(1);
			for (let n = 0; n < 20; n++) queue.wake(String(n));
			await expect.poll(() => polled.length, PATIENCE).toBe(21);
			hanging.resolve(undefined);
		});

		test("starts no polls after a stop, and waits for running ones", async () => {
			const queue = await opened();
			const first = Promise.withResolvers<undefined>();
			const { poll, polled, now } = witness(() => first.promise);
			queue.start(poll);
			queue.wake("1");
			await expect.poll(() => polled.length, PATIENCE).toBe(1);
			let isStopped = false;
			const stopping = queue.stop().then(() => (isStopped = true));
			queue.wake("2");
			await new Promise(setImmediate);
			expect(isStopped).toBe(false);
			first.resolve(undefined);
			await stopping;
			expect(now.size).toBe(0);
			expect(polled).toStrictEqual(["1"]);
		});

		test("limits concurrent polls, and polls every task in the end", async () => {
			const queue = await opened({ pollsAtOnceMax: 3 });
			const { poll, polled, seen } = witness(async () => {
				await new Promise((resolve) => setTimeout(resolve, 2));
				return undefined;
			});
			const ids = Array.from({ length: 60 }, (_, n) => String(n));
			queue.start(poll);
			for (const id of ids) queue.schedule(id, nowMs());
			await expect.poll(() => polled.length, PATIENCE).toBe(60);
			expect(polled.toSorted()).toStrictEqual(ids.toSorted());
			expect(seen.atOnceMax).toBe(3);
		});

		test("polls a task that is woken many times once at a time", async () => {
			const queue = await opened();
			const { poll, polled, seen } = witness(async () => {
				await new Promise((resolve) => setTimeout(resolve, 1));
				return nowMs() + 1;
			});
			queue.start(poll);
			for (let round = 0; round < 50; round++) {
				for (const id of ["1", "2", "3"]) queue.wake(id);
				const before = polled.length;
				await expect.poll(() => polled.length, PATIENCE).toBeGreaterThan(before);
			}
			expect(seen.twiceAtOnce).toStrictEqual([]);
		});

		test("schedules tasks without a poll, and leaves the others unchanged", async () => {
			const queue = await opened();
			const hanging = Promise.withResolvers<undefined>();
			const { poll, polled } = witness((taskId) => (taskId === "now" ? hanging.promise : Promise.resolve(undefined)));
			queue.start(poll);
			queue.schedule("later", nowMs() + HOUR_MS);
			queue.wake("now");
			await expect.poll(() => polled.length, PATIENCE).toBe(1);
			await untilKnown(queue, polled, "later");
			await queue.addMissing(["later", "now", "missing"].map((taskId) => ({ taskId, dueAtMs: nowMs() })));
			await expect.poll(() => polled.includes("missing"), PATIENCE).toBe(true);
			hanging.resolve(undefined);
			await oneMorePoll(queue, polled);
			expect(polled.filter((id) => id === "later" || id === "now")).toStrictEqual(["now"]);
		});

		test("polls each of thousands of tasks once", async () => {
			const queue = await opened();
			const { poll, polled } = witness();
			const ids = Array.from({ length: 3_000 }, (_, n) => String(n));
			queue.start(poll);
			await queue.addMissing(ids.map((taskId, n) => ({ taskId, dueAtMs: nowMs() + (n % 100) })));
			await expect.poll(() => polled.length, PATIENCE).toBe(3_000);
			expect(new Set(polled).size).toBe(3_000);
		});

		test("reports the oldest overdue poll, which is not one that is due later", async () => {
			const queue = await opened({ pollsAtOnceMax: 1 });
			const hanging = Promise.withResolvers<undefined>();
			const { poll, polled } = witness((taskId) => (taskId === "hangs" ? hanging.promise : Promise.resolve(undefined)));
			queue.start(poll);
			queue.schedule("later", nowMs() + HOUR_MS);
			queue.wake("hangs");
			await expect.poll(() => polled.length, PATIENCE).toBe(1);
			expect(await queue.oldestOverdueMs()).toBe(0);
			queue.wake("waits");
			await expect.poll(() => queue.oldestOverdueMs(), PATIENCE).toBeGreaterThan(20);
			hanging.resolve(undefined);
			await expect.poll(() => queue.oldestOverdueMs(), PATIENCE).toBe(0);
		});

		test("grants the lease to one process", async () => {
			expect(await (await opened()).takesTurn(HOUR_MS)).toBe(true);
		});
	});
}

/** Resolves when the queue has polled another task: earlier due polls have started by then. */
async function oneMorePoll(queue: PollQueue, polled: readonly string[]): Promise<void> {
	queue.wake("somebody-else");
	await expect.poll(() => polled.includes("somebody-else"), PATIENCE).toBe(true);
}

/** A schedule may take a moment to arrive; a poll that was scheduled later comes after it. */
async function untilKnown(queue: PollQueue, polled: readonly string[], taskId: string): Promise<void> {
	queue.wake(`after-${taskId}`);
	await expect.poll(() => polled.includes(`after-${taskId}`), PATIENCE).toBe(true);
}
