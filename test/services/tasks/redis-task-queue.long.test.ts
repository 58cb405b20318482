import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "@redis/client";
import { pino } from "pino";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { openRedisTaskQueue, type RedisTaskQueueDeps } from "../../../src/services/tasks/redis-task-queue.ts";
import type { RunTask, TaskQueue } from "../../../src/services/tasks/task-queue.ts";
import { startProcess } from "../../../bench/lib/child-process.ts";
import { taskQueueContract, recordRuns, schedule } from "./task-queue-contract.ts";
import { startRedisServer } from "@atelier/store/testing/redis-server-for-test";
import { emptyRedis, redisForTests } from "@atelier/store/testing/database-servers";

const HOUR_MS = 60 * 60 * 1000;
const OFTEN = { interval: 10 };
/** Short enough for a test to see a lease end. */
const SHORT_LEASE = { leaseMs: 1_000 };
const url = (await redisForTests()) ?? "";
const silent = pino({ level: "silent" });

const nowMs = (): number => systemClock.nowMs();

async function opened(at: string, deps: Partial<RedisTaskQueueDeps> = {}): Promise<TaskQueue> {
	const queue = await openRedisTaskQueue(at, { clock: systemClock, logger: silent, ...deps });
	onTestFinished(() => queue.stop());
	return queue;
}

describe.skipIf(url === "")("on a real Redis", () => {
	beforeEach(() => emptyRedis(url));

	taskQueueContract("Redis", (options) => openRedisTaskQueue(url, { clock: systemClock, logger: silent, ...options }));

	test("two processes share the runs, and never run the same task at once", async () => {
		const [one, other] = [await opened(url, { runsAtOnceMax: 4 }), await opened(url, { runsAtOnceMax: 4 })];
		// Longer in all than it takes the other process to look for due tasks.
		const { runTask, ranIds, concurrency } = recordRuns(() => sleep(20));
		const runners = new Set<string>();
		const startAs = (name: string, queue: TaskQueue): void =>
			queue.start(async (taskId) => {
				runners.add(name);
				return await runTask(taskId);
			});
		startAs("one", one);
		startAs("other", other);
		await one.addMissing(Array.from({ length: 400 }, (_, n) => ({ taskId: String(n), dueAtMs: nowMs() })));
		await expect.poll(() => ranIds.length, OFTEN).toBe(400);
		expect(new Set(ranIds).size).toBe(400);
		expect(concurrency.twiceAtOnce).toStrictEqual([]);
		expect(runners).toStrictEqual(new Set(["one", "other"]));
	});

	test("a task that is woken in one process while the other runs it runs again", async () => {
		const [here, there] = [await opened(url), await opened(url)];
		const current: { runTask?: RunTask } = {};
		there.start(async (taskId) => await current.runTask?.(taskId));
		for (let round = 0; round < 20; round++) {
			const taskId = `round-${round}`;
			const first = Promise.withResolvers<void>();
			const { runTask, ranIds, concurrency } = recordRuns(async (_, count) => {
				if (count === 1) await first.promise;
				return count < 2 ? nowMs() + HOUR_MS : undefined;
			});
			current.runTask = runTask;
			there.wake(taskId);
			await expect.poll(() => ranIds.length, OFTEN).toBe(1);
			here.wake(taskId);
			// The wake is on its way while the run ends: one of the two sees the other.
			if (round % 2 === 0) await new Promise(setImmediate);
			first.resolve();
			await expect.poll(() => ranIds.length, OFTEN).toBe(2);
			expect(concurrency.twiceAtOnce).toStrictEqual([]);
		}
	});

	test.each([HOUR_MS, -HOUR_MS])("a process whose clock is wrong by %i ms runs tasks on time", async (wrongByMs) => {
		const clock = { ...systemClock, nowMs: () => nowMs() + wrongByMs };
		const [wrong, right] = [await opened(url, { clock }), await opened(url)];
		const { runTask, runCountOf } = recordRuns(async (_, count) => (count < 3 ? clock.nowMs() + 10 : undefined));
		wrong.start(runTask);
		await schedule(right, "1", nowMs() + 500);
		await schedule(wrong, "2", clock.nowMs() + 500);
		expect([await right.oldestOverdueRunMs(), await wrong.oldestOverdueRunMs()]).toStrictEqual([0, 0]);
		await expect.poll(() => [runCountOf("1"), runCountOf("2")], OFTEN).toStrictEqual([3, 3]);
	});

	test("a server whose clock is set back delays no run", async () => {
		const queue = await opened(url);
		const { runTask, ranIds } = recordRuns();
		const client = await createClient({ url }).connect();
		onTestFinished(() => client.destroy());
		// These are of a server whose clock was an hour ahead.
		await client.zAdd("atelier:tasks:waiting", { value: "1", score: nowMs() + HOUR_MS });
		await client.zAdd("atelier:tasks:leased", { value: "2", score: nowMs() + HOUR_MS });
		await client.set("atelier:tasks:clock", nowMs() + HOUR_MS);
		queue.start(runTask);
		await expect.poll(() => ranIds.toSorted(), OFTEN).toStrictEqual(["1", "2"]);
	});
});

describe.skipIf(!startRedisServer.isPossible)("on a Redis of its own", () => {
	test("tasks of a process that is killed during hundreds of leases and releases all run again", async () => {
		const server = await startRedisServer(["--appendonly", "no"]);
		const queue = await opened(server.url);
		const ids = Array.from({ length: 500 }, (_, n) => String(n));
		await queue.addMissing(ids.map((taskId) => ({ taskId, dueAtMs: nowMs() })));
		const child = await startRuns(server.url, "runs 499");
		const { runTask, ranIds, concurrency } = recordRuns(() => sleep(5));
		queue.start(runTask);
		await child.stop("SIGKILL");
		await expect.poll(() => new Set(ranIds).size, OFTEN).toBe(500);
		expect(concurrency.twiceAtOnce).toStrictEqual([]);
	});

	test("a Redis that is killed and restarted empty is filled again; commands continue, and the log is short", async () => {
		const server = await startRedisServer(["--appendonly", "no"]);
		const lines: string[] = [];
		const logger = pino({}, { write: (line) => void lines.push(line) });
		const queue = await opened(server.url, { logger, ...SHORT_LEASE });
		const { runTask, ranIds } = recordRuns(async () => nowMs() + HOUR_MS);
		queue.start(runTask);
		await schedule(queue, "old", nowMs() + HOUR_MS);
		queue.wake("1");
		await expect.poll(() => ranIds.length, OFTEN).toBe(1);
		await server.kill();
		for (let n = 0; n < 300; n++) queue.wake(`meanwhile-${n}`);
		await expect(queue.addMissing([{ taskId: "old", dueAtMs: nowMs() }])).rejects.toThrow("did not respond");
		await expect(queue.oldestOverdueRunMs()).rejects.toThrow("did not respond");
		await server.start();
		await expect.poll(() => ranIds.filter((id) => id.startsWith("meanwhile")).length, OFTEN).toBe(300);
		await queue.addMissing(["old", "1"].map((taskId) => ({ taskId, dueAtMs: nowMs() })));
		await expect.poll(() => ranIds.includes("old"), OFTEN).toBe(true);
		expect(lines.length).toBeLessThan(15);
	});

	test("a process that is suspended for longer than its lease loses no task", async () => {
		const server = await startRedisServer(["--appendonly", "no"]);
		const queue = await opened(server.url, SHORT_LEASE);
		const { runTask, runCountOf } = recordRuns(async (taskId, count) => {
			if (taskId === "blocks" && count === 1) {
				const untilMs = nowMs() + 2 * SHORT_LEASE.leaseMs;
				while (nowMs() < untilMs);
			}
			return count < 3 ? nowMs() + 10 : undefined;
		});
		queue.start(runTask);
		queue.wake("blocks");
		queue.wake("beside");
		await expect.poll(() => runCountOf("blocks"), OFTEN).toBe(3);
		await expect.poll(() => runCountOf("beside"), OFTEN).toBe(3);
	});

	test("a stop does not wait for an unreachable Redis", async () => {
		const server = await startRedisServer(["--appendonly", "no"]);
		const queue = await opened(server.url);
		const { runTask, ranIds } = recordRuns(async () => nowMs() + 1);
		queue.start(runTask);
		queue.wake("1");
		await expect.poll(() => ranIds.length, OFTEN).toBeGreaterThan(1);
		await server.kill();
		queue.wake("2");
		await queue.stop();
	});

	test("a Redis that evicts keys is rejected", async () => {
		const server = await startRedisServer(["--maxmemory-policy", "volatile-lru"]);
		await expect(opened(server.url)).rejects.toThrow("maxmemory-policy volatile-lru");
	});
});

/** Starts a process that runs tasks. Resolves when it has printed the line. */
async function startRuns(at: string, ready: string) {
	const script = fileURLToPath(new URL("task-queue-process.ts", import.meta.url));
	const args = [script, at, String(SHORT_LEASE.leaseMs)];
	const child = await startProcess({ name: "a process with a queue", args, env: {}, ready });
	onTestFinished(() => child.stop("SIGKILL"));
	return child;
}
