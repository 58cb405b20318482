/** Retention of files and records, which is our choice. */
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { createMediaStore } from "../src/media-store.ts";
import { createFakeEngine, fakeImage, fakePng } from "../testing/fake-engine.ts";
import { pathOf, REQUEST, setup, setupRunning, until } from "../testing/studio-setup.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test("the files of a task are removed seven days after its end, while the record stays; no link is valid for longer", async () => {
	const { completeTask, clock, readTask, mediaDir, app } = await setup();
	const record = await completeTask();
	const path = pathOf(record.outputs[0]?.url ?? "");
	const urlExpiresAt = new Date(Math.floor((clock.nowMs() + 7 * DAY_MS) / 1000) * 1000).toISOString();
	await clock.advance(7 * DAY_MS - 1);
	const outputs = [{ expired: false, url: expect.any(String), urlExpiresAt }];
	expect((await readTask(record.taskId)).outputs).toMatchObject(outputs);
	await clock.advance(1);
	expect(await readTask(record.taskId)).toMatchObject({
		status: "success",
		credits: { charged: 4 },
		outputs: [{ expired: true, url: null, urlExpiresAt: null, sha256: record.outputs[0]?.["sha256"], width: 1024 }],
	});
	await clock.advance(HOUR_MS);
	await until(async () => (await readdir(mediaDir)).length === 0);
	expect((await app.inject(path)).json()).toMatchObject({ code: 41000 });
});

test("outputs of a failed attempt are removed like those that the task shows", async () => {
	const output = fakeImage("not shown");
	const halfGood = { kind: "succeed", outputs: [output, { ...output, bytes: Buffer.from("<html>") }] } as const;
	const engine = createFakeEngine({ script: [halfGood] });
	const { submitTask, awaitRetry, clock, awaitEnd, mediaDir } = await setup({ engine });
	const taskId = await submitTask();
	await awaitRetry(taskId, 1);
	await clock.advance(2_000);
	expect(await awaitEnd(taskId)).toMatchObject({ status: "success", attempt: 2 });
	expect(await readdir(mediaDir)).toHaveLength(2);
	await clock.jump(7 * DAY_MS + HOUR_MS);
	await until(async () => (await readdir(mediaDir)).length === 0);
});

test("an open task keeps its files", async () => {
	const limits = { mediaRetentionMs: 1000, runDeadlineMs: { image: DAY_MS, video: DAY_MS, music: DAY_MS } };
	const { studio, taskId, store, clock, mediaDir } = await setupRunning({ limits });
	const media = createMediaStore({ mediaDir, store, clock });
	await media.save(fakePng("of an attempt that failed"), taskId);
	const kept = await readdir(mediaDir);
	await media.save(fakePng("of no task"), "task_0");
	await clock.advance(2 * HOUR_MS);
	await until(async () => (await readdir(mediaDir)).length === 1);
	// Waits for the end of the sweep.
	await studio.stop();
	expect(await readdir(mediaDir)).toStrictEqual(kept);
});

describe("the record of a task", () => {
	test("is not found after 60 days", async () => {
		const { completeTask, clock, call } = await setup();
		const { taskId, expiresAt } = await completeTask();
		expect(expiresAt).toBe(new Date(clock.nowMs() + 60 * DAY_MS).toISOString());
		await clock.advance(60 * DAY_MS - 1);
		expect((await call("GET", `/api/v1/task/${taskId}`)).status).toBe(200);
		await clock.advance(1);
		expect(await call("GET", `/api/v1/task/${taskId}`)).toMatchObject({ status: 404, body: { code: 40400 } });
	});

	test("leaves only the documents of the account and of the studio itself", async () => {
		const { completeTask, clock, store, mediaDir } = await setup();
		const callbackUrl = "https://hooks.example/";
		await completeTask({ ...REQUEST, callbackUrl });
		await completeTask({ ...REQUEST, callbackUrl }, { "idempotency-key": "1" });
		await clock.jump(61 * DAY_MS);
		const documents = ["studio-account", "studio-key", "studio-secret"];
		const left = async () => {
			await clock.advance(HOUR_MS);
			return (await Array.fromAsync(store.scan("studio-"))).map(({ key }) => key.split(":")[0]);
		};
		await until(left, ({ length }) => length === documents.length);
		expect(await left()).toStrictEqual(documents);
		expect(await readdir(mediaDir)).toStrictEqual([]);
	});

	test("leaves its idempotency key used: it never creates and charges another task", async () => {
		const { completeTask, submit, clock, store, readBalance } = await setup();
		const headers = { "idempotency-key": "1" };
		await completeTask(REQUEST, headers);
		await clock.jump(61 * DAY_MS);
		await until(async () => (await Array.fromAsync(store.scan("studio-expiry:"))).length === 0);
		expect(await submit(REQUEST, headers)).toMatchObject({ status: 422, body: { code: 42200 } });
		expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});
});

test("a stop ends a removal after its current file, and hands tasks over meanwhile", async () => {
	const limits = { mediaRetentionMs: 1000, runDeadlineMs: { image: DAY_MS, video: DAY_MS, music: DAY_MS } };
	const { engine, studio, clock, store, mediaDir } = await setupRunning({ limits });
	const media = createMediaStore({ mediaDir, store, clock });
	for (const text of ["1", "2", "3"]) await media.save(fakePng(text), "task_0");
	const remove = store.delete.bind(store);
	let stopping: Promise<void> | undefined;
	store.delete = async (key) => {
		stopping ??= studio.stop();
		await until(() => engine.runs[0]?.signal.aborted);
		await remove(key);
	};
	await clock.jump(2 * HOUR_MS);
	await until(() => stopping !== undefined);
	await stopping;
	expect(await readdir(mediaDir)).toHaveLength(2);
});

test("an unreadable entry does not block the others, and is removed once it is readable", async () => {
	const storage = createMemoryAdapter();
	const { completeTask, clock, mediaDir, store, readLog } = await setup({ store: createKeyvStore(storage) });
	const damaged = `studio-task:${(await completeTask()).taskId}`;
	const text = (await storage.get(damaged)) ?? "";
	await storage.set(damaged, "cut sho");
	await storage.set("studio-expiry:000000000000000:lost", "cut sho");
	await clock.advance(1000);
	await completeTask();
	await clock.jump(8 * DAY_MS);
	await until(async () => (await readdir(mediaDir)).length === 1 && readLog().includes(damaged));
	await storage.set(damaged, text);
	const afterAnotherSweep = async () => {
		await clock.advance(HOUR_MS);
		return await readdir(mediaDir);
	};
	await until(afterAnotherSweep, ({ length }) => length === 0);
	expect(await Array.fromAsync(store.scan("studio-file:"))).toStrictEqual([]);
});
