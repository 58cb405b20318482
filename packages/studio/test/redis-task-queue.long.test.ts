import { createClient } from "@redis/client";
import { pino } from "pino";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { startRedisServer } from "@atelier/store/testing/redis-server-for-test";
import { emptyRedis, redisForTests } from "@atelier/store/testing/database-servers";
import { openCluster } from "../src/cluster/open-cluster.ts";
import { startRecording, taskOf, taskQueueContract, type RecordedRun } from "./task-queue-contract.ts";

const LONG_WAIT = { timeout: 20_000, interval: 5 };
const HOUR_MS = 60 * 60 * 1000;
/** Short enough for a test to see a lease end. */
const SHORT_LEASE_MS = 1_000;
const ENGINE = "an engine";
const TASKS = "atelier:studio:tasks";
const LEASED = "atelier:studio:leased";
const url = (await redisForTests()) ?? "";
const logger = pino({ level: "silent" });

/** The queue of one process. `crash` breaks its connections, so that it neither renews nor releases its leases. */
async function openProcess({ at = url, concurrency = 1, leaseMs = SHORT_LEASE_MS, engine = ENGINE } = {}) {
	const cluster = await openCluster(at, { clock: systemClock, logger, leaseMs });
	const queue = cluster.queueOf([{ engine, concurrency }]);
	onTestFinished(async () => {
		await queue.stop();
		await cluster.close();
	});
	const add = async (...taskIds: readonly string[]): Promise<void> => {
		for (const taskId of taskIds) await queue.add(taskOf(taskId, engine));
	};
	return { queue, add, crash: () => cluster.close() };
}

/** A process that runs tasks until the test ends them. */
async function startProcess(options?: Parameters<typeof openProcess>[0]) {
	const opened = await openProcess(options);
	const runs: RecordedRun[] = startRecording(opened.queue);
	return { ...opened, runs, started: () => runs.map(({ taskId }) => taskId) };
}

async function connectClient() {
	const client = createClient({ url });
	await client.connect();
	onTestFinished(() => client.destroy());
	return client;
}

describe.skipIf(url === "")("on a real Redis server", () => {
	beforeEach(() => emptyRedis(url));

	taskQueueContract("Redis", async (spec) => {
		await emptyRedis(url);
		return (await openProcess(spec)).queue;
	});

	test("notifies another process of a task for which this process has no free slot", async () => {
		// With this lease, it checks by itself only once a second.
		const [full, free] = [await startProcess({ leaseMs: 60_000 }), await startProcess({ leaseMs: 60_000 })];
		await full.add("a1");
		await expect.poll(full.started, LONG_WAIT).toStrictEqual(["a1"]);
		const addedAtMs = performance.now();
		await full.add("a2");
		await expect.poll(free.started, LONG_WAIT).toStrictEqual(["a2"]);
		expect(performance.now() - addedAtMs).toBeLessThan(500);
	});

	test("takes over the tasks of a crashed process when their leases end, before others, and not earlier", async () => {
		const crashed = await startProcess({ concurrency: 2 });
		const startedAtMs = performance.now();
		await crashed.add("a1", "b1");
		await expect.poll(crashed.started, LONG_WAIT).toHaveLength(2);
		await crashed.crash();
		const other = await startProcess({ leaseMs: SHORT_LEASE_MS });
		await other.add("c1", "c2");
		await expect.poll(other.started, LONG_WAIT).toStrictEqual(["c1"]);
		// The two interrupted tasks wait before it.
		await expect.poll(() => other.queue.positionOf("c2", [ENGINE]), LONG_WAIT).toBe(3);
		expect(performance.now() - startedAtMs).toBeGreaterThan(SHORT_LEASE_MS * 0.9);
		for (let n = 1; n <= 3; n++) {
			other.runs[n - 1]?.end();
			await expect.poll(other.started, LONG_WAIT).toHaveLength(n + 1);
		}
		expect(other.started().slice(1, 3).toSorted()).toStrictEqual(["a1", "b1"]);
		expect(other.started().at(-1)).toBe("c2");
	});

	test("hands the tasks of a stopping process over at once", async () => {
		const [stopping, other] = [await startProcess({ leaseMs: 60_000 }), await startProcess({ leaseMs: 60_000 })];
		await stopping.add("a1");
		await expect.poll(stopping.started, LONG_WAIT).toStrictEqual(["a1"]);
		await stopping.queue.stop();
		await expect.poll(other.started, { timeout: 500 }).toStrictEqual(["a1"]);
	});

	test("keeps the delay of a retry that a process requests while it stops", async () => {
		const [stopping, other] = [await startProcess({ leaseMs: 60_000 }), await startProcess({ leaseMs: 60_000 })];
		await stopping.add("a1");
		await expect.poll(stopping.started, LONG_WAIT).toStrictEqual(["a1"]);
		stopping.runs[0]?.end(taskOf("a1", ENGINE, systemClock.nowMs() + HOUR_MS));
		await stopping.queue.stop();
		await other.add("b1");
		await expect.poll(other.started, LONG_WAIT).toStrictEqual(["b1"]);
		other.runs[0]?.end();
		await expect.poll(() => other.queue.openTasks(), LONG_WAIT).toBe(1);
		expect(other.started()).toStrictEqual(["b1"]);
	});

	test("renews the lease of a long run", async () => {
		const [one, other] = [await startProcess(), await startProcess()];
		await one.add("a1");
		await systemClock.sleep(2.5 * SHORT_LEASE_MS);
		expect([one.started(), other.started()]).toStrictEqual([["a1"], []]);
		expect(one.runs[0]?.stop.aborted).toBe(false);
	});

	test("aborts a run whose lease was lost, and leaves the task to the process that has it", async () => {
		const [one, client] = [await startProcess(), await connectClient()];
		await one.add("a1");
		await expect.poll(one.started, LONG_WAIT).toStrictEqual(["a1"]);
		const [lease = ""] = await client.zRange(LEASED, 0, -1);
		await client.multi().zRem(LEASED, lease).zAdd(LEASED, { score: 1e15, value: "a1 of-another-process" }).exec();
		await expect.poll(() => one.runs[0]?.stop.aborted, LONG_WAIT).toBe(true);
		// Its slot is free again.
		await one.add("b1");
		await expect.poll(one.started, LONG_WAIT).toStrictEqual(["a1", "b1"]);
		expect(await client.zRange(LEASED, 0, -1)).toContain("a1 of-another-process");
		expect(await one.queue.findQueued(["a1"])).toStrictEqual(new Set(["a1"]));
	});

	test("runs a task whose lease was in a lost response, after the end of that lease", async () => {
		const [one, client] = [await startProcess(), await connectClient()];
		const endsAtMs = systemClock.nowMs() + SHORT_LEASE_MS;
		await client.multi().hSet(TASKS, "a1", `a ${ENGINE}`).zAdd(LEASED, { score: endsAtMs, value: "a1 lost" }).exec();
		await one.add("a1");
		await expect.poll(one.started, LONG_WAIT).toStrictEqual(["a1"]);
		expect(systemClock.nowMs()).toBeGreaterThanOrEqual(endsAtMs);
	});

	test("accepts a task again whose engine was removed from the configuration", async () => {
		const earlier = await openProcess({ engine: "removed engine" });
		await earlier.add("a1");
		const later = await startProcess();
		expect(await later.queue.findQueued(["a1"])).toStrictEqual(new Set());
		await later.add("a1");
		await expect.poll(later.started, LONG_WAIT).toStrictEqual(["a1"]);
		expect(await later.queue.openTasks()).toBe(1);
	});

	test("keeps nothing of an ended task", async () => {
		const [one, client] = [await startProcess(), await connectClient()];
		await one.add("a1");
		await expect.poll(one.started, LONG_WAIT).toStrictEqual(["a1"]);
		one.runs[0]?.end();
		await expect.poll(() => client.keys("atelier:studio:*"), LONG_WAIT).toStrictEqual([]);
	});
});

describe.skipIf(!startRedisServer.isPossible)("while the Redis server is away", () => {
	test("aborts a run whose lease it cannot renew, and runs it again afterwards with the tasks that were added", async () => {
		const server = await startRedisServer(["--appendonly", "no"]);
		const one = await startProcess({ at: server.url, concurrency: 2 });
		await one.add("a1");
		await expect.poll(one.started, LONG_WAIT).toStrictEqual(["a1"]);
		await server.kill();
		await one.add("b1");
		expect(await one.queue.openTasks()).toBe(1);
		expect(await one.queue.positionOf("b1", [ENGINE])).toBeNull();
		await expect(one.queue.findQueued(["a1"])).rejects.toThrow("did not respond");
		await expect.poll(() => one.runs[0]?.stop.aborted, LONG_WAIT).toBe(true);
		await server.start();
		await expect.poll(one.started, LONG_WAIT).toStrictEqual(["a1", "b1"]);
		// The server has lost its data: the sweep of the studio adds the task again.
		expect(await one.queue.findQueued(["a1", "b1"])).toStrictEqual(new Set(["b1"]));
		await one.add("a1");
		await expect.poll(one.started, LONG_WAIT).toStrictEqual(["a1", "b1", "a1"]);
	});

	test("stops without waiting for it", async () => {
		const server = await startRedisServer(["--appendonly", "no"]);
		const one = await startProcess({ at: server.url });
		await one.add("a1");
		await expect.poll(one.started, LONG_WAIT).toStrictEqual(["a1"]);
		await server.kill();
		await one.queue.stop();
		expect(one.runs[0]?.stop.aborted).toBe(true);
	});
});
