import { expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import { createTaskCheckpoints } from "../../src/engines/task-checkpoints.ts";

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

test("rejects a write for a task that was settled", async () => {
	const checkpoints = createTaskCheckpoints(await openStore("memory:"), async () => true);
	const suspended = checkpoints.checkpointOf(RUN);
	await suspended.write({ key: "k" });
	await checkpoints.remove(RUN.taskId);
	await expect(suspended.write({ key: "k", job: 7 })).rejects.toThrow("another process works on this attempt");
	expect(await checkpoints.readLastRun(RUN.taskId)).toBeUndefined();
});

test("overwrites the checkpoint of an earlier attempt", async () => {
	const checkpoints = createTaskCheckpoints(await openStore("memory:"), async () => true);
	await checkpoints.checkpointOf(RUN).write({ key: "k" });
	const next = checkpoints.checkpointOf({ ...RUN, attempt: 2 });
	expect(await next.read()).toBeUndefined();
	await next.write({ key: "l" });
	expect(await checkpoints.readLastRun(RUN.taskId)).toMatchObject({ attempt: 2 });
});

test("rejects only the first write of an attempt that the task has left, which prevents its submit", async () => {
	let attempt = 1;
	const checkpoints = createTaskCheckpoints(
		await openStore("memory:"),
		async (_taskId, atAttempt) => atAttempt === attempt,
	);
	const suspended = checkpoints.checkpointOf(RUN);
	attempt = 2;
	await expect(suspended.write({ key: "k" })).rejects.toThrow("the task is past this attempt");
	expect(await checkpoints.readLastRun(RUN.taskId)).toBeUndefined();
	const successor = checkpoints.checkpointOf({ ...RUN, attempt: 2 });
	await successor.write({ key: "l" });
	attempt = 3;
	await successor.write({ key: "l", job: 7 });
	expect(await checkpoints.readLastRun(RUN.taskId)).toMatchObject({ attempt: 2, content: { job: 7 } });
});
