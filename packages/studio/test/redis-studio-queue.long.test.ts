import { pino } from "pino";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { connectToRedis } from "@atelier/store/redis-connection";
import { startRedisServer } from "@atelier/store/testing/redis-server-for-test";
import { emptyRedis, redisForTests } from "@atelier/store/testing/database-servers";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openCluster } from "../src/cluster/open-cluster.ts";
import { WAITING_CHANNEL } from "../src/cluster/redis-studio-queue-scripts.ts";
import { startRecording, taskOf, studioQueueContract, type RecordedRun } from "./studio-queue-contract.ts";

const OFTEN = { interval: 5 };
const HOUR_MS = 60 * 60 * 1000;
/** Short enough for a test to see a lease end. A busy machine may lose such a lease, so other tests have the long one. */
const SHORT_LEASE_MS = 2_000;
const LONG_LEASE_MS = 60_000;
const ENGINE = "an engine";
const TASKS = "atelier:studio:tasks";
const LEASED = "atelier:studio:leased";
const url = (await redisForTests()) ?? "";
const logger = pino({ level: "silent" });

/** A process that runs tasks until the test ends them. `crash` breaks its connections, so that it neither renews nor releases its leases. */
async function startProcess({
	at = url,
	concurrency = 1,
	leaseMs = SHORT_LEASE_MS,
	engine = ENGINE,
	clock = systemClock,
	isStarted = true,
} = {}) {
	const cluster = await openCluster(at, { clock, logger, leaseMs });
	const queue = cluster.queueOf([{ engine, concurrency }]);
	onTestFinished(async () => {
		await queue.stop();
		await cluster.close();
	});
	const add = async (...taskIds: readonly string[]): Promise<void> => {
		for (const taskId of taskIds) await queue.add(taskOf(taskId, engine));
	};
	const runs: RecordedRun[] = isStarted ? startRecording(queue) : [];
	return { queue, add, crash: () => cluster.close(), runs, started: () => runs.map(({ taskId }) => taskId) };
}

/** A process that runs the task a1. */
async function startBusyProcess(options: Parameters<typeof startProcess>[0] = {}) {
	const started = await startProcess(options);
	await started.add("a1");
	await expect.poll(started.started, OFTEN).toStrictEqual(["a1"]);
	return started;
}

/** A process that takes tasks when it starts and when it is notified, but does not check for them by itself. */
async function startNotifiedProcess() {
	const client = await connectClient();
	const subscribers = async (): Promise<number> => (await client.pubSubNumSub(WAITING_CHANNEL))[WAITING_CHANNEL] ?? 0;
	const before = await subscribers();
	const started = await startProcess({ leaseMs: LONG_LEASE_MS, clock: createManualClock(systemClock.nowMs()) });
	await expect.poll(subscribers, OFTEN).toBeGreaterThan(before);
	return started;
}

async function connectClient() {
	const connection = await connectToRedis(url, { logger, role: "queue" });
	onTestFinished(() => connection.close());
	return connection.client;
}

describe.skipIf(url === "")("on a real Redis server", () => {
	beforeEach(() => emptyRedis(url));

	studioQueueContract("Redis", async (spec) => {
		await emptyRedis(url);
		return (await startProcess({ ...spec, leaseMs: LONG_LEASE_MS, isStarted: false })).queue;
	});

	test("notifies another process of a task for which this process has no free slot", async () => {
		const [full, free] = [await startBusyProcess({ leaseMs: LONG_LEASE_MS }), await startNotifiedProcess()];
		await full.add("a2");
		await expect.poll(free.started, OFTEN).toStrictEqual(["a2"]);
	});

	test("takes over the tasks of a crashed process when their leases end, before others, and not earlier", async () => {
		const crashed = await startProcess({ concurrency: 2 });
		const startedAtMs = performance.now();
		await crashed.add("a1", "b1");
		await expect.poll(crashed.started, OFTEN).toHaveLength(2);
		await crashed.crash();
		const other = await startProcess({ leaseMs: LONG_LEASE_MS });
		await other.add("c1", "c2");
		await expect.poll(other.started, OFTEN).toStrictEqual(["c1"]);
		// The two interrupted tasks wait before it.
		await expect.poll(() => other.queue.positionOf("c2", [ENGINE]), OFTEN).toBe(3);
		expect(performance.now() - startedAtMs).toBeGreaterThan(SHORT_LEASE_MS * 0.9);
		for (let n = 1; n <= 3; n++) {
			other.runs[n - 1]?.end();
			await expect.poll(other.started, OFTEN).toHaveLength(n + 1);
		}
		expect(other.started().slice(1, 3).toSorted()).toStrictEqual(["a1", "b1"]);
		expect(other.started().at(-1)).toBe("c2");
	});

	test("hands the tasks of a stopping process over at once", async () => {
		const [stopping, other] = [await startBusyProcess({ leaseMs: LONG_LEASE_MS }), await startNotifiedProcess()];
		await stopping.queue.stop();
		await expect.poll(other.started, OFTEN).toStrictEqual(["a1"]);
	});

	test("keeps the delay of a retry that a process requests while it stops", async () => {
		const stopping = await startBusyProcess({ leaseMs: LONG_LEASE_MS });
		const other = await startProcess({ leaseMs: LONG_LEASE_MS });
		stopping.runs[0]?.end(taskOf("a1", ENGINE, systemClock.nowMs() + HOUR_MS));
		await stopping.queue.stop();
		await other.add("b1");
		await expect.poll(other.started, OFTEN).toStrictEqual(["b1"]);
		other.runs[0]?.end();
		await expect.poll(() => other.queue.openTasks(), OFTEN).toBe(1);
		expect(other.started()).toStrictEqual(["b1"]);
	});

	test("renews the lease of a long run", async () => {
		const [one, other, client] = [await startProcess(), await startProcess(), await connectClient()];
		const leaseEndsAtMs = async (): Promise<number> => (await client.zRangeWithScores(LEASED, 0, 0))[0]?.score ?? 0;
		await one.add("a1");
		const firstEndsAtMs = await leaseEndsAtMs();
		await expect.poll(leaseEndsAtMs, OFTEN).toBeGreaterThan(firstEndsAtMs + SHORT_LEASE_MS);
		expect([one.started(), other.started()]).toStrictEqual([["a1"], []]);
		expect(one.runs[0]?.stop.aborted).toBe(false);
	});

	test("aborts a run whose lease was lost, and leaves the task to the process that has it", async () => {
		const [one, client] = [await startBusyProcess(), await connectClient()];
		const [lease = ""] = await client.zRange(LEASED, 0, -1);
		await client.multi().zRem(LEASED, lease).zAdd(LEASED, { score: 1e15, value: "a1 of-another-process" }).exec();
		await expect.poll(() => one.runs[0]?.stop.aborted, OFTEN).toBe(true);
		// Its slot is free again.
		await one.add("b1");
		await expect.poll(one.started, OFTEN).toStrictEqual(["a1", "b1"]);
		expect(await client.zRange(LEASED, 0, -1)).toContain("a1 of-another-process");
		expect(await one.queue.findQueued(["a1"])).toStrictEqual(new Map([["a1", ENGINE]]));
	});

	test("runs a task whose lease was in a lost response, after the end of that lease", async () => {
		const [one, client] = [await startProcess(), await connectClient()];
		const endsAtMs = systemClock.nowMs() + SHORT_LEASE_MS;
		await client.multi().hSet(TASKS, "a1", `a ${ENGINE}`).zAdd(LEASED, { score: endsAtMs, value: "a1 lost" }).exec();
		await one.add("a1");
		await expect.poll(one.started, OFTEN).toStrictEqual(["a1"]);
		expect(systemClock.nowMs()).toBeGreaterThanOrEqual(endsAtMs);
	});

	test("accepts a task again whose engine was removed from the configuration", async () => {
		const earlier = await startProcess({ engine: "removed engine", isStarted: false });
		await earlier.add("a1");
		const later = await startProcess();
		expect(await later.queue.findQueued(["a1"])).toStrictEqual(new Map([["a1", "removed engine"]]));
		await later.queue.remove("a1");
		await later.add("a1");
		await expect.poll(later.started, OFTEN).toStrictEqual(["a1"]);
		expect(await later.queue.openTasks()).toBe(1);
	});

	test("leaves tasks of an engine that only another process has", async () => {
		const engine = "a new engine";
		const other = await startBusyProcess({ engine, leaseMs: LONG_LEASE_MS });
		await other.add("b1");
		const one = await startProcess({ leaseMs: LONG_LEASE_MS });
		for (let n = 1; n <= 2; n++)
			expect([...(await one.queue.findQueued(["a1", "b1"]))]).toStrictEqual([
				["a1", engine],
				["b1", engine],
			]);
		expect(await other.queue.positionOf("b1", [engine])).toBe(1);
		expect(other.runs[0]?.stop.aborted).toBe(false);
	});

	test("keeps nothing of an ended task", async () => {
		const [one, client] = [await startProcess({ leaseMs: LONG_LEASE_MS }), await connectClient()];
		await one.add("a1", "a2");
		await expect.poll(one.started, OFTEN).toStrictEqual(["a1"]);
		one.runs[0]?.end();
		await expect.poll(one.started, OFTEN).toStrictEqual(["a1", "a2"]);
		one.runs[1]?.end();
		await expect.poll(() => client.keys("atelier:studio:*"), OFTEN).toStrictEqual([]);
	});
});

describe.skipIf(!startRedisServer.isPossible)("while the Redis server is away", () => {
	test("aborts a run whose lease it cannot renew, and can run it again afterwards", async () => {
		const server = await startRedisServer(["--appendonly", "no"]);
		const one = await startBusyProcess({ at: server.url, concurrency: 2 });
		await server.kill();
		await expect(one.add("b1")).rejects.toThrow("did not respond");
		expect(await one.queue.openTasks()).toBe(0);
		expect(await one.queue.positionOf("b1", [ENGINE])).toBeNull();
		await expect(one.queue.findQueued(["a1"])).rejects.toThrow("did not respond");
		await expect.poll(() => one.runs[0]?.stop.aborted, OFTEN).toBe(true);
		await server.start();
		// The server has lost its data: the sweep of the studio adds both tasks.
		await expect.poll(() => one.queue.findQueued(["a1", "b1"]).catch(String), OFTEN).toStrictEqual(new Map());
		await one.add("b1", "a1");
		await expect.poll(one.started, OFTEN).toStrictEqual(["a1", "b1", "a1"]);
	});

	test("stops without waiting for it", async () => {
		const server = await startRedisServer(["--appendonly", "no"]);
		const one = await startBusyProcess({ at: server.url });
		await server.kill();
		await one.queue.stop();
		expect(one.runs[0]?.stop.aborted).toBe(true);
	});
});
