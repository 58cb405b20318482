/** Tasks that the queue delivers twice after a lost lease. A paid job is never paid twice. */
import { expect, test } from "vitest";
import { createFakeEngine, fakeImage, type Script } from "../testing/fake-engine.ts";
import { createPausedQueue } from "../testing/paused-queue.ts";
import { setup } from "../testing/studio-setup.ts";

const HANG: Script = { kind: "hang" };

test("an obsolete queue entry does not start the attempt at an engine that the task has left", async () => {
	const first = createFakeEngine({ name: "first", script: [{ kind: "fail", retryable: true }] });
	const second = createFakeEngine({ name: "second", script: [HANG] });
	const { cluster, runTask } = createPausedQueue();
	const { submitTask, awaitStatus, readTask } = await setup({ engines: [first, second], cluster });
	const taskId = await submitTask();
	expect(await runTask(taskId, "first")).toMatchObject({ engine: "second" });
	const atSecond = runTask(taskId, "second");
	await awaitStatus(taskId, "processing");
	expect(await runTask(taskId, "first")).toBeUndefined();
	expect([first.runs.length, second.runs.length]).toStrictEqual([1, 1]);
	second.runs[0]?.finish();
	expect(await atSecond).toBeUndefined();
	expect(await readTask(taskId)).toMatchObject({ status: "success", attempt: 2 });
});

test("a task waits a second before it leaves an engine that is down, because another process may send it back", async () => {
	const failures = Array.from({ length: 3 }, (): Script => ({ kind: "fail", retryable: true }));
	const engines = [createFakeEngine({ name: "first", script: failures }), createFakeEngine({ name: "second" })];
	const { cluster, runTask } = createPausedQueue();
	const { submitTask, clock } = await setup({ engines, cluster });
	for (const _ of failures) await runTask(await submitTask(), "first");
	const left = await runTask(await submitTask(), "first");
	expect(left).toMatchObject({ engine: "second", notBeforeMs: clock.nowMs() + 1_000 });
});

test("a failure in a process that lost the lease does not affect the new owner", async () => {
	const engine = createFakeEngine({ script: [{ kind: "hang" }, { kind: "hang" }], writesCheckpoints: true });
	const { cluster, runTask } = createPausedQueue();
	const { submitTask, readTask, awaitStatus, store, readBalance } = await setup({ engine, cluster });
	const taskId = await submitTask();
	const lostRun = runTask(taskId, "fake");
	await awaitStatus(taskId, "processing");
	const nextRun = runTask(taskId, "fake");
	await expect.poll(() => engine.runs.length).toBe(2);
	expect(engine.runs.map((run) => run.task.attempt)).toStrictEqual([1, 1]);
	// Fails: an empty list is no output.
	engine.runs[0]?.finish([]);
	expect(await lostRun).toBeUndefined();
	expect(await readTask(taskId)).toMatchObject({ status: "processing", attempt: 1 });
	expect(await store.get(`studio-checkpoint:${taskId}`)).toBeDefined();
	engine.runs[1]?.finish();
	await nextRun;
	expect(await readTask(taskId)).toMatchObject({ status: "success", attempt: 1 });
	expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
});

test("a success in a process that lost the lease does not change a task that has ended", async () => {
	const engine = createFakeEngine({ script: [HANG, HANG] });
	const { cluster, runTask } = createPausedQueue();
	const { submitTask, readTask, awaitStatus } = await setup({ engine, cluster });
	const taskId = await submitTask();
	const lostRun = runTask(taskId, "fake");
	await awaitStatus(taskId, "processing");
	const nextRun = runTask(taskId, "fake");
	await expect.poll(() => engine.runs.length).toBe(2);
	engine.runs[1]?.finish();
	await nextRun;
	const ended = await readTask(taskId);
	engine.runs[0]?.finish([fakeImage("late")]);
	await lostRun;
	expect(await readTask(taskId)).toStrictEqual(ended);
});

test("a process that was suspended until the task ended submits no job", async () => {
	const engine = createFakeEngine({ script: [HANG] });
	const suspension = Promise.withResolvers<void>();
	const submittedJobs: string[] = [];
	let runs = 0;
	const paid = {
		...engine,
		run: async (...[task, signal, report]: Parameters<typeof engine.run>) => {
			const run = ++runs;
			if (run === 1) await suspension.promise;
			await task.checkpoint.write({ run });
			submittedJobs.push(`run ${run}`);
			return await createFakeEngine().run(task, signal, report);
		},
	};
	const { cluster, runTask } = createPausedQueue();
	const { submitTask, readTask, awaitStatus, store } = await setup({ engine: paid, cluster });
	const taskId = await submitTask();
	const lostRun = runTask(taskId, "fake");
	await awaitStatus(taskId, "processing");
	await runTask(taskId, "fake");
	expect(await readTask(taskId)).toMatchObject({ status: "success" });
	suspension.resolve();
	await lostRun;
	expect(submittedJobs).toStrictEqual(["run 2"]);
	expect(await store.get(`studio-checkpoint:${taskId}`)).toBeUndefined();
});
