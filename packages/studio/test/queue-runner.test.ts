/** Running tasks. The specification requires retries; the conditions and delays are our choice. */
import { describe, expect, test } from "vitest";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import type { EngineOutput, ReportProgress } from "../src/engines/engine.ts";
import {
	createFakeEngine,
	FAILURE,
	fakeImage,
	fakeImageModel,
	HANG,
	PERMANENT_FAILURE,
	type Script,
} from "../testing/fake-engine.ts";
import { openAnother, REQUEST, setup, setupRunning, takeDiskAway, until } from "../testing/studio-setup.ts";

const MINUTE_MS = 60_000;
const VIDEO = { mediaType: "video", model: "fake-video", prompt: "x" };
const UNCHARGED = { costCredits: 0, credits: { reserved: 0, charged: 0, refunded: 4 }, outputs: [] };

test("a temporary failure is retried under the same id with doubling delays, three attempts in all", async () => {
	const engine = createFakeEngine({ script: [FAILURE, FAILURE, FAILURE] });
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

describe("a permanent failure", () => {
	test("ends the task at once with the engine's message", async () => {
		const engine = createFakeEngine({ script: [{ ...PERMANENT_FAILURE, code: "content_policy" }] });
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

	test.each<[string, Script, number]>([
		["of a broken engine cancels its job", { kind: "crash" }, 1],
		["after a submit with an unknown outcome cancels the job", { ...PERMANENT_FAILURE, code: "upstream_timeout" }, 1],
		["of a job that has ended cancels nothing", PERMANENT_FAILURE, 0],
	])("%s", async (_what, script, cancels) => {
		const engine = createFakeEngine({ script: [script], writesCheckpoints: true });
		const { completeTask } = await setup({ engine });
		expect(await completeTask()).toMatchObject({ status: "failed", attempt: 1, ...UNCHARGED });
		expect(engine.canceledRuns).toHaveLength(cancels);
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
	test.each([
		["hang", REQUEST, 10],
		["hangDespiteAbort", VIDEO, 60],
	] as const)(
		"a run without a response (%s) of %j ends after %d minutes without a retry, and its late result is dropped",
		async (kind, request, minutes) => {
			const engine = createFakeEngine({ concurrency: 1, script: [{ kind }], writesCheckpoints: true });
			const { submitTask, startTask, awaitEnd, clock, readTask } = await setup({ engine });
			const taskId = await startTask(request);
			await clock.advance(minutes * MINUTE_MS - 1);
			const next = await submitTask();
			expect(engine.runs[0]?.signal.aborted).toBe(false);
			await clock.advance(1);
			const record = await awaitEnd(taskId);
			expect(record).toMatchObject({ status: "failed", attempt: 1, error: { code: "timeout" }, costCredits: 0 });
			expect(engine.runs[0]?.signal.aborted).toBe(true);
			expect(engine.canceledRuns).toMatchObject([{ taskId }]);
			engine.runs[0]?.finish();
			expect(await awaitEnd(next)).toMatchObject({ status: "success" });
			expect(await readTask(taskId)).toStrictEqual(record);
		},
	);

	test("a task that waits too long for its first start fails", async () => {
		const engine = createFakeEngine({ concurrency: 1, script: [HANG] });
		const limits = { queueDeadlineMs: 5 * MINUTE_MS };
		const { submitTask, awaitEnd, clock, readTask, readBalance, startTask } = await setup({ engine, limits });
		const first = await startTask();
		const second = await submitTask();
		await clock.advance(5 * MINUTE_MS - 1);
		expect(await readTask(second)).toMatchObject({ status: "pending", queuePosition: 1 });
		await clock.advance(1);
		const failure = { status: "failed", startedAt: null, error: { code: "timeout" }, ...UNCHARGED };
		expect(await awaitEnd(second)).toMatchObject(failure);
		engine.runs[0]?.finish();
		await awaitEnd(first);
		expect(engine.runs).toHaveLength(1);
		expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});

	test("a task whose deadline passes while it waits for a retry fails, and its engine is not blamed", async () => {
		const engine = createFakeEngine({ concurrency: 1, script: [FAILURE, HANG] });
		const limits = { sweepIntervalMs: 60 * MINUTE_MS };
		const { submitTask, awaitRetry, startTask, awaitEnd, clock, readHealth } = await setup({ engine, limits });
		const taskId = await submitTask();
		await awaitRetry(taskId, 1);
		await startTask(VIDEO);
		await clock.advance(10 * MINUTE_MS);
		engine.runs[1]?.finish();
		expect(await awaitEnd(taskId)).toMatchObject({ status: "failed", attempt: 1, error: { code: "timeout" } });
		expect(await readHealth()).toStrictEqual(["up", "up", "up"]);
		expect(engine.runs).toHaveLength(2);
	});

	test("a task whose model is gone after a restart fails", async () => {
		const { taskId, ...first } = await setupRunning();
		await first.studio.stop();
		const second = await openAnother(first, { engine: createFakeEngine({ models: [] }) });
		expect(await second.awaitEnd(taskId)).toMatchObject({ status: "failed", error: { code: "engine_unavailable" } });
		expect(await second.readBalance()).toMatchObject({ postedCredits: 100, heldCredits: 0 });
	});

	test("a task that was interrupted more often than the limit fails", async () => {
		const { taskId, ...first } = await setupRunning();
		await first.studio.stop();
		const limits = { interruptionsMax: 2 };
		for (let restart = 0; restart < 2; restart++) {
			const next = await openAnother(first, { engine: createFakeEngine({ script: [HANG] }), limits });
			expect(await next.awaitStatus(taskId, "processing")).toMatchObject({ attempt: 1, startedAt: expect.any(String) });
			await next.studio.stop();
		}
		const last = await openAnother(first, { limits });
		expect(await last.awaitEnd(taskId)).toMatchObject({ status: "failed", error: { code: "internal" } });
	});
});

describe("the result of a run is saved", () => {
	test.each([
		["ends the task", "compareAndSet"],
		["saves an output", "set"],
	] as const)("again 10 seconds after an outage of the store while it %s", async (_when, method) => {
		const { engine, taskId, awaitEnd, clock, store, readLog, readHealth } = await setupRunning();
		const write = store[method];
		store[method] = async (): Promise<never> => {
			throw new StoreUnavailableError("the store is away");
		};
		engine.runs[0]?.finish();
		await until(readLog, (text) => text.includes("result not saved"));
		Object.assign(store, { [method]: write });
		expect(await readHealth()).toStrictEqual(["up", "up", "up"]);
		await clock.advance(10_000);
		expect(await awaitEnd(taskId)).toMatchObject({ status: "success", attempt: 1 });
		expect(engine.runs).toHaveLength(1);
	});

	test("again after a full disk, which is no failure of the engine", async () => {
		const engine = createFakeEngine();
		const { submitTask, awaitEnd, clock, mediaDir, readLog, readHealth } = await setup({ engine });
		const restoreDisk = await takeDiskAway(mediaDir);
		const taskId = await submitTask();
		await until(readLog, (text) => text.includes("result not saved"));
		await restoreDisk();
		expect(await readHealth()).toStrictEqual(["up", "up", "up"]);
		await clock.advance(10_000);
		expect(await awaitEnd(taskId)).toMatchObject({ status: "success", attempt: 1 });
		expect(engine.runs).toHaveLength(1);
	});

	test("only until the deadline of the task, which is no failure of the engine", async () => {
		const { submitTask, awaitEnd, clock, mediaDir, readLog, readHealth } = await setup();
		await takeDiskAway(mediaDir);
		const taskId = await submitTask();
		await until(readLog, (text) => text.includes("result not saved"));
		await clock.advance(10 * MINUTE_MS);
		expect(await awaitEnd(taskId)).toMatchObject({ status: "failed", error: { code: "timeout" }, ...UNCHARGED });
		expect(await readHealth()).toStrictEqual(["up", "up", "up"]);
	});
});

describe("the queue", () => {
	test("keeps its order after a restart", async () => {
		const first = await setup({ engine: createFakeEngine({ concurrency: 1, script: [HANG, HANG, HANG, HANG] }) });
		const ids: string[] = [];
		for (let n = 0; n < 4; n++) {
			ids.push(await first.submitTask());
			await first.clock.advance(1);
		}
		await first.studio.stop();
		const engine = createFakeEngine({ concurrency: 1 });
		const second = await openAnother(first, { engine });
		for (const id of ids) expect(await second.awaitEnd(id)).toMatchObject({ status: "success" });
		expect(engine.runs.map(({ task }) => task.taskId)).toStrictEqual(ids);
	});

	test("of one engine does not delay another", async () => {
		const slow = createFakeEngine({ name: "slow", concurrency: 1, script: [HANG] });
		const quick = createFakeEngine({ name: "quick", models: [{ ...fakeImageModel, id: "quick-image" }] });
		const { submitTask, completeTask } = await setup({ engines: [slow, quick] });
		await submitTask();
		expect(await completeTask({ ...REQUEST, model: "quick-image" })).toMatchObject({ status: "success" });
	});

	test("has a limit per account and one for all, also in concurrent submits: 429 with Retry-After, and no task", async () => {
		const engine = createFakeEngine({ script: Array.from({ length: 9 }, () => HANG) });
		const limits = { openTasksPerAccountMax: 2, openTasksMax: 3 };
		const { createKey, submit, call, readBalance } = await setup({ engine, limits });
		const replies = await Promise.all(Array.from({ length: 6 }, () => submit()));
		const rejected = replies.filter(({ status }) => status !== 200);
		expect(rejected).toHaveLength(4);
		expect(rejected[0]).toMatchObject({ status: 429, body: { code: 42901 }, headers: { "retry-after": "5" } });
		expect(await readBalance()).toMatchObject({ heldCredits: 8 });
		const key = await createKey("other", 100);
		const submitForOther = () => call("POST", "/api/v1/generate", { body: REQUEST, key });
		expect((await submitForOther()).status).toBe(200);
		expect(await submitForOther()).toMatchObject({ status: 429, body: { code: 42902 } });
	});
});

test("a report without a change counts as running time after a restart", async () => {
	const { engine, taskId, ...first } = await setupRunning();
	for (let minute = 0; minute < 9; minute++) {
		await first.clock.advance(MINUTE_MS);
		engine.runs[0]?.report(0);
	}
	await first.studio.stop();
	const second = await openAnother(first, { engine: createFakeEngine({ script: [HANG] }) });
	await second.awaitStatus(taskId, "processing");
	await second.clock.advance(MINUTE_MS);
	expect(await second.awaitEnd(taskId)).toMatchObject({ status: "failed", error: { code: "timeout" } });
});

test("progress follows the engine's reports", async () => {
	const { engine, taskId, awaitStatus, readTask, clock } = await setupRunning();
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

test("the position in the engine's own queue is the last reported one, in every process, and belongs to one attempt", async () => {
	const studio = await setupRunning({ script: [HANG, HANG] });
	const { engine, taskId, awaitRetry, clock } = studio;
	const other = await openAnother(studio, { started: false });
	expect((await other.readTask(taskId))["queuePosition"]).toBeNull();
	const shownAfter = async (...[percentage, position]: Parameters<ReportProgress>): Promise<unknown> => {
		await clock.advance(1000);
		engine.runs[0]?.report(percentage, position);
		return (await other.readTask(taskId))["queuePosition"];
	};
	expect(await shownAfter(0, 7)).toBe(7);
	for (const nonsense of [undefined, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
		expect(await shownAfter(0, 1)).toBe(1);
		expect(await shownAfter(0, nonsense)).toBeNull();
	}
	expect(await shownAfter(10, 2)).toBe(2);
	engine.runs[0]?.finish([]);
	expect(await awaitRetry(taskId, 1)).toMatchObject({ queuePosition: null });
	await clock.advance(60_000);
	expect(await studio.awaitStatus(taskId, "processing")).toMatchObject({ attempt: 2, queuePosition: null });
});

describe("credits", () => {
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
		const { taskId, ...first } = await setupRunning();
		await first.studio.stop();
		const dearer = { ...fakeImageModel, price: { ...fakeImageModel.price, credits: 50 } };
		const second = await openAnother(first, { engine: createFakeEngine({ models: [dearer] }) });
		expect(await second.awaitEnd(taskId)).toMatchObject({ costCredits: 4, credits: { charged: 4 } });
		expect(await second.readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0 });
	});
});

test("logs contain the task id and the length of the prompt, but neither prompt nor key", async () => {
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
