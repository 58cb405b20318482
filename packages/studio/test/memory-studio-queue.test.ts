import { pino } from "pino";
import { expect, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createMemoryStudioQueue } from "../src/memory-studio-queue.ts";
import { createFakeEngine, HANG } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";
import { studioQueueContract } from "./studio-queue-contract.ts";

studioQueueContract("in memory", async (spec) =>
	createMemoryStudioQueue({ engineQueues: [spec], clock: systemClock, logger: pino({ level: "silent" }) }),
);

test("in the studio, a task does not wait for all tasks of another account", async () => {
	const engine = createFakeEngine({ concurrency: 1, script: [HANG] });
	const { createKey, submitTask, startTask, awaitEnd, call, readTask } = await setup({ engine });
	const key = await createKey("rival", 100);
	const mine = [await startTask(), await submitTask(), await submitTask(), await submitTask()];
	const theirs = String((await call("POST", "/api/v1/generate", { body: REQUEST, key })).body.data["taskId"]);
	expect((await call("GET", `/api/v1/task/${theirs}`, { key })).body.data).toMatchObject({ queuePosition: 2 });
	expect(await readTask(mine[2] ?? "")).toMatchObject({ queuePosition: 3 });
	engine.runs[0]?.finish();
	for (const taskId of [...mine, theirs]) await awaitEnd(taskId);
	expect(engine.runs[2]?.task.taskId).toBe(theirs);
});
