/** Recovery by the sweep: after damage, after a lost notification, and during an outage of the queue. */
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { openStore } from "@atelier/store/open-store";
import { startTaskSweeper } from "../src/task-sweeper.ts";
import { createFakeEngine, type Script } from "../testing/fake-engine.ts";
import { createPausedQueue } from "../testing/paused-queue.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { setup, until } from "../testing/studio-setup.ts";

const SWEEP_MS = 30_000;
const GRACE_MS = 20_000;
const HOUR_MS = 3_600_000;
const HANG: Script = { kind: "hang" };

test("a corrupt task and one without its hold block neither the start nor other tasks", async () => {
	const storage = createMemoryAdapter();
	const store = createKeyvStore(storage);
	const first = await setup({ store, engine: createFakeEngine({ script: [HANG, HANG, HANG] }) });
	const [unheld, damaged, whole] = [await first.submitTask(), await first.submitTask(), await first.submitTask()];
	await first.studio.stop();
	const stored = await store.get<object>(`studio-task:${unheld}`);
	const ended = { state: "success", outputs: [], mediaRemovedAtMs: null, completedAtMs: first.clock.nowMs() };
	await store.set(`studio-task:${unheld}`, { ...stored?.value, ...ended });
	await first.ledger.void("studio:acme", unheld, { by: "system", reason: "lost", taskId: unheld });
	await storage.set(`studio-task:${damaged}`, "cut sho");
	await storage.set("studio-open:task_0", "cut sho");
	await storage.set("studio-callback-due:task_0", "cut sho");
	const { mediaDir, clock } = first;
	const { readLog } = await setup({ store, clock, mediaDir, credits: 0 });
	await until(async () => (await store.get(`studio-open:${whole}`)) === undefined);
	// The whole task is charged, and the credits of the damaged one stay reserved.
	expect(await first.ledger.balance("studio:acme")).toMatchObject({ postedCredits: 96, heldCredits: 4 });
	expect(readLog()).toContain(`studio-task:${damaged}`);
	expect(readLog()).toContain(`${unheld}: the ledger rejected the operation: already_voided`);
	expect(readLog()).toContain("studio-open:task_0");
});

test("a process finds a cancellation without notification in its next round, even if another one sweeps", async () => {
	const store = await openStore("memory:");
	const clock = createManualClock();
	const engine = createFakeEngine({ script: [HANG] });
	const [first, second] = [createPausedQueue(), createPausedQueue()];
	const worker = await setup({ store, clock, engine, cluster: first.cluster });
	const { mediaDir } = worker;
	const other = await setup({ store, clock, mediaDir, cluster: second.cluster, credits: 0 });
	const taskId = await worker.submitTask();
	const working = first.runTask(taskId, "fake");
	await worker.awaitStatus(taskId, "processing");
	await until(() => engine.runs.length === 1);
	const { status } = await other.call("POST", `/api/v1/task/${taskId}/cancel`, { key: worker.key });
	expect(status).toBe(200);
	expect(engine.runs[0]?.signal.aborted).toBe(false);
	// Another process has the lease.
	await store.set("studio-sweep-turn", { atMs: clock.nowMs() + SWEEP_MS });
	await clock.advance(SWEEP_MS);
	await working;
	expect(engine.runs[0]?.signal.aborted).toBe(true);
	expect(await worker.readTask(taskId)).toMatchObject({ status: "canceled", costCredits: 0 });
	expect(await worker.readBalance()).toMatchObject({ heldCredits: 0, postedCredits: 100 });
});

/** A studio on a queue that the test controls and makes unavailable. */
async function setupWithQueue() {
	const paused = createPausedQueue({ graceMs: GRACE_MS });
	const engine = createFakeEngine({ script: [HANG, HANG] });
	const studio = await setup({ engine, cluster: paused.cluster });
	const openMarkers = async (): Promise<number> => (await Array.fromAsync(studio.store.scan("studio-open:"))).length;
	return { ...studio, ...paused, engine, openMarkers };
}

describe("during an outage of the queue", () => {
	test("a waiting task is neither started nor queued again", async () => {
		const { submitTask, startOutage, clock, readTask, queuedTasks, engine } = await setupWithQueue();
		const taskId = await submitTask();
		startOutage();
		await clock.advance(2 * SWEEP_MS);
		expect(await readTask(taskId)).toMatchObject({ status: "pending" });
		expect([queuedTasks.length, engine.runs.length]).toStrictEqual([1, 0]);
	});

	test("a running task continues, and succeeds", async () => {
		const { submitTask, runTask, awaitStatus, startOutage, clock, readTask, engine } = await setupWithQueue();
		const taskId = await submitTask();
		const working = runTask(taskId, "fake");
		await awaitStatus(taskId, "processing");
		startOutage();
		await clock.advance(2 * SWEEP_MS);
		expect(await readTask(taskId)).toMatchObject({ status: "processing", attempt: 1 });
		engine.runs[0]?.finish();
		await working;
		expect(await readTask(taskId)).toMatchObject({ status: "success", attempt: 1 });
	});

	test("a task that waited too long ends and is free", async () => {
		const { submitTask, startOutage, clock, readTask, readBalance, openMarkers } = await setupWithQueue();
		const taskId = await submitTask();
		startOutage();
		await clock.advance(HOUR_MS + GRACE_MS + SWEEP_MS);
		await until(openMarkers, (count) => count === 0);
		expect(await readTask(taskId)).toMatchObject({ status: "failed", costCredits: 0 });
		expect(await readBalance()).toMatchObject({ heldCredits: 0, postedCredits: 100 });
	});

	test("an ended task that its process did not settle is settled", async () => {
		const { submitTask, startOutage, clock, store, readBalance, openMarkers } = await setupWithQueue();
		const taskId = await submitTask();
		startOutage();
		const stored = await store.get<object>(`studio-task:${taskId}`);
		const completedAtMs = clock.nowMs();
		await store.set(`studio-task:${taskId}`, {
			...stored?.value,
			state: "canceled",
			cancelRequested: true,
			completedAtMs,
		});
		await clock.advance(SWEEP_MS);
		await until(openMarkers, (count) => count === 0);
		expect(await readBalance()).toMatchObject({ heldCredits: 0, postedCredits: 100 });
	});

	test("a requested cancellation of a task that no process has run lately is completed", async () => {
		const { submitTask, startOutage, clock, store, readTask, openMarkers } = await setupWithQueue();
		const taskId = await submitTask();
		startOutage();
		const stored = await store.get<object>(`studio-task:${taskId}`);
		const left = { state: "processing", engine: "fake", attempt: 1, startedAtMs: clock.nowMs(), progressPercent: 0 };
		await store.set(`studio-task:${taskId}`, { ...stored?.value, ...left, cancelRequested: true });
		await clock.advance(SWEEP_MS);
		await until(openMarkers, (count) => count === 0);
		expect(await readTask(taskId)).toMatchObject({ status: "canceled", costCredits: 0 });
	});

	test("the first sweep afterwards does not queue a task again that the queue still has", async () => {
		const { submitTask, startOutage, endOutage, clock, queuedTasks, readTask } = await setupWithQueue();
		const taskId = await submitTask();
		startOutage();
		await clock.advance(SWEEP_MS);
		endOutage();
		await clock.advance(SWEEP_MS);
		expect(queuedTasks.map((queued) => queued.taskId)).toStrictEqual([taskId]);
		expect(await readTask(taskId)).toMatchObject({ status: "pending" });
	});

	test("only one of several processes sweeps", async () => {
		const store = await openStore("memory:");
		const clock = createManualClock();
		const swept: string[] = [];
		let isUnavailable = true;
		for (let process = 0; process < 3; process++) {
			const ping = async (): Promise<void> => {
				if (isUnavailable) throw new Error("the queue is unavailable");
			};
			const stop = startTaskSweeper({
				store,
				queue: { ping },
				cancellation: { abortCanceledRuns: async () => {} },
				sweep: async (mode) => void swept.push(mode),
				everyMs: SWEEP_MS,
				clock,
				logger: pino({ level: "silent" }),
			});
			onTestFinished(stop);
		}
		await clock.advance(3 * SWEEP_MS);
		expect(swept).toStrictEqual(["storeOnly", "storeOnly", "storeOnly"]);
		isUnavailable = false;
		await clock.advance(SWEEP_MS);
		expect(swept.at(-1)).toBe("queue");
		expect(swept).toHaveLength(4);
	});
});
