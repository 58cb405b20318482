/**
 * The header Idempotency-Key is an addition of the studio: the specification of its API (docs/studio-api.md) has no safe way
 * to repeat a request.
 */
import { describe, expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

/** The account starts with 100 credits, and one task costs 4. */
const POSTED_CREDITS_AFTER_ONE_TASK = 96;
const KEY = { "idempotency-key": "interaction-1" };

describe("the same key with the same body", () => {
	test("returns the first response, marked as a replay", async () => {
		const engine = createFakeEngine();
		const { submit, awaitEnd, readBalance } = await setup({ engine });
		const first = await submit(REQUEST, KEY);
		await awaitEnd(String(first.body.data["taskId"]));
		const again = await submit(REQUEST, KEY);
		expect(again.body.data).toStrictEqual(first.body.data);
		expect(first.headers["idempotency-replayed"]).toBeUndefined();
		expect(again.headers["idempotency-replayed"]).toBe("true");
		expect(engine.runs).toHaveLength(1);
		expect((await readBalance()).postedCredits).toBe(POSTED_CREDITS_AFTER_ONE_TASK);
	});

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
		const store = await openStore("memory:");
		const engine = createFakeEngine({ script: [{ kind: "hang" }] });
		const one = await setup({ store, engine });
		const two = await setup({ store, engine, clock: one.clock, mediaDir: one.mediaDir, credits: 0 });
		const replies = await Promise.all(
			Array.from({ length: 20 }, (_, n) =>
				(n % 2 === 0 ? one : two).call("POST", "/api/v1/generate", { body: REQUEST, headers: KEY, key: one.key }),
			),
		);
		expect(new Set(replies.map(({ status }) => status))).toStrictEqual(new Set([200]));
		expect(new Set(replies.map(({ body }) => body.data["taskId"])).size).toBe(1);
		expect(replies.filter(({ headers }) => headers["idempotency-replayed"] === undefined)).toHaveLength(1);
		expect(await one.readBalance()).toMatchObject({ heldCredits: 4 });
		expect(await Array.fromAsync(store.scan("studio-task:"))).toHaveLength(1);
	});

	test("finds its task when the model is no longer offered", async () => {
		const first = await setup();
		const taskId = await first.submitTask(REQUEST, KEY);
		await first.awaitEnd(taskId);
		const { store, clock, mediaDir } = first;
		const second = await setup({ store, clock, mediaDir, engine: createFakeEngine({ models: [] }), credits: 0 });
		expect(await second.submitTask(REQUEST, KEY)).toBe(taskId);
		expect((await second.submit(REQUEST)).body.code).toBe(40004);
	});
});

test("the same key with another body is 422 / 42200 and creates no task", async () => {
	const engine = createFakeEngine();
	const { submit, completeTask, readBalance } = await setup({ engine });
	await completeTask(REQUEST, KEY);
	expect(await submit({ ...REQUEST, prompt: "another" }, KEY)).toMatchObject({ status: 422, body: { code: 42200 } });
	expect(engine.runs).toHaveLength(1);
	expect((await readBalance()).availableCredits).toBe(POSTED_CREDITS_AFTER_ONE_TASK);
});

test("without a key every request creates a task", async () => {
	const { submitTask } = await setup();
	expect(await submitTask()).not.toBe(await submitTask());
});

describe("a key can be reused after a rejection", () => {
	test("because of the body", async () => {
		const { submit } = await setup();
		expect((await submit({ ...REQUEST, prompt: "" }, KEY)).status).toBe(400);
		expect((await submit(REQUEST, KEY)).status).toBe(200);
	});

	test("because of insufficient credits", async () => {
		const { submit, ledger, completeTask } = await setup({ credits: 3 });
		expect((await submit(REQUEST, KEY)).status).toBe(402);
		await ledger.grant("studio:acme", "grant:more", 1, { by: "operator", reason: "test" });
		expect(await completeTask(REQUEST, KEY)).toMatchObject({ status: "success" });
	});
});
