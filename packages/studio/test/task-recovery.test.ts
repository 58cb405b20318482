/** Recovery by the sweep: after damage, and during an outage of the queue. */
import { expect, test } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { createFakeEngine, HANG } from "../testing/fake-engine.ts";
import { createPausedQueue } from "../testing/paused-queue.ts";
import { openAnother, setup, until } from "../testing/studio-setup.ts";

const SWEEP_MS = 30_000;
const HOUR_MS = 3_600_000;
test("a corrupt task and one without its hold block neither the start nor other tasks", async () => {
	const storage = createMemoryAdapter();
	const store = createKeyvStore(storage);
	const first = await setup({ store, engine: createFakeEngine({ script: [HANG, HANG, HANG] }) });
	const [unheld, damaged, whole] = [await first.submitTask(), await first.submitTask(), await first.submitTask()];
	await first.studio.stop();
	const stored = await store.get<object>(`studio-task:${unheld}`);
	const ended = { state: "success", outputs: [], completedAtMs: first.clock.nowMs() };
	await store.set(`studio-task:${unheld}`, { ...stored?.value, ...ended });
	await first.ledger.void("studio:acme", unheld, { by: "system", reason: "lost", taskId: unheld });
	await storage.set(`studio-task:${damaged}`, "cut sho");
	await storage.set("studio-open:task_0", "cut sho");
	await storage.set("studio-callback:task_0", "cut sho");
	const { readLog } = await openAnother(first);
	await until(async () => (await store.get(`studio-open:${whole}`)) === undefined);
	// The whole task is charged, and the credits of the damaged one stay reserved.
	expect(await first.ledger.balance("studio:acme")).toMatchObject({ postedCredits: 96, heldCredits: 4 });
	expect(readLog()).toContain(`studio-task:${damaged}`);
	expect(readLog()).toContain(`${unheld}: the ledger rejected the operation: already_voided`);
	expect(readLog()).toContain("studio-open:task_0");
});

test("a process finds a cancellation by another one within two seconds", async () => {
	const engine = createFakeEngine({ script: [HANG] });
	const [first, second] = [createPausedQueue(), createPausedQueue()];
	const worker = await setup({ engine, cluster: first.cluster });
	const other = await openAnother(worker, { cluster: second.cluster });
	const taskId = await worker.submitTask();
	const working = first.runTask(taskId, "fake");
	await worker.awaitStatus(taskId, "processing");
	await until(() => engine.runs.length === 1);
	expect((await other.cancelTask(taskId)).status).toBe(200);
	expect(engine.runs[0]?.signal.aborted).toBe(false);
	await worker.clock.advance(2_000);
	await working;
	expect(engine.runs[0]?.signal.aborted).toBe(true);
	expect(await worker.readTask(taskId)).toMatchObject({ status: "canceled", costCredits: 0 });
	expect(await worker.readBalance()).toMatchObject({ heldCredits: 0, postedCredits: 100 });
});

test("a task that started after the lookup in the queue keeps its run", async () => {
	const engine = createFakeEngine({ script: [HANG] });
	const { cluster, queue, runTask } = createPausedQueue();
	const { submitTask, awaitStatus, clock, readTask } = await setup({ engine, cluster });
	const taskId = await submitTask();
	const working = runTask(taskId, "fake");
	await awaitStatus(taskId, "processing");
	queue.findQueued = async () => new Map();
	await clock.advance(SWEEP_MS);
	engine.runs[0]?.finish();
	await working;
	expect(await readTask(taskId)).toMatchObject({ status: "success", attempt: 1 });
});

test("a process without the model of a waiting task leaves it to others until its deadline", async () => {
	const worker = await setup({ cluster: createPausedQueue().cluster });
	const { cluster, queue } = createPausedQueue();
	queue.findQueued = async () => new Map();
	const other = await openAnother(worker, { engine: createFakeEngine({ models: [] }), cluster });
	const taskId = await worker.submitTask();
	await worker.clock.advance(2 * SWEEP_MS);
	expect(await worker.readTask(taskId)).toMatchObject({ status: "pending" });
	await worker.clock.advance(HOUR_MS);
	expect(await other.awaitEnd(taskId)).toMatchObject({ status: "failed", error: { code: "timeout" }, costCredits: 0 });
});

test("a process leaves a task of an unknown engine to others, unless another engine can run it", async () => {
	const { cluster, queuedTasks, queue } = createPausedQueue();
	const worker = await setup({ engine: createFakeEngine({ name: "new" }), cluster });
	const taskId = await worker.submitTask();
	await worker.studio.stop();
	const other = await openAnother(worker, { engine: createFakeEngine({ name: "other", models: [] }), cluster });
	await worker.clock.advance(2 * SWEEP_MS);
	expect(await queue.findQueued([taskId])).toStrictEqual(new Map([[taskId, "new"]]));
	await other.studio.stop();
	await openAnother(worker, { engine: createFakeEngine({ name: "renamed" }), cluster });
	await worker.clock.advance(2 * SWEEP_MS);
	await until(async () => (await queue.findQueued([taskId])).get(taskId) === "renamed");
	expect(queuedTasks.map(({ engine }) => engine)).toStrictEqual(["new", "renamed"]);
});

test("waiting tasks that are past the shortest deadline cost two requests to the queue in each sweep", async () => {
	const { cluster, queue } = createPausedQueue();
	const { submitTask, clock, readTask } = await setup({ cluster });
	const taskIds = await Promise.all(Array.from({ length: 5 }, () => submitTask()));
	await clock.advance(HOUR_MS / 2);
	const findQueued = queue.findQueued.bind(queue);
	let requests = 0;
	queue.findQueued = (ids) => {
		requests++;
		return findQueued(ids);
	};
	await clock.advance(SWEEP_MS);
	await until(() => requests === 2);
	expect(await readTask(String(taskIds[0]))).toMatchObject({ status: "pending" });
	expect(requests).toBe(2);
});

test("during an outage of the queue, no task is recovered, and a running one succeeds; afterwards a late one ends", async () => {
	const { cluster, runTask, startOutage, endOutage, queuedTasks } = createPausedQueue();
	const engine = createFakeEngine({ script: [HANG] });
	const { submitTask, awaitStatus, awaitEnd, clock, readTask, readBalance } = await setup({ engine, cluster });
	const [running, waiting] = [await submitTask(), await submitTask()];
	const working = runTask(running, "fake");
	await awaitStatus(running, "processing");
	startOutage();
	await clock.advance(2 * SWEEP_MS);
	expect(await readTask(running)).toMatchObject({ status: "processing", attempt: 1 });
	engine.runs[0]?.finish();
	await working;
	expect(await readTask(running)).toMatchObject({ status: "success", attempt: 1 });
	await clock.advance(HOUR_MS);
	expect(await readTask(waiting)).toMatchObject({ status: "pending" });
	endOutage();
	queuedTasks.length = 0;
	await clock.advance(SWEEP_MS);
	expect(await awaitEnd(waiting)).toMatchObject({ status: "failed", costCredits: 0 });
	expect(await readBalance()).toMatchObject({ heldCredits: 0, postedCredits: 96 });
	expect(queuedTasks).toStrictEqual([]);
});
