/** Callbacks at a task's end, by Standard Webhooks; the rest is our choice. */
import assert from "node:assert/strict";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { orAborted } from "@atelier/common/or-aborted";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import { DEFAULT_LIMITS } from "../../src/limits.ts";
import { createCallbacks, RETRY_DELAYS_MS, type Callbacks } from "../../src/callbacks/callbacks.ts";
import { CallbacksResponse } from "../../src/response-schemas.ts";
import { failWith, isEnded, newTask, TASK_FAILURES, type EndedTask } from "../../src/studio-task.ts";
import { createStudioTaskStore, newDocuments } from "../../src/studio-task-store.ts";
import { createFakeEngine, HANG, PERMANENT_FAILURE } from "../../testing/fake-engine.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openAnother, REQUEST, setup, until, type SetupOptions } from "../../testing/studio-setup.ts";
import { openReceiver } from "./receiver.ts";

/**
 * A studio that trusts the receiver. Its clock starts at the real time, because the verifying library uses its own clock.
 */
async function setupCallbacks(statuses: Parameters<typeof openReceiver> = [], options: SetupOptions = {}) {
	const receiver = await openReceiver(...statuses);
	const clock = createManualClock(Date.now());
	const studio = await setup({ clock, callbackOrigins: () => [receiver.origin], ...options });
	const body = { ...REQUEST, callbackUrl: `${receiver.origin}/hook` };
	const readLogOf = async (taskId: string) =>
		CallbacksResponse.parse((await studio.call("GET", `/api/v1/task/${taskId}/callbacks`)).body.data).callbacks;
	/** Waits until this many attempts have failed. */
	const failed = (taskId: string, attempts: number): Promise<unknown> =>
		until(
			() => readLogOf(taskId),
			([log]) => log?.attempts.length === attempts,
		);
	/** Waits until there are no attempts left. */
	const done = (): Promise<unknown> =>
		until(async () => (await Array.fromAsync(studio.store.scan("studio-callback:"))).length === 0);
	return { ...studio, receiver, body, readLogOf, failed, done };
}

test("only accounts of this installation may send callbacks to its own origin", async () => {
	const { call, createKey } = await setup({
		callbackOrigins: (account) => (account === "internal" ? ["http://127.0.0.1:8080"] : []),
	});
	const key = await createKey("internal", 100);
	const body = { ...REQUEST, callbackUrl: "http://127.0.0.1:8080/hook" };
	expect(await call("POST", "/api/v1/generate", { body })).toMatchObject({ status: 400, body: { code: 40006 } });
	expect(await call("POST", "/api/v1/generate", { body, key })).toMatchObject({ status: 200 });
});

describe("the end of a task", () => {
	test.each([
		["success", []],
		["failed", [PERMANENT_FAILURE]],
		["canceled", [HANG]],
	] as const)("in %s sends one signed callback with the task", async (status, script) => {
		const engine = createFakeEngine({ script });
		const { submitTask, cancelTask, awaitEnd, call, receiver, body, done } = await setupCallbacks([], { engine });
		const taskId = await submitTask(body);
		if (status === "canceled") await cancelTask(taskId);
		const record = await awaitEnd(taskId);
		await done();
		expect(receiver.received).toHaveLength(1);
		const [{ path, headers, body: sent } = { path: "", headers: {}, body: "" }] = receiver.received;
		expect(path).toBe("/hook");
		expect(headers).toMatchObject({
			"content-type": "application/json",
			"user-agent": expect.stringMatching(/^Atelier\/\d/),
			"webhook-id": record.taskId.replace("task_", "msg_"),
		});
		const { secret } = (await call("GET", "/api/v1/callbacks/secret")).body.data;
		const event = new Webhook(String(secret)).verify(sent, headers as Record<string, string>);
		expect(event).toStrictEqual(record);
		expect(event).toMatchObject({ status });
	});

	test("also sends a callback to a URL in the field callBackUrl", async () => {
		const { completeTask, receiver } = await setupCallbacks();
		await completeTask({ ...REQUEST, callBackUrl: `${receiver.origin}/other` });
		await until(() => receiver.received.length === 1);
		expect(receiver.received).toMatchObject([{ path: "/other" }]);
	});
});

describe("a failing receiver", () => {
	test("that does not respond delays neither its task nor the callbacks of other accounts", async () => {
		const limits = { callbackConcurrency: 2, callbackConcurrencyPerAccount: 1 };
		const { createKey, completeTask, call, receiver, body } = await setupCallbacks(["never", 204], { limits });
		await completeTask(body);
		await until(() => receiver.received.length === 1);
		await completeTask(body);
		const key = await createKey("other", 100);
		const { data } = (await call("POST", "/api/v1/generate", { body, key })).body;
		await until(() => receiver.received.length === 2);
		expect(JSON.parse(receiver.received[1]?.body ?? "")).toMatchObject({ taskId: data["taskId"] });
	});

	test("is retried after 5 s, 30 s, 2 min, 10 min and 1 h, with the same id, and the task has the log", async () => {
		const statuses = [500, 503, 404, 302, 429, 500];
		const { completeTask, receiver, body, readLogOf, readLog, failed, done, clock } = await setupCallbacks(statuses);
		const { taskId } = await completeTask(body);
		await failed(taskId, 1);
		const at = new Date(clock.nowMs()).toISOString();
		expect(await readLogOf(taskId)).toStrictEqual([
			{
				id: taskId.replace("task_", "msg_"),
				url: body.callbackUrl,
				state: "pending",
				nextAttemptAt: new Date(clock.nowMs() + 5000).toISOString(),
				attempts: [{ at, durationMs: 0, httpStatus: 500, error: null }],
			},
		]);
		for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
			await failed(taskId, index + 1);
			await clock.advance(delayMs - 1);
			expect(receiver.received).toHaveLength(index + 1);
			await clock.advance(1);
		}
		await done();
		expect(receiver.received).toHaveLength(6);
		expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
		expect(new Set(receiver.received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(6);
		expect(readLog()).toContain("callback failed");
		expect(readLog()).not.toContain("callback sent");
		const attempts = statuses.map((httpStatus) => ({ httpStatus }));
		expect(await readLogOf(taskId)).toMatchObject([{ state: "failed", nextAttemptAt: null, attempts }]);
	});

	test.each([
		[[500, 410], "failed", [{ httpStatus: 500 }, { httpStatus: 410, error: null }]],
		[
			["hangUp"],
			"delivered",
			[{ httpStatus: null, error: "connection closed without a response" }, { httpStatus: 204 }],
		],
	] as const)(
		"with the responses %j is retried until it accepts the callback or is gone",
		async (statuses, state, attempts) => {
			const { completeTask, receiver, body, readLogOf, failed, done, clock } = await setupCallbacks([...statuses]);
			const { taskId } = await completeTask(body);
			await failed(taskId, 1);
			await clock.advance(5000);
			await done();
			expect(receiver.received).toHaveLength(2);
			expect(await readLogOf(taskId)).toMatchObject([{ state, nextAttemptAt: null, attempts }]);
		},
	);
});

test("a restart repeats a callback that was in progress", async () => {
	const { receiver, body, ...first } = await setupCallbacks(["never"]);
	await first.completeTask(body);
	await until(() => receiver.received.length === 1);
	await first.studio.stop();
	await openAnother(first, { callbackOrigins: () => [receiver.origin] });
	await first.clock.advance(0);
	await until(() => receiver.received.length === 2);
	expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("a restart continues the retries", async () => {
	const { receiver, body, failed, ...first } = await setupCallbacks([500, 500]);
	const { taskId } = await first.completeTask(body);
	await failed(taskId, 1);
	await first.studio.stop();
	await first.clock.advance(60_000);
	expect(receiver.received).toHaveLength(1);
	await openAnother(first, { callbackOrigins: () => [receiver.origin] });
	await first.clock.advance(0);
	await failed(taskId, 2);
	await first.clock.advance(30_000);
	await until(() => receiver.received.length === 3);
	expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

/** Processes on one store that send callbacks. The test responds to them. */
async function setupProcesses() {
	const store = await openStore("memory:");
	const clock = createManualClock();
	const taskStore = createStudioTaskStore({ store, clock, onTransition() {} });
	const sent: string[] = [];
	const responses: ((response: { httpStatus: number }) => void)[] = [];

	async function endTask(letter: string): Promise<EndedTask> {
		const noDetails = { scene: "", options: {}, inputs: {}, warnings: [] };
		const request = { ...REQUEST, ...noDetails, priceCredits: 4, priceVersion: "1" };
		const fields = { callbackUrl: "https://hooks.example/", bodySha256: null, capAccount: null };
		const task = newTask(`task_${letter.repeat(32)}`, "acme", request, fields, clock.nowMs());
		await store.compareAndSetAll(newDocuments(task));
		const ended = await taskStore.move(task.taskId, failWith(TASK_FAILURES.noEngine));
		assert(ended);
		return ended;
	}

	function openProcess(): Callbacks {
		const callbacks = createCallbacks({
			store,
			taskStore,
			ledger: createLedger({ store, clock }),
			async send(_url, { body }, stop) {
				sent.push(JSON.parse(String(body)).taskId);
				const response = new Promise<{ httpStatus: number }>((resolve) => void responses.push(resolve));
				return await orAborted(response, stop);
			},
			bodyOf: ({ taskId }) => ({ taskId }),
			secretOf: async () => `whsec_${"A".repeat(43)}=`,
			limits: { ...DEFAULT_LIMITS, callbackConcurrency: 1, callbackConcurrencyPerAccount: 1 },
			clock,
			logger: pino({ level: "silent" }),
		});
		onTestFinished(() => callbacks.stop());
		return callbacks;
	}

	async function settle(process: Callbacks, task: EndedTask): Promise<void> {
		for (const { key, value } of process.writesAtSettlement(task)) await store.set(key, value);
	}

	const respond = (index: number, httpStatus: number): void => responses[index]?.({ httpStatus });
	return { clock, taskStore, endTask, settle, openProcess, sent, respond };
}

describe("several processes", () => {
	test("with the same callback record each attempt once, and send nothing after a 204", async () => {
		const { clock, taskStore, endTask, openProcess, sent, respond } = await setupProcesses();
		const { taskId: contested } = await endTask("a");
		const { taskId: before } = await endTask("b");
		const { taskId: after } = await endTask("c");
		const logged = (statuses: readonly number[]): Promise<unknown> =>
			until(async () => {
				const task = await taskStore.read(contested);
				const attempts = task && isEnded(task) ? task.callbackAttempts : undefined;
				return JSON.stringify(attempts?.map(({ httpStatus }) => httpStatus)) === JSON.stringify(statuses);
			});

		const [one, other, busy] = [openProcess(), openProcess(), openProcess()];
		one.deliver(contested);
		other.deliver(contested);
		await until(() => sent.length === 2);
		respond(0, 500);
		await logged([500]);
		respond(1, 500);
		busy.deliver(before);
		await until(() => sent.length === 3);
		busy.deliver(contested);
		await clock.advance(RETRY_DELAYS_MS[0]);
		await until(() => sent.length === 4);
		// Waits for the slot behind the contested callback.
		busy.deliver(after);
		respond(3, 204);
		await logged([500, 204]);
		respond(2, 204);
		await until(() => sent.length === 5);
		expect(sent).toStrictEqual([contested, contested, before, contested, after]);
		respond(4, 204);
	});

	test("leave a callback to the one that settled the task, however late, until it is overdue", async () => {
		const { clock, taskStore, endTask, settle, openProcess, sent, respond } = await setupProcesses();
		const process = openProcess();
		const [late, early] = [await endTask("a"), await endTask("b")];
		await settle(process, early);
		await clock.advance(60_000);
		await settle(process, late);
		await process.recover(30_000);
		await until(() => sent.length === 1);
		expect(sent).toStrictEqual([early.taskId]);
		const readTask = vi.spyOn(taskStore, "read");
		await process.recover(30_000);
		respond(0, 204);
		expect(readTask).not.toHaveBeenCalledWith(early.taskId);
		await clock.advance(30_000);
		await process.recover(30_000);
		await until(() => sent.length === 2);
		expect(sent[1]).toBe(late.taskId);
		respond(1, 204);
	});

	test("continue a callback whose task could not be read", async () => {
		const { taskStore, endTask, settle, openProcess, sent, respond } = await setupProcesses();
		const process = openProcess();
		await settle(process, await endTask("a"));
		vi.spyOn(taskStore, "read").mockRejectedValueOnce(new Error("not readable"));
		await process.recover(30_000);
		await until(() => sent.length > 0);
		expect(sent).toHaveLength(1);
		respond(0, 204);
	});
});

test("a submit that is repeated with another callbackUrl returns the same task and calls the first URL", async () => {
	const { submitTask, awaitEnd, receiver, body, done } = await setupCallbacks();
	const headers = { "idempotency-key": "1" };
	const taskId = await submitTask(body, headers);
	expect(await submitTask({ ...body, callbackUrl: `${receiver.origin}/moved` }, headers)).toBe(taskId);
	await awaitEnd(taskId);
	await done();
	expect(receiver.received).toMatchObject([{ path: "/hook" }]);
});

describe("access to callbacks", () => {
	test("uses one secret per account, for all its keys", async () => {
		const { studio, call } = await setupCallbacks();
		const secretOf = async (key: string): Promise<unknown> =>
			(await call("GET", "/api/v1/callbacks/secret", { key })).body.data["secret"];
		const [mine, mineToo, theirs] = await Promise.all(
			["acme", "acme", "rival"].map(async (account) => {
				const { key } = await studio.keys.create({ account, name: "k" });
				return await secretOf(key);
			}),
		);
		expect(mine).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
		expect(mineToo).toBe(mine);
		expect(theirs).not.toBe(mine);
		expect((await studio.accounts.open("acme")).callbackSecret).toBe(mine);
	});

	test("logs neither the secret nor the token in the URL", async () => {
		const { completeTask, body, studio, readLog, done, receiver } = await setupCallbacks();
		const callbackUrl = `${receiver.origin}/hook?token=hush`;
		await completeTask({ ...body, callbackUrl });
		await done();
		expect(readLog()).toContain("callback sent");
		expect(readLog()).not.toContain("hush");
		expect(readLog()).not.toContain((await studio.accounts.open("acme")).callbackSecret);
	});
});
