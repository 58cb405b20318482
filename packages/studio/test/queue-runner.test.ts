/** Running tasks. The specification requires retries; the conditions and delays are our choice. */
import { rm, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import type { EngineOutput, ReportProgress } from "../src/engines/engine.ts";
import { createFakeEngine, fakeImage, fakeImageModel, type Script } from "../testing/fake-engine.ts";
import { REQUEST, setup, until } from "../testing/studio-setup.ts";

const MINUTE_MS = 60_000;
const RETRYABLE: Script = { kind: "fail", retryable: true };
const UNCHARGED = { costCredits: 0, credits: { reserved: 0, charged: 0, refunded: 4 }, outputs: [] };

describe("a temporary failure", () => {
	test("is retried under the same id with doubling delays, three attempts in all", async () => {
		const engine = createFakeEngine({ script: [RETRYABLE, RETRYABLE, RETRYABLE] });
		const { submitTask, awaitRetry, awaitEnd, clock, readBalance } = await setup({ engine });
		const taskId = await submitTask();
		expect(await awaitRetry(taskId, 1)).toMatchObject({
			status: "pending",
			progress: 0,
			costCredits: 4,
			credits: { reserved: 4, charged: 0, refunded: 0 },
		});
		expect(await readBalance()).toMatchObject({ heldCredits: 4 });
		await clock.advance(1500);
		expect(engine.runs).toHaveLength(1);
		await clock.advance(500);
		await awaitRetry(taskId, 2);
		// Each wait is up to a fifth shorter, so that tasks that failed together do not return together.
		await clock.advance(2700);
		expect(engine.runs).toHaveLength(2);
		await clock.advance(1300);
		expect(await awaitEnd(taskId)).toMatchObject({
			status: "failed",
			attempt: 3,
			maxAttempts: 3,
			error: { code: "upstream_error", retryable: true },
			...UNCHARGED,
		});
		expect(engine.runs.map(({ task }) => task.taskId)).toStrictEqual([taskId, taskId, taskId]);
		expect(await readBalance()).toMatchObject({ postedCredits: 100, heldCredits: 0 });
	});
});

describe("a permanent failure", () => {
	test("ends the task at once with the engine's message", async () => {
		const engine = createFakeEngine({ script: [{ kind: "fail", code: "content_policy", retryable: false }] });
		const { completeTask } = await setup({ engine });
		expect(await completeTask()).toMatchObject({
			status: "failed",
			attempt: 1,
			error: { code: "content_policy", message: "the fake engine was told to fail", retryable: false },
			...UNCHARGED,
		});
	});

	test("of a broken engine is shown without details, which are logged", async () => {
		const { completeTask, readLog } = await setup({ engine: createFakeEngine({ script: [{ kind: "crash" }] }) });
		const record = await completeTask();
		expect(record).toMatchObject({ status: "failed", error: { code: "internal" }, ...UNCHARGED });
		expect(JSON.stringify(record)).not.toContain("secret detail");
		expect(readLog()).toContain("secret detail");
	});
});

describe("an engine that succeeds without output", () => {
	const nothing: readonly [string, readonly EngineOutput[]][] = [
		["nothing", []],
		["bytes that are not media", [{ ...fakeImage(), bytes: Buffer.from("<html>") }]],
		["no bytes", [{ ...fakeImage(), bytes: new Uint8Array() }]],
		["an image that it calls a video", [{ ...fakeImage(), type: "video" }]],
	];
	test.each(nothing)("(%s) fails with no_output and is free", async (_name, outputs) => {
		const engine = createFakeEngine({ script: [{ kind: "succeed", outputs }] });
		const { completeTask } = await setup({ engine, limits: { attemptsMax: 1 } });
		expect(await completeTask()).toMatchObject({
			status: "failed",
			error: { code: "no_output", retryable: true },
			...UNCHARGED,
		});
	});
});

test("the prompt reaches the engine unchanged", async () => {
	const engine = createFakeEngine();
	const { completeTask } = await setup({ engine });
	const prompts = [":base64:AAAA", ":colon", "@everyone 🦊\u202Eشعر\u0000", "../../etc/passwd", "\ud800", "__proto__"];
	for (const prompt of prompts) {
		expect(await completeTask({ ...REQUEST, prompt })).toMatchObject({ prompt });
	}
	expect(engine.runs.map(({ task: { prompt } }) => prompt)).toStrictEqual(prompts);
});

describe("every task ends", () => {
	test.each(["hang", "hangDespiteAbort"] as const)(
		"a run without a response (%s) ends at the deadline, and its late result is dropped",
		async (kind) => {
			const engine = createFakeEngine({ concurrency: 1, script: [{ kind }] });
			const { submitTask, awaitStatus, awaitEnd, clock, readTask } = await setup({ engine });
			const taskId = await submitTask();
			await awaitStatus(taskId, "processing");
			const next = await submitTask();
			await clock.advance(10 * MINUTE_MS - 1);
			expect(engine.runs[0]?.signal.aborted).toBe(false);
			await clock.advance(1);
			const record = await awaitEnd(taskId);
			expect(record).toMatchObject({ status: "failed", error: { code: "timeout" }, ...UNCHARGED });
			expect(engine.runs[0]?.signal.aborted).toBe(true);
			engine.runs[0]?.finish();
			expect(await awaitEnd(next)).toMatchObject({ status: "success" });
			expect(await readTask(taskId)).toStrictEqual(record);
		},
	);

	test("the deadline of a video is after an hour, and its end is not retried", async () => {
		const engine = createFakeEngine({ script: [{ kind: "hang" }, RETRYABLE] });
		const { submitTask, awaitStatus, awaitEnd, clock } = await setup({ engine });
		const taskId = await submitTask({ mediaType: "video", model: "fake-video", prompt: "x" });
		await awaitStatus(taskId, "processing");
		await clock.advance(60 * MINUTE_MS);
		expect(await awaitEnd(taskId)).toMatchObject({ status: "failed", attempt: 1, error: { code: "timeout" } });
	});

	test("a task that waits too long for its first start fails", async () => {
		const engine = createFakeEngine({ concurrency: 1, script: [{ kind: "hang" }] });
		const limits = { queueDeadlineMs: 5 * MINUTE_MS };
		const { submitTask, awaitStatus, awaitEnd, clock, readTask, readBalance } = await setup({ engine, limits });
		const first = await submitTask();
		await awaitStatus(first, "processing");
		const second = await submitTask();
		await clock.advance(5 * MINUTE_MS - 1);
		expect(await readTask(second)).toMatchObject({ status: "pending", queuePosition: 1 });
		await clock.advance(1);
		expect(await awaitEnd(second)).toMatchObject({
			status: "failed",
			startedAt: null,
			error: { code: "timeout" },
			...UNCHARGED,
		});
		engine.runs[0]?.finish();
		await awaitEnd(first);
		expect(engine.runs).toHaveLength(1);
		expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});

	test("a task whose model is gone after a restart fails", async () => {
		const first = await setup({ engine: createFakeEngine({ script: [{ kind: "hang" }] }) });
		const taskId = await first.submitTask();
		await first.awaitStatus(taskId, "processing");
		await first.studio.stop();
		const { store, clock } = first;
		const second = await setup({ store, clock, engine: createFakeEngine({ models: [] }), credits: 0 });
		expect(await second.awaitEnd(taskId)).toMatchObject({ status: "failed", error: { code: "engine_unavailable" } });
		expect(await second.readBalance()).toMatchObject({ postedCredits: 100, heldCredits: 0 });
	});

	test("a task that was interrupted more often than the limit fails", async () => {
		const first = await setup({ engine: createFakeEngine({ script: [{ kind: "hang" }] }) });
		const taskId = await first.submitTask();
		await first.awaitStatus(taskId, "processing");
		await first.studio.stop();
		const { store, clock, mediaDir } = first;
		for (let restart = 0; restart < 2; restart++) {
			const engine = createFakeEngine({ script: [{ kind: "hang" }] });
			const next = await setup({ store, clock, mediaDir, engine, credits: 0, limits: { interruptionsMax: 2 } });
			expect(await next.awaitStatus(taskId, "processing")).toMatchObject({
				attempt: 1,
				startedAt: expect.any(String),
			});
			await next.studio.stop();
		}
		const last = await setup({ store, clock, mediaDir, credits: 0, limits: { interruptionsMax: 2 } });
		expect(await last.awaitEnd(taskId)).toMatchObject({ status: "failed", error: { code: "internal" } });
	});

	test("an outage of the store only delays tasks until the next sweep", async () => {
		const engine = createFakeEngine({ script: [{ kind: "hang" }] });
		const { submitTask, awaitStatus, awaitEnd, clock, store, readLog } = await setup({ engine });
		const taskId = await submitTask();
		await awaitStatus(taskId, "processing");
		const compareAndSet = store.compareAndSet.bind(store);
		store.compareAndSet = () => Promise.reject(new Error("the store is away"));
		engine.runs[0]?.finish();
		await until(readLog, (text) => text.includes("task postponed to the next sweep"));
		store.compareAndSet = compareAndSet;
		await clock.advance(30_000);
		expect(await awaitEnd(taskId)).toMatchObject({ status: "success", attempt: 1 });
	});

	test("an outage of the store while it saves an output only delays the attempt, and is no failure of the engine", async () => {
		const engine = createFakeEngine({ script: [{ kind: "hang" }] });
		const { submitTask, awaitStatus, awaitEnd, clock, store, readLog, call } = await setup({ engine });
		const taskId = await submitTask();
		await awaitStatus(taskId, "processing");
		const set = store.set.bind(store);
		store.set = () => Promise.reject(new StoreUnavailableError("the store is away"));
		engine.runs[0]?.finish();
		await until(readLog, (text) => text.includes("task postponed to the next sweep"));
		store.set = set;
		const { models } = (await call("GET", "/api/v1/models")).body.data;
		expect(models).toMatchObject([{ health: "up" }, { health: "up" }, { health: "up" }]);
		await clock.advance(30_000);
		expect(await awaitEnd(taskId)).toMatchObject({ status: "success", attempt: 1 });
	});
});

test.each([
	["continues the job of an engine that has jobs", true, { status: "success", attempt: 1 }],
	["uses up an attempt of another engine", false, { status: "success", attempt: 2 }],
])("a full disk %s, and is no failure of the engine", async (_rule, writesCheckpoints, end) => {
	const engine = createFakeEngine({ writesCheckpoints });
	const { submitTask, awaitEnd, clock, mediaDir, readLog, call } = await setup({ engine });
	await rm(mediaDir, { recursive: true });
	await writeFile(mediaDir, "in place of the folder");
	const taskId = await submitTask();
	await until(readLog, (text) => text.includes("outputs not saved"));
	await rm(mediaDir);
	const { models } = (await call("GET", "/api/v1/models")).body.data;
	expect(models).toMatchObject([{ health: "up" }, { health: "up" }, { health: "up" }]);
	await clock.advance(30_000);
	expect(await awaitEnd(taskId)).toMatchObject(end);
});

describe("the queue", () => {
	test("keeps its order after a restart", async () => {
		const hangs = Array.from({ length: 4 }, (): Script => ({ kind: "hang" }));
		const first = await setup({ engine: createFakeEngine({ concurrency: 1, script: hangs }) });
		const ids: string[] = [];
		for (let n = 0; n < 4; n++) {
			ids.push(await first.submitTask());
			await first.clock.advance(1);
		}
		await first.studio.stop();
		const { store, clock, mediaDir } = first;
		const engine = createFakeEngine({ concurrency: 1 });
		const second = await setup({ store, clock, mediaDir, engine, credits: 0 });
		for (const id of ids) expect(await second.awaitEnd(id)).toMatchObject({ status: "success" });
		expect(engine.runs.map(({ task }) => task.taskId)).toStrictEqual(ids);
	});

	test("of one engine does not delay another", async () => {
		const slow = createFakeEngine({ name: "slow", concurrency: 1, script: [{ kind: "hang" }] });
		const quick = createFakeEngine({ name: "quick", models: [{ ...fakeImageModel, id: "quick-image" }] });
		const { submitTask, completeTask } = await setup({ engines: [slow, quick] });
		await submitTask();
		expect(await completeTask({ ...REQUEST, model: "quick-image" })).toMatchObject({ status: "success" });
	});

	test("has a limit per account and one for all, also in concurrent submits: 429 with Retry-After, and no task", async () => {
		const engine = createFakeEngine({ script: Array.from({ length: 9 }, () => ({ kind: "hang" })) });
		const limits = { openTasksPerAccountMax: 2, openTasksMax: 3 };
		const { studio, submit, call, readBalance } = await setup({ engine, limits });
		const replies = await Promise.all(Array.from({ length: 6 }, () => submit()));
		const rejected = replies.filter(({ status }) => status !== 200);
		expect(rejected).toHaveLength(4);
		expect(rejected[0]).toMatchObject({ status: 429, body: { code: 42901 }, headers: { "retry-after": "5" } });
		expect(await readBalance()).toMatchObject({ heldCredits: 8 });
		const { key } = await studio.keys.create({ account: "other", name: "k", grantCredits: 100 });
		const submitForOther = () => call("POST", "/api/v1/generate", { body: REQUEST, key });
		expect((await submitForOther()).status).toBe(200);
		expect(await submitForOther()).toMatchObject({ status: 429, body: { code: 42902 } });
	});

	test("has no limit for an unlimited account", async () => {
		const engine = createFakeEngine({ script: Array.from({ length: 3 }, () => ({ kind: "hang" })) });
		const { submitTask, readBalance } = await setup({
			engine,
			limits: { openTasksPerAccountMax: 1 },
			unlimitedAccounts: ["acme"],
		});
		for (let count = 0; count < 3; count++) await submitTask();
		expect(await readBalance()).toMatchObject({ heldCredits: 12 });
	});
});

describe("progress", () => {
	test("follows the engine's reports", async () => {
		const engine = createFakeEngine({ script: [{ kind: "hang" }] });
		const { submitTask, awaitStatus, readTask, clock } = await setup({ engine });
		const taskId = await submitTask();
		await awaitStatus(taskId, "processing");
		const [run] = engine.runs;
		const reported = async (...percentages: readonly number[]): Promise<unknown> => {
			for (const percentage of percentages) {
				await clock.advance(1000);
				run?.report(percentage);
			}
			return await readTask(taskId);
		};
		expect(await reported(30)).toMatchObject({ progress: 30 });
		// 60 % of the typical 10 seconds are left.
		expect(await reported(40.9, 35, Number.NaN)).toMatchObject({ progress: 40, estimatedSeconds: 6 });
		expect(await reported(1000)).toMatchObject({ progress: 99, status: "processing" });
		run?.finish();
		expect(await awaitStatus(taskId, "success")).toMatchObject({ progress: 100, estimatedSeconds: null });
		expect(engine.runs).toHaveLength(1);
	});
});

describe("the position in the engine's own queue", () => {
	test("is the last reported position while the task waits in that queue, in every process", async () => {
		const engine = createFakeEngine({ script: [{ kind: "hang" }] });
		const { submitTask, awaitStatus, clock, store, key } = await setup({ engine });
		const taskId = await submitTask();
		expect(await awaitStatus(taskId, "processing")).toMatchObject({ queuePosition: null });
		const other = await setup({ store, clock, credits: 0, started: false });
		const shownAfter = async (...[percentage, position]: Parameters<ReportProgress>): Promise<unknown> => {
			await clock.advance(1000);
			engine.runs[0]?.report(percentage, position);
			return (await other.call("GET", `/api/v1/task/${taskId}`, { key })).body.data["queuePosition"];
		};
		expect(await shownAfter(0, 7)).toBe(7);
		expect(await shownAfter(0, 1)).toBe(1);
		for (const nonsense of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
			expect(await shownAfter(0, 2)).toBe(2);
			expect(await shownAfter(0, nonsense)).toBeNull();
		}
		expect(await shownAfter(10, 2)).toBe(2);
		expect(await shownAfter(10)).toBeNull();
		await shownAfter(10, 2);
		engine.runs[0]?.finish();
		expect(await awaitStatus(taskId, "success")).toMatchObject({ queuePosition: null });
	});

	test("belongs to one attempt", async () => {
		const engine = createFakeEngine({ script: [{ kind: "hang" }, { kind: "hang" }] });
		const { submitTask, awaitStatus, awaitRetry, clock } = await setup({ engine });
		const taskId = await submitTask();
		await awaitStatus(taskId, "processing");
		engine.runs[0]?.report(0, 7);
		engine.runs[0]?.finish([]);
		expect(await awaitRetry(taskId, 1)).toMatchObject({ queuePosition: null });
		await clock.advance(60_000);
		expect(await awaitStatus(taskId, "processing")).toMatchObject({ attempt: 2, queuePosition: null });
	});
});

describe("credits", () => {
	test("are charged once per task, and only for what the engine generates", async () => {
		const engine = createFakeEngine({ script: [{ kind: "succeed" }, { kind: "fail", retryable: false }] });
		const { completeTask, ledger, readBalance } = await setup({ engine });
		const { taskId } = await completeTask();
		const entries = await ledger.history("studio:acme", { limit: 10 });
		expect(entries.map(({ kind, amountCredits, taskId: id }) => [kind, amountCredits, id])).toStrictEqual([
			["post", 4, taskId],
			["reserve", 4, taskId],
			["grant", 100, undefined],
		]);
		await completeTask();
		expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0, availableCredits: 96 });
	});

	test("limit parallel submits to the affordable ones", async () => {
		const { submit, awaitEnd, readBalance } = await setup({ credits: 11 });
		const replies = await Promise.all(Array.from({ length: 10 }, () => submit()));
		const taken = replies.filter(({ status }) => status === 200);
		expect(taken).toHaveLength(2);
		expect(replies.filter(({ status }) => status === 402)).toHaveLength(8);
		for (const { body } of taken) await awaitEnd(String(body.data["taskId"]));
		expect(await readBalance()).toMatchObject({ postedCredits: 3, heldCredits: 0, availableCredits: 3 });
	});

	test("are charged by the price at the submit, even if the catalog changes", async () => {
		const first = await setup({ engine: createFakeEngine({ script: [{ kind: "hang" }] }) });
		const taskId = await first.submitTask();
		await first.studio.stop();
		const { store, clock, mediaDir } = first;
		const dearer = { ...fakeImageModel, price: { ...fakeImageModel.price, credits: 50 } };
		const second = await setup({ store, clock, mediaDir, engine: createFakeEngine({ models: [dearer] }), credits: 0 });
		expect(await second.awaitEnd(taskId)).toMatchObject({ costCredits: 4, credits: { charged: 4 } });
		expect(await second.readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});
});

describe("logs", () => {
	test("contain the task id and the length of the prompt, but neither prompt nor key", async () => {
		const { submitTask, awaitEnd, readLog, key } = await setup();
		const taskId = await submitTask();
		await awaitEnd(taskId);
		for (const message of ["task accepted", "task started", "task settled"]) {
			expect(readLog()).toMatch(new RegExp(`${taskId}.*${message}`));
		}
		expect(readLog()).toContain(`"promptChars":${REQUEST.prompt.length}`);
		expect(readLog()).not.toContain(REQUEST.prompt);
		expect(readLog()).not.toContain(key);
	});
});
