import { expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import { createTaskCheckpoints } from "../src/task-checkpoints.ts";

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
