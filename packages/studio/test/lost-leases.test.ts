/** Tasks that the queue delivers twice after a lost lease. A paid job is never paid twice. */
import { expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import { createTaskCheckpoints } from "../src/task-checkpoints.ts";
import { createFakeEngine, FAILURE, fakeImage, HANG } from "../testing/fake-engine.ts";
import { createPausedQueue } from "../testing/paused-queue.ts";
import { setup } from "../testing/studio-setup.ts";

test("an obsolete queue entry does not start the attempt at an engine that the task has left", async () => {
	const first = createFakeEngine({ name: "first", script: [FAILURE] });
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
	const script = [FAILURE, FAILURE, FAILURE];
	const engines = [createFakeEngine({ name: "first", script }), createFakeEngine({ name: "second" })];
	const { cluster, runTask } = createPausedQueue();
	const { submitTask, clock } = await setup({ engines, cluster });
	for (const _ of script) await runTask(await submitTask(), "first");
	const left = await runTask(await submitTask(), "first");
	expect(left).toMatchObject({ engine: "second", notBeforeMs: clock.nowMs() + 1_000 });
});

/** Two processes run one attempt of a task: `lostRun` in the one that lost the lease, and `nextRun`. */
async function setupLostLease() {
	const engine = createFakeEngine({ script: [HANG, HANG], writesCheckpoints: true });
	const { cluster, runTask } = createPausedQueue();
	const studio = await setup({ engine, cluster });
	const taskId = await studio.submitTask();
	const lostRun = runTask(taskId, "fake");
	await studio.awaitStatus(taskId, "processing");
	const nextRun = runTask(taskId, "fake");
	await expect.poll(() => engine.runs.length).toBe(2);
	expect(engine.runs.map((run) => run.task.attempt)).toStrictEqual([1, 1]);
	return { ...studio, runs: engine.runs, taskId, lostRun, nextRun };
}

test("a failure in a process that lost the lease does not affect the new owner", async () => {
	const { runs, taskId, lostRun, nextRun, readTask, store, readBalance } = await setupLostLease();
	// Fails: an empty list is no output.
	runs[0]?.finish([]);
	expect(await lostRun).toBeUndefined();
	expect(await readTask(taskId)).toMatchObject({ status: "processing", attempt: 1 });
	expect(await store.get(`studio-checkpoint:${taskId}`)).toBeDefined();
	runs[1]?.finish();
	await nextRun;
	expect(await readTask(taskId)).toMatchObject({ status: "success", attempt: 1 });
	expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
});

test("a success in a process that lost the lease does not change a task that has ended", async () => {
	const { runs, taskId, lostRun, nextRun, readTask } = await setupLostLease();
	runs[1]?.finish();
	await nextRun;
	const ended = await readTask(taskId);
	runs[0]?.finish([fakeImage("late")]);
	await lostRun;
	expect(await readTask(taskId)).toStrictEqual(ended);
});

test("a success in a process that lost the lease ends the task, because its outputs may be billed", async () => {
	const { runs, taskId, lostRun, nextRun, readTask, readBalance } = await setupLostLease();
	runs[0]?.finish();
	await lostRun;
	const ended = await readTask(taskId);
	expect(ended).toMatchObject({ status: "success", attempt: 1 });
	runs[1]?.finish([fakeImage("late")]);
	await nextRun;
	expect(await readTask(taskId)).toStrictEqual(ended);
	expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
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

const RUN = { taskId: "task_1", attempt: 1, engine: "fal" } as const;

test("of two processes with the same run, only the one that writes first can write", async () => {
	const checkpoints = createTaskCheckpoints(await openStore("memory:"), async () => true);
	const [suspended, successor] = [checkpoints.checkpointOf(RUN), checkpoints.checkpointOf(RUN)];
	expect([await suspended.read(), await successor.read()]).toStrictEqual([undefined, undefined]);
	await successor.write({ key: "k" });
	await successor.write({ key: "k", job: 7 });
	await expect(suspended.write({ key: "k" })).rejects.toThrow("another process works on this attempt");
	expect(await checkpoints.checkpointOf(RUN).read()).toStrictEqual({ key: "k", job: 7 });
});

test("overwrites the checkpoint of an earlier attempt", async () => {
	const checkpoints = createTaskCheckpoints(await openStore("memory:"), async () => true);
	await checkpoints.checkpointOf(RUN).write({ key: "k" });
	const next = checkpoints.checkpointOf({ ...RUN, attempt: 2 });
	expect(await next.read()).toBeUndefined();
	await next.write({ key: "l" });
	expect(await checkpoints.readLastRun(RUN.taskId)).toMatchObject({ attempt: 2 });
});
