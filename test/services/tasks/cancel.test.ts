import { describe, expect, test } from "vitest";
import { MediaTimeoutError, MediaUnavailableError } from "../../../src/services/generation/media-api.ts";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import { t } from "../../../src/i18n/messages.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { requestCancel } from "../../../src/services/tasks/request-cancel.ts";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { made, open } from "../../fakes/fake-media-api.ts";
import { GUILD, MINUTE_MS, SECOND_MS, TASK, taskRequest, setup, textOf } from "./task-setup.ts";

const OWNER = { guildId: GUILD, userId: taskRequest.userId, isModerator: false };
const MODERATOR = { guildId: GUILD, userId: "1000000000000000077", isModerator: true };
const CANCELED: RemoteTask = { state: "failed", code: "canceled", reason: "" };

/** A running task, and its cancellation. */
async function setupRunningTask() {
	const all = setup();
	all.media.answer = open;
	await all.process.submit();
	await all.pass(SECOND_MS);
	/** Types `/job cancel`, and lets a few seconds pass. */
	const cancel = async (asker = OWNER): Promise<string> => {
		const asked = all.process.jobs.cancel(asker, TASK, all.logger).then((saying) => t("en", saying));
		await all.pass(5 * SECOND_MS);
		return await asked;
	};
	const taskNow = async () => (await all.process.tasks.load(TASK))?.task;
	return { ...all, cancel, taskNow };
}

describe("a cancel", () => {
	test("of a running task is forwarded to the service, and a stopped task is free", async () => {
		const { process, media, replyClient, openKeys, cancel } = await setupRunningTask();
		media.answerAfterCancel = CANCELED;
		expect(await cancel()).toBe("Canceled. Nothing was charged: 4 credits came back.");
		expect(media.cancels).toStrictEqual(["remote-1"]);
		expect(textOf(replyClient)).toContain("This was canceled by the person who asked for it. Nothing was charged.");
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
		expect(await openKeys()).toStrictEqual([]);
	});

	test("of a task that finishes first comes too late: the result is delivered and charged with a note", async () => {
		const { process, media, replyClient, cancel } = await setupRunningTask();
		media.answerAfterCancel = made();
		expect(await cancel()).toContain("It was made before it could be canceled. It costs 4 credits");
		expect(textOf(replyClient)).toContain("seed 7 · canceled too late · 4 credits · 6 left");
		expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
	});

	test("that the service does not support is reported, and the task continues", async () => {
		const { process, media, replyClient, pass, cancel } = await setupRunningTask();
		media.cancelAnswer = "not_supported";
		expect(await cancel()).toMatch(/^The service cannot stop what it has begun\. .* 4 credits are charged/);
		media.answer = made();
		await pass(MINUTE_MS);
		expect([media.cancels.length, textOf(replyClient)]).toStrictEqual([
			1,
			expect.stringContaining("4 credits · 6 left"),
		]);
		expect(await process.balance()).toMatchObject({ postedCredits: 6 });
	});

	test("without a quick response reports the possible outcomes, and is sent once", async () => {
		const { process, media, replyClient, pass, cancel } = await setupRunningTask();
		expect(await cancel()).toMatch(/^The service was asked to stop\. If it does, the 4 credits come back/);
		await pass(MINUTE_MS);
		expect(await cancel()).toContain("The service was asked to stop.");
		expect(media.cancels).toHaveLength(1);
		media.answer = CANCELED;
		await pass(MINUTE_MS);
		expect(textOf(replyClient)).toContain("This was canceled by the person who asked for it.");
		expect(await process.balance()).toMatchObject({ availableCredits: 10 });
	});

	test("is sent to an unreachable service as soon as it is back", async () => {
		const { media, replyClient, pass, cancel } = await setupRunningTask();
		media.failuresBefore.push(...Array.from({ length: 12 }, () => new MediaUnavailableError("down")));
		expect(await cancel()).toContain("Your cancel is noted.");
		media.answerAfterCancel = CANCELED;
		await pass(4 * MINUTE_MS);
		expect(textOf(replyClient)).toContain("Nothing was charged.");
	});

	test("of a task that the service never ends takes effect at the deadline", async () => {
		const { process, replyClient, pass, cancel } = await setupRunningTask();
		await cancel();
		await pass(12 * MINUTE_MS);
		expect(textOf(replyClient)).toContain("This was canceled by the person who asked for it.");
		expect(await process.balance()).toMatchObject({ availableCredits: 10 });
	});

	test("before the submit ends the task at once, without a request to the service", async () => {
		const { process, media, replyClient, openKeys, pass, logger } = setup();
		media.failuresBefore.push(new MediaUnavailableError("429", { retryAfterMs: MINUTE_MS }));
		await process.submit();
		await pass(SECOND_MS);
		const asked = process.jobs.cancel(OWNER, TASK, logger);
		await pass(SECOND_MS);
		expect(await asked).toMatchObject({ key: "cancelDone" });
		await pass(10 * MINUTE_MS);
		expect([media.submits, media.taken.size, media.cancels.length]).toStrictEqual([1, 0, 0]);
		expect(textOf(replyClient)).toContain("This was canceled");
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
		expect(await openKeys()).toStrictEqual([]);
	});

	test("during the submit is sent to the service with the task's id", async () => {
		const { process, media, replyClient, pass, logger } = setup();
		media.honoursIdempotencyKey = false;
		media.answer = open;
		media.answerAfterCancel = CANCELED;
		const sent = Promise.withResolvers<void>();
		media.beforeAnswer = sent.promise;
		await process.submit();
		await pass(SECOND_MS);
		const asked = process.jobs.cancel(OWNER, TASK, logger);
		await pass(SECOND_MS);
		sent.resolve();
		await pass(5 * SECOND_MS);
		expect(await asked).toMatchObject({ key: "cancelDone" });
		expect([media.submits, media.cancels]).toStrictEqual([1, ["remote-1"]]);
		expect(textOf(replyClient)).toContain("Nothing was charged.");
	});

	test("while the outcome of the submit is unknown waits until it is known", async () => {
		const { process, media, replyClient, pass, logger } = setup();
		media.honoursIdempotencyKey = false;
		media.answer = open;
		media.answerAfterCancel = CANCELED;
		media.failuresAfter.push(new MediaTimeoutError("lost"));
		await process.submit();
		await pass(SECOND_MS);
		const asked = process.jobs.cancel(OWNER, TASK, logger);
		await pass(5 * SECOND_MS);
		expect(await asked).toMatchObject({ key: "cancelWhenKnown" });
		expect((await process.balance()).heldCredits).toBe(4);
		media.finding = { kind: "found", remoteId: "remote-1" };
		await pass(MINUTE_MS);
		expect(media.cancels).toStrictEqual(["remote-1"]);
		expect(textOf(replyClient)).toContain("This was canceled");
	});

	test("of a submit that the service did not receive ends the task without a second submit", async () => {
		const { process, media, replyClient, pass, logger } = setup();
		media.honoursIdempotencyKey = false;
		media.failuresBefore.push(new MediaTimeoutError("lost"));
		media.finding = { kind: "absent" };
		await process.submit();
		await pass(SECOND_MS);
		const asked = process.jobs.cancel(OWNER, TASK, logger);
		await pass(MINUTE_MS);
		await asked;
		expect(media.submits).toBe(1);
		expect(textOf(replyClient)).toContain("This was canceled");
	});

	test("of a finished task changes nothing", async () => {
		const { process, media, replyClient, pass, cancel } = await setupRunningTask();
		media.answer = made();
		await pass(10 * SECOND_MS);
		const { calls } = replyClient;
		expect(await cancel()).toContain("It was made before it could be canceled.");
		expect(replyClient.calls).toBe(calls);
		expect((await process.tasks.load(TASK))?.task.cancel).toBeUndefined();
	});

	test("that another process stored takes effect at the next poll", async () => {
		const { boot, clock, media, replyClient, pass } = await setupRunningTask();
		media.answerAfterCancel = CANCELED;
		await requestCancel(boot().tasks, TASK, { by: "operator", atMs: clock.nowMs() });
		await pass(10 * SECOND_MS);
		expect(textOf(replyClient)).toContain("This was canceled by the people who run this bot.");
	});

	test("by two members names the first", async () => {
		const { replyClient, media, cancel } = await setupRunningTask();
		await cancel(MODERATOR);
		media.answer = CANCELED;
		await cancel();
		expect(textOf(replyClient)).toContain("who looks after this server");
	});

	test("by the service itself is no cancellation by a member, and is free", async () => {
		const { process, media, replyClient, pass } = await setupRunningTask();
		media.answer = CANCELED;
		await pass(10 * SECOND_MS);
		expect(textOf(replyClient)).toContain("The service that makes the media canceled this.");
		expect(await process.balance()).toMatchObject({ availableCredits: 10 });
	});
});

describe("a process that is killed during a cancellation", () => {
	const deaths = Array.from({ length: 14 }, (_, n) => [Math.floor(n / 2), n % 2 === 1] as const);

	test.each(deaths)(
		"at write %d (executed: %s) leaves one refund and one reply, or an open task",
		async (writes, lastIsWritten) => {
			const { storage, boot, media, replyClient, openKeys, pass, process, logger } = setup();
			media.answer = open;
			const store = createCrashingStore(createKeyvStore(storage));
			const killed = boot(store);
			await killed.submit();
			await pass(SECOND_MS);
			store.arm(writes, { lastIsWritten });
			media.answerAfterCancel = CANCELED;
			const asked = killed.jobs.cancel(OWNER, TASK, logger).catch(() => "died");
			await pass(5 * SECOND_MS);
			await asked;
			await killed.runner.stop();

			const isAsked = (await process.tasks.load(TASK))?.task.cancel !== undefined;
			await process.runner.recover();
			await pass(MINUTE_MS);
			expect(await process.stateOf()).toBe(isAsked ? "delivered" : "submitted");
			expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: isAsked ? 0 : 4 });
			expect(replyClient.seen.size).toBe(isAsked ? 1 : 0);
			expect(textOf(replyClient)).toContain(isAsked ? "This was canceled by the person who asked for it." : "nothing");
			expect(media.taken.size).toBe(1);
			await boot().runner.recover();
			await pass(SECOND_MS);
			expect(await openKeys()).toHaveLength(isAsked ? 0 : 1);
		},
	);
});
