import { describe, expect, test, vi } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import { DOWN, finishedRemoteTask, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import { createMemoryTaskQueue } from "../../../src/services/tasks/memory-task-queue.ts";
import type { RunTask } from "../../../src/services/tasks/task-queue.ts";
import { CHARGED, MINUTE_MS, SECOND_MS, setup, setupSubmitted, TASK } from "./task-setup.ts";

const OTHER_TASK = "1000000000000000010";

/** Starts a process whose store rejects the next `outage.rejectedReads` reads, and submits tasks to it. */
async function setupUnreliableStore(ids: readonly string[]) {
	const fixture = setup();
	const inner = createKeyvStore(fixture.storage);
	const outage = { rejectedReads: 0 };
	const get: typeof inner.get = (key) =>
		outage.rejectedReads-- > 0 ? Promise.reject(new StoreUnavailableError("away")) : inner.get(key);
	const process = fixture.boot({ ...inner, get });
	fixture.media.answer = runningRemoteTask;
	await Promise.all(ids.map((id) => process.submit({ id })));
	await fixture.advance(SECOND_MS);
	return { ...fixture, outage };
}

describe("a store outage", () => {
	test("is logged about once a minute for any number of waiting tasks, and fails no task", async () => {
		const { outage, media, replyClient, logged, advance } = await setupUnreliableStore([TASK, OTHER_TASK]);
		outage.rejectedReads = Infinity;
		await advance(4 * MINUTE_MS);
		expect(logged("warn").length).toBeGreaterThan(1);
		expect(logged("warn").length).toBeLessThanOrEqual(5);
		outage.rejectedReads = 0;
		media.answer = finishedRemoteTask();
		await advance(MINUTE_MS);
		expect([...replyClient.visible.values()].map(({ files }) => files.length)).toStrictEqual([1, 1]);
	});

	test("does not count as an unexpected failure of a task, even if the store is back for the last one", async () => {
		const { outage, media, advance, replyAndBalance } = await setupUnreliableStore([TASK]);
		// After six unexpected failures the runner fails the task, for which it reads the task once more.
		outage.rejectedReads = 6;
		await advance(4 * MINUTE_MS);
		expect(outage.rejectedReads).toBeLessThan(1);
		media.answer = finishedRemoteTask();
		await advance(MINUTE_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});
});

test("a failed poll after an outage of the store is not shown as a lasting problem of the service", async () => {
	const { outage, media, replyClient, advance } = await setupUnreliableStore([TASK]);
	outage.rejectedReads = Infinity;
	await advance(MINUTE_MS);
	outage.rejectedReads = 0;
	media.failuresBefore.push(DOWN);
	await advance(MINUTE_MS);
	expect(media.failuresBefore).toStrictEqual([]);
	expect(replyClient.progressUpdates.map(({ text }) => text).join("")).not.toContain("problems");
});

test("a task that is created while a wake finds it missing stays open", async () => {
	const { storage, boot, openKeys, advance } = setup();
	const inner = createKeyvStore(storage);
	const { promise: delay, resolve: endDelay } = Promise.withResolvers<void>();
	const { runner, submit } = boot({ ...inner, delete: async (key) => await delay.then(() => inner.delete(key)) });
	runner.wake(TASK);
	await advance(0);
	await submit();
	endDelay();
	await advance(0);
	expect(await openKeys()).toStrictEqual([`open:${TASK}`]);
});

test("a new task that this process does not run until a sweep is not kept in memory", async () => {
	const { boot, clock, logger } = setup();
	const inner = createMemoryTaskQueue({ clock, logger });
	const { promise: started, resolve: start } = Promise.withResolvers<RunTask>();
	const process = boot(undefined, { ...inner, wake() {}, addMissing: async () => {}, start });
	const load = vi.spyOn(process.taskStore, "load");
	const loadsOfRun = async (id: string): Promise<number> => {
		await process.submit({ id });
		if (id === OTHER_TASK) await process.runner.sweepOpenTasks();
		await (
			await started
		)(id);
		return load.mock.calls.length;
	};
	expect([await loadsOfRun(TASK), await loadsOfRun(OTHER_TASK)]).toStrictEqual([0, 1]);
});

test("a start resumes tasks whose marker is corrupt, skips corrupt tasks, and removes markers without a task", async () => {
	const { process, storage, restart, media, openKeys, advance, replyAndBalance } = await setupSubmitted();
	await process.run(SECOND_MS, { id: OTHER_TASK });
	await storage.set(`open:${TASK}`, "garbage");
	await storage.set(`task:${OTHER_TASK}`, "garbage");
	await storage.set("open:1000000000000000011", '{"value":{}}');
	media.answer = finishedRemoteTask();
	await restart();
	await advance(MINUTE_MS);
	expect((await replyAndBalance()).text).toContain("4 credits · 2 left");
	expect(await openKeys()).toStrictEqual([`open:${OTHER_TASK}`]);
});
