/** The contract of every kind of `mapped-engine.ts`, which run jobs of a remote service; special cases are in each kind's own file. */
import { describe, expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
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
		expect(await completeJob()).toMatchObject({ status: "success", attempt: 2 });
		expect(clock.nowMs() - startedAtMs).toBeGreaterThanOrEqual(90_000);
	});
});

describe.each(REMOTE_SERVICES.filter(({ isPaid }) => isPaid))("a paid job at $kind", (service) => {
	test.each([
		["rejected polls", ["/"], [{ json: { code: 1001, message: "busy" } }, { status: 422, json: {} }] as const],
		["failed downloads", ["/files/", "/delivery/"], ["drop", "drop", "drop", "drop", "drop", "drop"] as const],
	])("keeps its job despite %s", async (_what, paths, faults) => {
		const { server, completeJob, submits } = await setup(service);
		for (const path of paths) server.plan("GET", path, ...faults);
		expect(await completeJob()).toMatchObject({ status: "success", attempt: 1 });
		expect(submits()).toBe(1);
	});

	test("is not bought again after a file of another type", async () => {
		const { server, completeJob, submits, readBalance } = await setup(service);
		server.file = wav(1);
		expect(await completeJob()).toMatchObject({ status: "failed", attempt: 1, error: { code: "no_output" } });
		expect(submits()).toBe(1);
		expect(await readBalance()).toMatchObject(UNCHARGED);
	});
});
