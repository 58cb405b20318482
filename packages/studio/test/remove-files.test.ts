/** `DELETE /api/v1/task/{taskId}` removes the files of a task that has ended. It is our choice. */
import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { createFakeEngine, fakeImage, type Script } from "../testing/fake-engine.ts";
import { pathOf, setup } from "../testing/studio-setup.ts";

test("removes the files, keeps the record, and returns no credits", async () => {
	const { completeTask, call, readTask, mediaDir, readBalance, app } = await setup();
	const record = await completeTask();
	const [output] = record.outputs;
	const path = pathOf(output?.url ?? "");
	expect((await app.inject(path)).statusCode).toBe(200);

	const reply = await call("DELETE", `/api/v1/task/${record.taskId}`);
	expect(reply).toMatchObject({ status: 200, body: { code: 0, data: { status: "success", costCredits: 4 } } });
	expect(await readTask(record.taskId)).toStrictEqual(reply.body.data);
	expect(reply.body.data["outputs"]).toStrictEqual([{ ...output, url: null, urlExpiresAt: null, expired: true }]);
	expect((await app.inject(path)).statusCode).toBe(404);
	expect(await readdir(mediaDir)).toStrictEqual([]);
	expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
});

test("keeps a file until the last task with it has removed it", async () => {
	const same: Script = { kind: "succeed", outputs: [fakeImage("the same")] };
	const { completeTask, call, mediaDir } = await setup({ engine: createFakeEngine({ script: [same, same] }) });
	const [first, second] = [await completeTask(), await completeTask()];
	await call("DELETE", `/api/v1/task/${first.taskId}`);
	expect(await readdir(mediaDir)).toHaveLength(1);
	await call("DELETE", `/api/v1/task/${second.taskId}`);
	expect(await readdir(mediaDir)).toStrictEqual([]);
});

test("an open task is 409 / 40901 and continues", async () => {
	const { submitTask, awaitStatus, call } = await setup({ engine: createFakeEngine({ script: [{ kind: "hang" }] }) });
	const taskId = await submitTask();
	await awaitStatus(taskId, "processing");
	expect(await call("DELETE", `/api/v1/task/${taskId}`)).toMatchObject({ status: 409, body: { code: 40901 } });
	expect(await awaitStatus(taskId, "processing")).toMatchObject({ cancelRequested: false });
});

test("is idempotent, also for a failed task", async () => {
	const engine = createFakeEngine({ script: [{ kind: "fail", retryable: false }] });
	const { completeTask, call } = await setup({ engine });
	const [failed, success] = [await completeTask(), await completeTask()];
	for (const record of [failed, success]) {
		const url = `/api/v1/task/${record.taskId}`;
		const first = await call("DELETE", url);
		expect(first.status).toBe(200);
		expect((await call("DELETE", url)).body.data).toStrictEqual(first.body.data);
	}
});

test("the same output after its removal is stored again", async () => {
	const same: Script = { kind: "succeed", outputs: [fakeImage("the same")] };
	const { completeTask, call, app } = await setup({ engine: createFakeEngine({ script: [same, same] }) });
	await call("DELETE", `/api/v1/task/${(await completeTask()).taskId}`);
	const [output] = (await completeTask()).outputs;
	expect((await app.inject(pathOf(output?.url ?? ""))).statusCode).toBe(200);
});
