/** `POST /api/v1/task/{taskId}/cancel`, which is our choice. */
import { describe, expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { createFakeEngine, FAILURE, HANG } from "../testing/fake-engine.ts";
import { createPausedQueue } from "../testing/paused-queue.ts";
import { openAnother, setup, setupRunning, until, type SetupOptions } from "../testing/studio-setup.ts";

const REFUNDED = { costCredits: 0, credits: { reserved: 0, charged: 0, refunded: 4 }, outputs: [], error: null };
const NOTHING_HELD = { postedCredits: 100, heldCredits: 0 };

describe("a waiting task", () => {
	test("is canceled at once, never runs, and is free", async () => {
		const engine = createFakeEngine({ concurrency: 1, script: [HANG] });
		const { submitTask, startTask, awaitEnd, cancelTask, readBalance } = await setup({ engine });
		const running = await startTask();
		const [waiting, behind] = [await submitTask(), await submitTask()];
		const reply = await cancelTask(waiting);
		expect(reply).toMatchObject({ status: 200, body: { code: 0, data: { status: "canceled", ...REFUNDED } } });
		expect(reply.body.data).toMatchObject({ cancelRequested: true, completedAt: expect.any(String) });
		expect((await cancelTask(waiting)).body.data).toStrictEqual(reply.body.data);
		engine.runs[0]?.finish();
		await Promise.all([awaitEnd(running), awaitEnd(behind)]);
		expect(engine.runs.map(({ task }) => task.taskId)).toStrictEqual([running, behind]);
		expect(await readBalance()).toMatchObject({ postedCredits: 92, heldCredits: 0 });
	});

	test("between two attempts is canceled at once and not retried", async () => {
		const engine = createFakeEngine({ script: [FAILURE] });
		const { submitTask, awaitRetry, cancelTask, clock, readTask, readBalance } = await setup({ engine });
		const taskId = await submitTask();
		await awaitRetry(taskId, 1);
		expect((await cancelTask(taskId)).body.data).toMatchObject({ status: "canceled", attempt: 1, ...REFUNDED });
		await clock.advance(60_000);
		expect(engine.runs).toHaveLength(1);
		expect(await readTask(taskId)).toMatchObject({ status: "canceled" });
		expect(await readBalance()).toMatchObject(NOTHING_HELD);
	});
});

describe("a running task", () => {
	test.each(["hang", "hangDespiteAbort"] as const)("is canceled at a healthy engine (%s) and is free", async (kind) => {
		const { engine, taskId, awaitEnd, cancelTask, readBalance, readHealth } = await setupRunning({
			script: [{ kind }],
		});
		expect((await cancelTask(taskId)).body.data).toMatchObject({ cancelRequested: true });
		expect(engine.runs[0]?.signal.aborted).toBe(true);
		expect(await awaitEnd(taskId)).toMatchObject({ status: "canceled", cancelRequested: true, ...REFUNDED });
		expect(await readBalance()).toMatchObject(NOTHING_HELD);
		expect(await readHealth()).toStrictEqual(["up", "up", "up"]);
	});

	test("is canceled at its engine while the queue does not respond", async () => {
		const engine = createFakeEngine({ script: [HANG] });
		const { cluster, queue, runTask } = createPausedQueue();
		const { submitTask, cancelTask } = await setup({ engine, cluster });
		const taskId = await submitTask();
		const working = runTask(taskId, "fake");
		await until(() => engine.runs.length === 1);
		const removed = Promise.withResolvers<void>();
		queue.remove = () => removed.promise;
		const canceling = cancelTask(taskId);
		await until(() => engine.runs[0]?.signal.aborted);
		removed.resolve();
		await working;
		expect((await canceling).body.data).toMatchObject({ status: "canceled", ...REFUNDED });
	});

	test("is canceled if it reaches its deadline before the engine learns of the cancellation", async () => {
		const { taskId, cancelTask, awaitEnd, store, clock } = await setupRunning();
		const stored = await store.get<object>(`studio-task:${taskId}`);
		// Like a write of another process.
		await store.set(`studio-task:${taskId}`, { ...stored?.value, cancelRequested: true });
		await clock.advance(10 * 60_000);
		expect(await awaitEnd(taskId)).toMatchObject({ status: "canceled", ...REFUNDED });
		expect((await cancelTask(taskId)).status).toBe(200);
	});
});

test("a task that has ended stays as it is, and its cancel is answered with 200", async () => {
	const { completeTask, cancelTask, readBalance } = await setup();
	const record = await completeTask();
	const reply = await cancelTask(record.taskId);
	expect(reply).toMatchObject({ status: 200, body: { code: 0, data: { status: "success" } } });
	expect(reply.body.data).toStrictEqual(record);
	expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
});

describe("a cancel", () => {
	test("while the studio is stopped takes effect after the next start", async () => {
		const { taskId, ...first } = await setupRunning({ script: [{ kind: "hangDespiteAbort" }] });
		const stopped = first.studio.stop();
		// The studio waits this long for an engine that does not react.
		await first.clock.advance(4_000);
		await stopped;
		await first.cancelTask(taskId);
		const engine = createFakeEngine();
		const second = await openAnother(first, { engine });
		expect(await second.awaitEnd(taskId)).toMatchObject({ status: "canceled", ...REFUNDED });
		expect(engine.runs).toStrictEqual([]);
		expect(await second.readBalance()).toMatchObject(NOTHING_HELD);
	});

	test("during the start of the task ends it", async () => {
		const engine = createFakeEngine({ script: [HANG] });
		const { submitTask, cancelTask, awaitEnd, readBalance } = await setup({ engine });
		const taskId = await submitTask();
		await Promise.all([cancelTask(taskId), cancelTask(taskId)]);
		expect(await awaitEnd(taskId)).toMatchObject({ status: "canceled", ...REFUNDED });
		expect(await readBalance()).toMatchObject(NOTHING_HELD);
	});
});

/** Kills a process with two running tasks; `restart` starts the next process on its store. */
async function killWhileRunning() {
	const memory = await openStore("memory:");
	const store = createCrashingStore(memory);
	const engine = createFakeEngine({ script: [HANG, HANG], writesCheckpoints: true });
	const before = await setup({ store, engine });
	const [first, second] = [await before.submitTask(), await before.submitTask()];
	await until(async () => (await Array.fromAsync(memory.scan("studio-checkpoint:"))).length === 2);
	store.arm(0);
	async function restart(options: Parameters<typeof createFakeEngine>[0] = {}, limits: SetupOptions["limits"] = {}) {
		const next = createFakeEngine({ writesCheckpoints: true, ...options });
		return { ...(await openAnother(before, { store: memory, engine: next, limits })), engine: next };
	}
	return { clock: before.clock, first, second, restart };
}

describe("a job that an engine may still run", () => {
	test("continues after a longer time without a process than its deadline allows, which moves by that time", async () => {
		const { clock, first, second, restart } = await killWhileRunning();
		await clock.advance(20 * 60_000);
		const { awaitEnd, engine } = await restart({ script: [{ kind: "succeed" }, HANG] });
		await until(() => engine.runs.length === 2);
		const [done, hung] = engine.runs.map(({ task }) => task.taskId) as [string, string];
		expect([done, hung].toSorted()).toStrictEqual([first, second].toSorted());
		expect(await awaitEnd(done)).toMatchObject({ status: "success", attempt: 1 });
		await clock.advance(10 * 60_000);
		expect(await awaitEnd(hung)).toMatchObject({ status: "failed", attempt: 1, error: { code: "timeout" } });
	});

	test("is canceled at the engine when its task was interrupted too often", async () => {
		const { first, second, restart } = await killWhileRunning();
		const { awaitEnd, engine, readBalance } = await restart({}, { interruptionsMax: 0 });
		for (const taskId of [first, second]) {
			expect(await awaitEnd(taskId)).toMatchObject({ status: "failed", error: { code: "internal" } });
			const runs = engine.canceledRuns.filter((run) => run.taskId === taskId);
			expect(runs).toMatchObject([{ attempt: 1, model: "fake-image" }]);
		}
		expect(engine.runs).toStrictEqual([]);
		expect(await readBalance()).toMatchObject(NOTHING_HELD);
	});

	test("is canceled at the engine after the next start if a stop interrupts that", async () => {
		const { first, second, restart } = await killWhileRunning();
		const stuck = await restart({ hangsOnCancel: true }, { interruptionsMax: 0 });
		await until(() => stuck.engine.canceledRuns.length === 2);
		await stuck.studio.stop();
		const { awaitEnd, engine, readBalance } = await restart();
		await until(() => engine.canceledRuns.length === 2);
		for (const taskId of [first, second]) expect(await awaitEnd(taskId)).toMatchObject({ status: "failed" });
		expect(await readBalance()).toMatchObject(NOTHING_HELD);
	});

	test("is canceled at the engine when its task is canceled before it continues", async () => {
		const { first, second, restart } = await killWhileRunning();
		const { awaitStatus, readTask, cancelTask, awaitEnd, engine } = await restart({ script: [HANG], concurrency: 1 });
		await until(() => engine.runs.length === 1);
		const running = engine.runs[0]?.task.taskId;
		const waiting = running === first ? second : first;
		expect(await readTask(waiting)).toMatchObject({ status: "pending", queuePosition: 1 });
		await cancelTask(waiting);
		expect(await awaitEnd(waiting)).toMatchObject({ status: "canceled" });
		expect(engine.canceledRuns.map(({ taskId }) => taskId)).toStrictEqual([waiting]);
		engine.runs[0]?.finish();
		await awaitStatus(String(running), "success");
		expect(engine.canceledRuns).toHaveLength(1);
	});

	test("is not canceled once its attempt has ended or its task has succeeded", async () => {
		const engine = createFakeEngine({ writesCheckpoints: true, script: [FAILURE] });
		const { submitTask, awaitRetry, cancelTask, awaitEnd, completeTask } = await setup({ engine });
		const taskId = await submitTask();
		await awaitRetry(taskId, 1);
		await cancelTask(taskId);
		await awaitEnd(taskId);
		await completeTask();
		expect(engine.canceledRuns).toHaveLength(0);
	});
});
