/** The contract of every kind of `http-job-engine.ts`, which run jobs of a remote service; special cases are in each kind's own file. */
import { describe, expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { StoreRejectedError, StoreUnavailableError } from "@atelier/store/store-errors";
import { wav } from "@atelier/common/testing/wav-and-mp4-head";
import {
	CHARGED_ONCE,
	outcomeOfLostResponse,
	REMOTE_SERVICES,
	setupService,
	UNCHARGED,
	type RemoteService,
} from "./remote-services.ts";

async function setup(service: RemoteService, key?: string) {
	const { startStudio, request, ...opened } = await setupService(service, key);
	const studio = await startStudio();
	return {
		...studio,
		...opened,
		submitJob: () => studio.submitTask(request),
		completeJob: () => studio.completeTask(request),
	};
}

const repeated = <T>(fault: T, count: number): readonly T[] => Array.from({ length: count }, () => fault);

/** A store that calls `writeJob` for each write of a job, with the function that does the write. */
async function openFaultyStore(
	writeJob: (write: () => ReturnType<Store["compareAndSet"]>) => ReturnType<Store["compareAndSet"]>,
) {
	const store = await openStore("memory:");
	const compareAndSet = store.compareAndSet.bind(store);
	store.compareAndSet = (...write) => {
		const [key, , next] = write;
		const isJob = key.startsWith("studio-checkpoint:") && JSON.stringify(next).includes('"job"');
		return isJob ? writeJob(() => compareAndSet(...write)) : compareAndSet(...write);
	};
	return store;
}

describe.each(REMOTE_SERVICES)("$kind", (service) => {
	test("with a wrong key is unavailable, logs the reason, and charges nothing", async () => {
		const { completeJob, readEngineLog, readBalance } = await setup(service, "wrong-key");
		expect(await completeJob()).toMatchObject({ status: "failed", error: { code: "engine_unavailable" } });
		expect(readEngineLog()).toContain("check its secret");
		expect(readEngineLog()).not.toContain("wrong-key");
		expect(await readBalance()).toMatchObject(UNCHARGED);
	});

	test("receives a cancellation if it supports that", async () => {
		const { hold, submitJob, submits, cancels, advanceUntil, cancelTask, advanceUntilEnded, readBalance } =
			await setup(service);
		hold();
		const taskId = await submitJob();
		await advanceUntil(() => submits() === 1);
		await cancelTask(taskId);
		expect((await advanceUntilEnded(taskId)).status).toBe("canceled");
		if (cancels) await advanceUntil(() => cancels() === 1);
		expect(await readBalance()).toMatchObject(UNCHARGED);
	});

	test("receives a job again after a lost response only if a second job is free of charge", async () => {
		const { server, completeJob, submits, readBalance } = await setup(service);
		server.plan("POST", service.submitPath, "actThenDrop");
		const { record, submitCount, balance } = outcomeOfLostResponse(service);
		expect(await completeJob()).toMatchObject(record);
		expect(submits()).toBe(submitCount);
		expect(await readBalance()).toMatchObject(balance);
	});

	test.each([
		"drop",
		"silence",
		{ status: 503, bytes: Buffer.from("busy") },
		{ bytes: Buffer.from("<html>") },
		{ status: 404, json: {} },
	] as const)("is polled again after %j", async (fault) => {
		const { server, completeJob, submits } = await setup(service);
		for (const path of service.pollPaths) server.plan(service.pollMethod, path, fault);
		expect(await completeJob()).toMatchObject({ status: "success", attempt: 1 });
		expect(submits()).toBe(1);
	});

	test.each([
		["loses its response", true, new StoreUnavailableError("the connection was lost")],
		["is rejected", false, new StoreRejectedError("the disk is full")],
	])("receives one submit if the first write of the job %s", async (_what, isWritten, error) => {
		const { startStudio, request, submits } = await setupService(service);
		let writes = 0;
		const store = await openFaultyStore(async (write) => {
			if (++writes > 1) return await write();
			if (isWritten) await write();
			throw error;
		});
		const { completeTask, readBalance } = await startStudio({ store });
		expect(await completeTask(request)).toMatchObject({ status: "success", attempt: 1 });
		// A second write could replace the job of a process that took over.
		expect([writes, submits()]).toStrictEqual([isWritten ? 1 : 2, 1]);
		expect(await readBalance()).toMatchObject(CHARGED_ONCE);
	});

	test("receives the cancellation of a job that the store could not record", async () => {
		const { startStudio, request, hold, submits, cancels } = await setupService(service);
		hold();
		const store = await openFaultyStore(() => Promise.reject(new StoreUnavailableError("the store is away")));
		const { submitTask, cancelTask, advanceUntil, advanceUntilEnded } = await startStudio({ store });
		const taskId = await submitTask(request);
		await advanceUntil(() => submits() === 1);
		await cancelTask(taskId);
		expect((await advanceUntilEnded(taskId)).status).toBe("canceled");
		if (cancels) await advanceUntil(() => cancels() >= 1);
	});

	test("honors Retry-After", async () => {
		const { server, completeJob, clock } = await setup(service);
		server.plan("POST", service.submitPath, { status: 429, headers: { "retry-after": "90" }, json: {} });
		const startedAtMs = clock.nowMs();
		expect(await completeJob()).toMatchObject({ status: "success", attempt: 2, maxAttempts: 4 });
		expect(clock.nowMs() - startedAtMs).toBeGreaterThanOrEqual(90_000);
	});
});

describe.each(REMOTE_SERVICES.filter(({ isPaid }) => isPaid))("a paid job at $kind", (service) => {
	test.each([
		["rejected polls", ["/"], [{ json: { code: 1001, message: "busy" } }, { status: 422, json: {} }] as const],
		["failed downloads", ["/files/", "/delivery/"], ["drop", "drop", "drop", "drop", "drop", "drop"] as const],
		["a restart that hides the job", ["/"], repeated({ status: 404, json: {} }, 10)],
		["a proxy that knows no such address", ["/"], repeated({ status: 404, bytes: Buffer.from("<html>") }, 40)],
	])("keeps its job despite %s", async (_what, paths, faults) => {
		const { server, completeJob, submits } = await setup(service);
		for (const path of paths) server.plan("GET", path, ...faults);
		expect(await completeJob()).toMatchObject({ status: "success", attempt: 1 });
		expect(submits()).toBe(1);
	});

	test("that the service reports as unknown for a minute is submitted again", async () => {
		const { server, completeJob, submits } = await setup(service);
		server.plan("GET", "/", ...repeated({ status: 404, json: {} }, 35));
		expect(await completeJob()).toMatchObject({ status: "success", attempt: 2 });
		expect(submits()).toBe(2);
	});

	test.each([
		["warn", 503, 40],
		["error", 401, 50],
	])("logs its first failed poll at the level %s after %i", async (_name, status, level) => {
		const { server, completeJob, readEngineLog } = await setup(service);
		const fault = { status, json: {} };
		for (const path of service.pollPaths) server.plan(service.pollMethod, path, fault, fault);
		expect(await completeJob()).toMatchObject({ status: "success", attempt: 1 });
		const lines = readEngineLog()
			.split("\n")
			.filter((line) => line.includes("poll failed"));
		expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level, err: { status } }]);
	});

	test("is not bought again after a file of another type", async () => {
		const { server, completeJob, submits, readBalance } = await setup(service);
		server.file = wav(1);
		expect(await completeJob()).toMatchObject({ status: "failed", attempt: 1, error: { code: "no_output" } });
		expect(submits()).toBe(1);
		expect(await readBalance()).toMatchObject(UNCHARGED);
	});
});

/**
 * A process is killed or stopped while an engine works, and the next one uses the same store: a job whose id was stored is
 * continued, and a paid one is never submitted twice.
 */
describe.each(REMOTE_SERVICES)("a process with $kind", (service) => {
	/** A service with a studio whose process the test kills with `store.arm(0)`. */
	async function setupProcess() {
		const opened = await setupService(service);
		const memory = await openStore("memory:");
		const store = createCrashingStore(memory);
		const before = await opened.startStudio({ store });
		return { ...opened, memory, store, before, restart: () => opened.startStudio({ store: memory, credits: 0 }) };
	}

	/** Runs a job that does not end. */
	async function setupRunning() {
		const opened = await setupProcess();
		const { hold, before, request, memory } = opened;
		hold();
		const taskId = await before.submitTask(request);
		await before.advanceUntil(async () => {
			const checkpoint = await memory.get<{ content: { job?: object } }>(`studio-checkpoint:${taskId}`);
			return checkpoint?.value.content.job !== undefined;
		});
		return { ...opened, taskId };
	}

	/** Calls back for the next submit, before the service responds. */
	function onSubmit({ server }: Awaited<ReturnType<typeof setupProcess>>, callback: () => void): void {
		server.onRequest = ({ method, path }) => {
			if (method !== "POST" || !path.startsWith(service.submitPath)) return;
			server.onRequest = undefined;
			callback();
		};
	}

	test("killed between submit and result: the job is continued, and not submitted twice", async () => {
		const { store, submits, release, taskId, restart } = await setupRunning();
		store.arm(0);
		release();
		const after = await restart();
		expect(await after.advanceUntilEnded(taskId)).toMatchObject({ status: "success", attempt: 1 });
		expect(submits()).toBe(1);
		expect(await after.readBalance()).toMatchObject(CHARGED_ONCE);
	});

	test("killed during the submit: a paid job is not submitted again", async () => {
		const opened = await setupProcess();
		const { server, store, before, request, submits, restart } = opened;
		server.plan("POST", service.submitPath, "actThenDrop");
		onSubmit(opened, () => store.arm(0));
		const taskId = await before.submitTask(request);
		await before.advanceUntil(() => submits() === 1);
		const after = await restart();
		const { record, submitCount, balance } = outcomeOfLostResponse(service);
		expect(await after.advanceUntilEnded(taskId)).toMatchObject(record);
		expect(submits()).toBe(submitCount);
		expect(await after.readBalance()).toMatchObject(balance);
	});

	test("stopped during the submit: the job is recorded first, and continued after the restart", async () => {
		const opened = await setupProcess();
		const { before, memory, request, submits, restart } = opened;
		const stopped = Promise.withResolvers<void>();
		onSubmit(opened, () => stopped.resolve(before.studio.stop()));
		const taskId = await before.submitTask(request);
		await stopped.promise;
		expect(await memory.get(`studio-checkpoint:${taskId}`)).toMatchObject({ value: { content: { job: {} } } });
		const after = await restart();
		expect(await after.advanceUntilEnded(taskId)).toMatchObject({ status: "success", attempt: 1 });
		expect(submits()).toBe(1);
	});

	test("taken over during the submit: its job is canceled, and the engine stays up", async () => {
		const opened = await setupProcess();
		const { before, memory, request, cancels } = opened;
		let taskId = "";
		// As the other process does when the task has ended.
		onSubmit(opened, () => void memory.delete(`studio-checkpoint:${taskId}`));
		taskId = await before.submitTask(request);
		expect(await before.advanceUntilEnded(taskId)).toMatchObject({ status: "success", attempt: 1 });
		expect(cancels?.() ?? 1).toBe(1);
		expect(await before.readHealth()).toStrictEqual(["up"]);
	});

	test("killed during a cancellation: the cancel is retried after the restart, and the task is free", async () => {
		const { server, memory, store, before, taskId, submits, cancels, restart } = await setupRunning();
		for (const method of ["POST", "PUT", "DELETE"]) server.plan(method, "/", "silence", "drop", "drop");
		const { length } = server.requests;
		await before.cancelTask(taskId);
		await before.awaitStatus(taskId, "canceled");
		if (cancels) await before.advanceUntil(() => server.requests.slice(length).some(({ method }) => method !== "GET"));
		store.arm(0);
		const after = await restart();
		expect(await after.advanceUntilEnded(taskId)).toMatchObject({ status: "canceled", credits: { charged: 0 } });
		// A service without cancellation counts as canceled.
		expect([cancels?.() ?? 1, submits()]).toStrictEqual([1, 1]);
		expect(await after.readBalance()).toMatchObject(UNCHARGED);
		expect(await memory.get(`studio-checkpoint:${taskId}`)).toBeUndefined();
	});
});
