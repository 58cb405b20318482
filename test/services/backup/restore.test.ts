import { expect, test } from "vitest";
import { restore } from "../../../src/services/backup/restore.ts";
import { ReplyClientUnavailableError } from "../../../src/services/delivery/reply-client.ts";
import { createSessions } from "../../../src/http/dashboard/sessions.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import type { KvAdapter, KvEntry } from "@atelier/store/kv-adapter";
import { cancelRestoredTasks } from "@atelier/studio/task-cancellation";
import { ARRIVES_WITHIN_MS } from "../../../src/services/tasks/steps/withdraw.ts";
import { GUILD, MINUTE_MS, submission, setup, TASK, textOf } from "../tasks/task-setup.ts";
import { finishedRemoteTask, runningRemoteTask } from "../../fakes/fake-media-api.ts";

type Fixture = ReturnType<typeof setup>;

/** Saves the current content of the store. Returns a function that restores it and starts a process on it. */
async function backUp({ storage, clock, boot }: Fixture) {
	const entries = await Array.fromAsync(storage.snapshot());
	const madeAtMs = clock.nowMs();
	return async () => {
		const backup = { madeAtMs, epoch: 0, entries: () => streamOf(entries) };
		await restore(backup, { storage, store: createKeyvStore(storage), clock, cancelStudioTasks: async () => 0 });
		const process = boot(createKeyvStore(storage));
		await process.runner.sweepOpenTasks();
		return process;
	};
}

test("a task that was not yet submitted at the backup ends after the restore without a submit or a charge", async () => {
	const fixture = setup();
	await fixture.process.taskStore.create({ ...(await storedTask(fixture)), state: "reserved" });
	const restoreBackup = await backUp(fixture);
	await fixture.process.runner.sweepOpenTasks();
	await fixture.advance(MINUTE_MS);
	expect(await fixture.process.stateOf()).toBe("delivered");
	expect(fixture.media.submits).toBe(1);
	await fixture.process.runner.stop();

	const restored = await restoreBackup();
	await fixture.advance(MINUTE_MS);
	expect(await restored.stateOf()).toBe("delivered");
	expect(fixture.media.submits).toBe(1);
	expect(fixture.replyClient.calls).toBe(1);
	expect(await restored.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
});

test.each([
	["in the middle of its submit", { state: "submitting", sentAtMs: 0 }],
	["with an unconfirmed submit", { state: "unconfirmed", sentAtMs: 0, sinceMs: 0 }],
] as const)("a task %s is looked up and not submitted again; its result is charged once", async (_what, submit) => {
	const fixture = setup();
	await fixture.process.taskStore.create({ ...(await storedTask(fixture)), ...submit });
	const restoreBackup = await backUp(fixture);
	fixture.media.finding = { kind: "absent" };
	const lost = await restoreBackup();
	await fixture.advance(2 * MINUTE_MS);
	expect(await lost.stateOf()).toBe("withdrawn");
	expect(fixture.media.submits).toBe(0);
	expect(await lost.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
	await lost.runner.stop();

	fixture.media.finding = { kind: "cannot_tell" };
	const found = await restoreBackup();
	await fixture.advance(2 * MINUTE_MS);
	fixture.media.finding = { kind: "found", remoteId: "remote-1" };
	await fixture.advance(2 * MINUTE_MS);
	expect(await found.stateOf()).toBe("delivered");
	expect(fixture.media.submits).toBe(0);
	expect(await found.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
});

test("an unconfirmed task that the service does not have ends free, and is canceled if it arrives shortly after", async () => {
	const fixture = setup();
	const sentAtMs = fixture.clock.nowMs();
	await fixture.process.taskStore.create({
		...(await storedTask(fixture)),
		state: "unconfirmed",
		sentAtMs,
		sinceMs: sentAtMs,
	});
	const restoreBackup = await backUp(fixture);
	fixture.media.finding = { kind: "absent" };
	const restored = await restoreBackup();
	await fixture.advance(ARRIVES_WITHIN_MS / 2);
	expect(await restored.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
	fixture.media.finding = { kind: "found", remoteId: "remote-1" };
	await fixture.advance(MINUTE_MS);
	expect(await restored.stateOf()).toBe("withdrawn");
	expect([fixture.media.submits, fixture.media.cancels]).toStrictEqual([0, ["remote-1"]]);
});

test("a submitted task is polled and charged once, and its member is notified of a result only", async () => {
	const fixture = setup();
	fixture.media.answer = runningRemoteTask;
	await fixture.process.submit();
	await fixture.advance(1000);
	expect(await fixture.process.stateOf()).toBe("submitted");
	const restoreBackup = await backUp(fixture);
	await fixture.process.runner.stop();
	const updatesBefore = fixture.replyClient.progressUpdates.length;

	fixture.media.answer = { state: "failed", code: "50001", reason: "no" };
	const failed = await restoreBackup();
	await fixture.advance(MINUTE_MS);
	expect(await failed.stateOf()).toBe("delivered");
	expect(fixture.replyClient.calls).toBe(0);
	await failed.runner.stop();

	fixture.media.answer = finishedRemoteTask();
	const restored = await restoreBackup();
	await fixture.advance(MINUTE_MS);
	expect(await restored.stateOf()).toBe("delivered");
	expect(fixture.media.submits).toBe(1);
	expect(fixture.replyClient.progressUpdates).toHaveLength(updatesBefore);
	expect(fixture.replyClient.calls).toBe(1);
	expect(await restored.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
});

test("a result whose files were not restored leaves its reply as it is, which may show them", async () => {
	const fixture = setup();
	fixture.replyClient.onDeliver = () => Promise.reject(new ReplyClientUnavailableError("503"));
	await fixture.process.run(MINUTE_MS / 2);
	expect(await fixture.process.stateOf()).toBe("settled");
	const restoreBackup = await backUp(fixture);
	await fixture.process.runner.stop();

	fixture.replyClient.onDeliver = async () => {};
	await fixture.results.remove(TASK);
	const restored = await restoreBackup();
	await fixture.advance(MINUTE_MS);
	expect([await restored.stateOf(), fixture.replyClient.visible.size]).toStrictEqual(["delivered", 0]);
});

test("a submitted task whose file is too large to attach gets a reply that says so", async () => {
	const fixture = setup();
	const { media, replyClient, transcoder, process, advance } = fixture;
	media.answer = runningRemoteTask;
	await process.run(1000, { reply: { ...submission.reply, attachmentBytesMax: 1 } });
	const restoreBackup = await backUp(fixture);
	await process.runner.stop();

	media.answer = finishedRemoteTask();
	transcoder.transcode = async () => ({
		kind: "notTranscoded",
		contentType: "image/png",
		extension: "png",
		[Symbol.asyncDispose]: async () => {},
	});
	await restoreBackup();
	await advance(MINUTE_MS);
	expect(textOf(replyClient)).toContain("the file is too large to be converted here");
});

test("an interrupted restore is repeated from the beginning", async () => {
	const storage = createMemoryAdapter();
	const { clock } = setup();
	await storage.set("task:0", '{"value":0}');
	const deps = { storage, store: createKeyvStore(storage), clock, cancelStudioTasks: async () => 0 };
	await expect(
		restore({ madeAtMs: 0, epoch: 0, entries: () => twoEntries({ isCutShort: true }) }, deps),
	).rejects.toThrow("cut short");
	expect(await storage.get("installation:epoch")).toContain("restoring");
	const done = await restore({ madeAtMs: 0, epoch: 0, entries: () => twoEntries({ isCutShort: false }) }, deps);
	expect(done).toMatchObject({ documents: 2, openTasks: 0 });
	const keys = (await Array.fromAsync(storage.scan(""))).map(({ key }) => key);
	expect(keys).toStrictEqual(["installation:epoch", "task:1", "task:2"]);
});

test("a restore writes one transaction at a time: on Postgres, more wait for a connection until they time out", async () => {
	const memory = createMemoryAdapter();
	for (const key of ["task:3", "task:4"]) await memory.set(key, "{}");
	let running = 0;
	async function write<Result>(run: () => Promise<Result>): Promise<Result> {
		expect(++running).toBe(1);
		const result = await run();
		running--;
		return result;
	}
	const storage: KvAdapter = {
		...memory,
		set: (...args) => write(() => memory.set(...args)),
		delete: (...args) => write(() => memory.delete(...args)),
		compareAndSet: (...args) => write(() => memory.compareAndSet(...args)),
	};
	const deps = { storage, store: createKeyvStore(memory), clock: setup().clock, cancelStudioTasks: async () => 0 };
	const backup = { madeAtMs: 0, epoch: 0, entries: () => twoEntries({ isCutShort: false }) };
	expect(await restore(backup, deps)).toMatchObject({ documents: 2 });
});

test("an open task that cannot be read stays as it is, and the others are restored", async () => {
	const { storage, clock } = setup();
	await storage.set("task:1", "{damaged");
	await storage.set("open:1", '{"value":{}}');
	await storage.set("task:2", '{"value":{"id":"2","state":"submitted","reply":{}}}');
	await storage.set("open:2", '{"value":{}}');
	await storage.set("studio-task:3", "{damaged");
	await storage.set("studio-open:3", '{"value":{"taskId":"3"}}');
	const entries = await Array.fromAsync(storage.snapshot());
	const backup = { madeAtMs: 0, epoch: 0, entries: () => streamOf(entries) };
	const deps = { storage, store: createKeyvStore(storage), clock, cancelStudioTasks: cancelRestoredTasks };
	expect(await restore(backup, deps)).toMatchObject({
		openTasks: 1,
		corruptKeys: ["task:1", "studio-task:3"],
		record: { state: "paused" },
	});
	expect(await storage.get("task:1")).toBe("{damaged");
	expect(await storage.get("task:2")).toContain('"isRestored":true');
});

test("a session that has ended since the backup stays ended", async () => {
	const { storage, clock } = setup();
	const store = createKeyvStore(storage);
	const sessions = createSessions({ store, clock });
	const user = { user: { id: "7", name: "Mia", avatarUrl: null }, locale: "de", servers: [] };
	const sessionId = await sessions.begin(user);
	const entries = await Array.fromAsync(storage.snapshot());
	await sessions.end(sessionId);
	const backup = { madeAtMs: 0, epoch: 0, entries: () => streamOf(entries) };
	expect(await restore(backup, { storage, store, clock, cancelStudioTasks: async () => 0 })).toMatchObject({
		documents: 0,
	});
	expect(await sessions.read(sessionId)).toBeUndefined();
});

async function* streamOf(entries: readonly KvEntry[]): AsyncGenerator<KvEntry> {
	yield* entries;
}

async function* twoEntries({ isCutShort }: { readonly isCutShort: boolean }): AsyncGenerator<KvEntry> {
	yield { key: "task:1", text: '{"value":1}' };
	if (isCutShort) throw new Error("cut short");
	yield { key: "task:2", text: '{"value":2}' };
}

/** A task with held credits, as it is stored before its submit. */
async function storedTask({ process, clock }: Fixture) {
	await process.accounts.grantMonthlyCredits(GUILD);
	const account = `guild:${GUILD}`;
	const { request, reply, presentation, userId, locale, userLocale } = submission;
	await process.ledger.reserve(account, TASK, request.costCredits, { by: "system", reason: "image" });
	const times = { createdAtMs: clock.nowMs(), deadlineAtMs: clock.nowMs() + 10 * MINUTE_MS };
	const base = { id: TASK, request, guildId: GUILD, limitAccounts: [], userId, locale, userLocale };
	return { ...base, reply, presentation, ...times };
}
