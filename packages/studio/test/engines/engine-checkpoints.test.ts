import { expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import { createEngineCheckpoints } from "../../src/engines/engine-checkpoints.ts";

const RUN = { taskId: "task_1", attempt: 1, engine: "fal" } as const;

test("of two processes with the same run, one writes and submits", async () => {
	const checkpoints = createEngineCheckpoints(await openStore("memory:"), async () => true);
	const [stoodStill, tookOver] = [checkpoints.of(RUN), checkpoints.of(RUN)];
	expect([await stoodStill.read(), await tookOver.read()]).toStrictEqual([undefined, undefined]);
	await tookOver.write({ key: "k" });
	await tookOver.write({ key: "k", job: 7 });
	await expect(stoodStill.write({ key: "k" })).rejects.toThrow("another process works on this attempt");
	expect(await checkpoints.of(RUN).read()).toStrictEqual({ key: "k", job: 7 });
});

test("rejects a write for a task that was settled", async () => {
	const checkpoints = createEngineCheckpoints(await openStore("memory:"), async () => true);
	const stoodStill = checkpoints.of(RUN);
	await stoodStill.write({ key: "k" });
	await checkpoints.remove(RUN.taskId);
	await expect(stoodStill.write({ key: "k", job: 7 })).rejects.toThrow("another process works on this attempt");
	expect(await checkpoints.last(RUN.taskId)).toBeUndefined();
});

test("overwrites the checkpoint of an earlier attempt", async () => {
	const checkpoints = createEngineCheckpoints(await openStore("memory:"), async () => true);
	await checkpoints.of(RUN).write({ key: "k" });
	const next = checkpoints.of({ ...RUN, attempt: 2 });
	expect(await next.read()).toBeUndefined();
	await next.write({ key: "l" });
	expect(await checkpoints.last(RUN.taskId)).toMatchObject({ attempt: 2 });
});

test("rejects the first write of a run that the task has passed, and prevents its submit", async () => {
	let attempt = 1;
	const checkpoints = createEngineCheckpoints(await openStore("memory:"), async (_taskId, asked) => asked === attempt);
	const stoodStill = checkpoints.of(RUN);
	attempt = 2;
	await expect(stoodStill.write({ key: "k" })).rejects.toThrow("the task is past this attempt");
	expect(await checkpoints.last(RUN.taskId)).toBeUndefined();
	const tookOver = checkpoints.of({ ...RUN, attempt: 2 });
	await tookOver.write({ key: "l" });
	attempt = 3;
	await tookOver.write({ key: "l", job: 7 });
	expect(await checkpoints.last(RUN.taskId)).toMatchObject({ attempt: 2, content: { job: 7 } });
});
