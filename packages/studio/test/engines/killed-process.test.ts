/**
 * A process is killed or stopped while an engine of a kind of `mapped-engine.ts` works, and the next one uses the same store: a
 * job whose id was stored is continued, and a paid one is never submitted twice.
 */
import { describe, expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { CHARGED_ONCE, outcomeOfLostResponse, REMOTE_SERVICES, setupService, UNCHARGED } from "./remote-services.ts";

describe.each(REMOTE_SERVICES)("$kind", (service) => {
	/** A service with a studio whose process the test kills with `store.arm(0)`. */
	async function setup() {
		const opened = await setupService(service);
		const memory = await openStore("memory:");
		const store = createCrashingStore(memory);
		const before = await opened.startStudio({ store });
		return { ...opened, memory, store, before, restart: () => opened.startStudio({ store: memory, credits: 0 }) };
	}

	/** Runs a job that does not end. */
	async function setupRunning() {
		const opened = await setup();
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
	function onSubmit({ server }: Awaited<ReturnType<typeof setup>>, callback: () => void): void {
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
		const opened = await setup();
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
		const opened = await setup();
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
		const opened = await setup();
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
