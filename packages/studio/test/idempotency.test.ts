/**
 * The header Idempotency-Key is an addition of the studio: the specification of its API (docs/studio-api.md) has no safe way
 * to repeat a request.
 */
import { describe, expect, test } from "vitest";
import { createFakeEngine, HANG } from "../testing/fake-engine.ts";
import { openAnother, REQUEST, setup } from "../testing/studio-setup.ts";

const KEY = { "idempotency-key": "interaction-1" };

test("the same key with another body is 422 / 42200", async () => {
	const { submit, submitTask } = await setup();
	await submitTask(REQUEST, KEY);
	const other = await submit({ ...REQUEST, prompt: "another prompt" }, KEY);
	expect(other).toMatchObject({ status: 422, body: { code: 42200 } });
});

describe("the same key with the same body", () => {
	test("ignores the order of the fields", async () => {
		const { submitTask } = await setup();
		const options = { aspect_ratio: "16:9", resolution: "2K" };
		const reordered = {
			options: { resolution: "2K", aspect_ratio: "16:9" },
			...Object.fromEntries(Object.entries(REQUEST).toReversed()),
		};
		expect(await submitTask({ ...REQUEST, options }, KEY)).toBe(await submitTask(reordered, KEY));
	});

	test("creates one task for twenty concurrent requests to two processes on one store", async () => {
		const engine = createFakeEngine({ script: [HANG] });
		const one = await setup({ engine });
		const two = await openAnother(one, { engine });
		const replies = await Promise.all(
			Array.from({ length: 20 }, (_, n) =>
				(n % 2 === 0 ? one : two).call("POST", "/api/v1/generate", { body: REQUEST, headers: KEY, key: one.key }),
			),
		);
		expect(new Set(replies.map(({ status }) => status))).toStrictEqual(new Set([200]));
		expect(new Set(replies.map(({ body }) => body.data["taskId"])).size).toBe(1);
		expect(replies.filter(({ headers }) => headers["idempotency-replayed"] === undefined)).toHaveLength(1);
		expect(await one.readBalance()).toMatchObject({ heldCredits: 4 });
		expect(await Array.fromAsync(one.store.scan("studio-task:"))).toHaveLength(1);
	});

	test("finds its task when the model is no longer offered", async () => {
		const first = await setup();
		const { taskId } = await first.completeTask(REQUEST, KEY);
		const second = await openAnother(first, { engine: createFakeEngine({ models: [] }) });
		expect(await second.submitTask(REQUEST, KEY)).toBe(taskId);
		expect((await second.submit(REQUEST)).body.code).toBe(40004);
	});
});

describe("the task of a key", () => {
	const LOOKUP = "/api/v1/tasks?idempotencyKey=interaction-1";

	test("is none for an unused key, and another one in another account", async () => {
		const { submitTask, createKey, call } = await setup();
		expect((await call("GET", LOOKUP)).body.data["tasks"]).toStrictEqual([]);
		const mine = await submitTask(REQUEST, KEY);
		const key = await createKey("rival", 10);
		expect((await call("GET", LOOKUP, { key })).body.data["tasks"]).toStrictEqual([]);
		const { taskId } = (await call("POST", "/api/v1/generate", { body: REQUEST, headers: KEY, key })).body.data;
		expect(taskId).not.toBe(mine);
		expect((await call("GET", LOOKUP, { key })).body.data["tasks"]).toMatchObject([{ taskId }]);
	});

	test("is found while its submit is running", async () => {
		const { submit, call, store } = await setup();
		const write = store.compareAndSetAll.bind(store);
		const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		store.compareAndSetAll = async (...changes) => {
			started.resolve();
			await gate.promise;
			return await write(...changes);
		};
		const submitting = submit(REQUEST, KEY);
		await started.promise;
		const finding = call("GET", LOOKUP);
		gate.resolve();
		const { taskId } = (await submitting).body.data;
		expect((await finding).body.data["tasks"]).toMatchObject([{ taskId }]);
	});
});
