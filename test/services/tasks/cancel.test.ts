import { describe, expect, test } from "vitest";
import { t } from "../../../src/i18n/messages.ts";
import { MediaHttpError, MediaUnavailableError } from "../../../src/services/generation/media-api.ts";
import { requestCancel } from "../../../src/services/tasks/change-task.ts";
import { DOWN, finishedRemoteTask, LOST, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import {
	CHARGED,
	notCharged,
	leaveUnanswered,
	MINUTE_MS,
	SECOND_MS,
	setup,
	type Setup,
	setupSubmitted,
	TASK,
	repeat,
} from "./task-setup.ts";

const CANCELED = { state: "failed", code: "canceled", reason: "" } as const;
const STOPPED = /^Canceled\. No credits were charged\.$/;
const DONE = /^The job was already done\. It costs 4 credits/;
const NOT_SUPPORTED = /^The generation service can't stop a running job\. .* costs nothing\./;
const CHARGED_LATE = { ...CHARGED, text: expect.stringContaining("seed 7 · canceled too late · 4 credits · 6 left") };
const CANCELED_BY_MEMBER = notCharged("This job was canceled by the member who asked for it.");

/** Cancels the task. Resolves to the reply of `/job cancel`, a few seconds later. */
async function cancel({ process, advance }: Pick<Setup, "process" | "advance">, waitMs = 5 * SECOND_MS) {
	const canceled = process.cancel().then((reply) => t("en", reply));
	await advance(waitMs);
	return await canceled;
}

function omitEnvelope(media: Setup["media"]): void {
	media.failuresBefore.push(new MediaHttpError("no envelope in the response", 200));
}

function answerConflict(media: Setup["media"]): void {
	media.failuresBefore.push(new MediaHttpError("failed with code 409", 409));
	media.answerAfterCancel = CANCELED;
}

describe("the cancel of a running task", () => {
	test.each<[string, (media: Setup["media"]) => unknown, RegExp, object, number]>([
		["stops it", (media) => (media.answerAfterCancel = CANCELED), STOPPED, CANCELED_BY_MEMBER, 1],
		["finishes it first", (media) => (media.answerAfterCancel = finishedRemoteTask()), DONE, CHARGED_LATE, 1],
		["cannot cancel", (media) => (media.cancelAnswer = "not_supported"), NOT_SUPPORTED, CHARGED_LATE, 1],
		["answers a success that is no envelope", omitEnvelope, NOT_SUPPORTED, CHARGED_LATE, 1],
		["answers 409, which may be a proxy's", answerConflict, STOPPED, CANCELED_BY_MEMBER, 2],
	])("is sent until the service answers; a service that %s", async (_what, arrange, reply, outcome, cancels) => {
		const fixture = await setupSubmitted();
		const { media, replyClient, advance, taskNow, openKeys, replyAndBalance } = fixture;
		arrange(media);
		expect(await cancel(fixture)).toMatch(reply);
		// A task that is not canceled finishes.
		media.answer = media.answerAfterCancel ?? finishedRemoteTask();
		await advance(4 * MINUTE_MS);
		expect(await replyAndBalance()).toStrictEqual(outcome);
		expect(media.cancels).toStrictEqual(repeat(cancels, "remote-1"));
		expect(await openKeys()).toStrictEqual([]);
		const before = await taskNow();
		expect(await cancel(fixture)).toMatch(outcome === CHARGED_LATE ? DONE : STOPPED);
		expect([await taskNow(), replyClient.calls]).toStrictEqual([before, 1]);
	});

	test("is sent once while the service is still canceling, and takes effect at the deadline if that never ends", async () => {
		const fixture = await setupSubmitted();
		const asked = /^The generation service was asked to stop\. If it stops in time, 4 credits are returned/;
		expect(await cancel(fixture)).toMatch(asked);
		await fixture.advance(MINUTE_MS);
		expect(await cancel(fixture)).toMatch(asked);
		expect(fixture.media.cancels).toHaveLength(1);
		await fixture.advance(11 * MINUTE_MS);
		expect(await fixture.replyAndBalance()).toStrictEqual(CANCELED_BY_MEMBER);
	});

	test("is polled for, at first every five seconds and later twice a minute, although the service expects the end in 10 minutes", async () => {
		const fixture = await setupSubmitted();
		const { media, advance, replyAndBalance } = fixture;
		media.answer = { ...runningRemoteTask, estimatedSeconds: 600 };
		const readsBefore = media.reads;
		await cancel(fixture, 11 * SECOND_MS);
		expect(media.reads - readsBefore).toBe(3);
		await advance(5 * MINUTE_MS);
		expect(media.reads - readsBefore).toBeLessThan(20);
		media.answer = CANCELED;
		await advance(30 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CANCELED_BY_MEMBER);
	});

	test("reaches the service after an outage, with one warning for the polls and one for the cancel", async () => {
		const fixture = await setupSubmitted();
		fixture.media.failuresBefore.push(...repeat(12, DOWN));
		fixture.media.answerAfterCancel = CANCELED;
		expect(await cancel(fixture)).toBe("Canceling. The job's message will show the outcome in a moment.");
		await fixture.advance(4 * MINUTE_MS);
		expect(await fixture.replyAndBalance()).toStrictEqual(CANCELED_BY_MEMBER);
		expect(fixture.logged("warn").toSorted()).toStrictEqual(["poll failed", "service not asked to cancel"]);
	});

	test("is repeated within seconds if the service fails it, although the next poll is due in a minute", async () => {
		const fixture = await setupSubmitted();
		const { media, advance, logged, replyAndBalance } = fixture;
		media.answer = { ...runningRemoteTask, pollAgainAfterMs: MINUTE_MS };
		await advance(MINUTE_MS);
		media.answerAfterCancel = CANCELED;
		const accept = media.cancel.bind(media);
		media.cancel = (remoteId) => {
			if (media.cancels.length === 3) media.cancel = accept;
			media.cancels.push(remoteId);
			return Promise.reject(new MediaHttpError("", 500));
		};
		await cancel(fixture, 10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CANCELED_BY_MEMBER);
		expect(logged("warn")).toStrictEqual(["service not asked to cancel"]);
	});

	test("is seen at the next run if another process stored it", async () => {
		const { boot, clock, media, advance, replyAndBalance } = await setupSubmitted();
		media.answerAfterCancel = CANCELED;
		await requestCancel(boot().taskStore, TASK, { by: "operator", atMs: clock.nowMs() });
		await advance(10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(notCharged("This job was canceled by the bot owner."));
	});
});

describe("the cancel of a task that is being submitted", () => {
	test("ends it at once if it was not sent", async () => {
		const fixture = setup();
		const { process, media, advance, openKeys, replyAndBalance } = fixture;
		media.failuresBefore.push(new MediaUnavailableError("429", { retryAfterMs: MINUTE_MS }));
		await process.run(SECOND_MS);
		await cancel(fixture, SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CANCELED_BY_MEMBER);
		expect(await openKeys()).toStrictEqual([]);
		await advance(10 * MINUTE_MS);
		expect([media.submits, media.cancels.length]).toStrictEqual([1, 0]);
	});

	test("ends it without another submit if the service does not have it, and looks it up once more", async () => {
		const fixture = setup();
		const { process, media, advance, taskNow, openKeys, replyAndBalance } = fixture;
		media.finding = { kind: "absent" };
		media.onSubmit = () => {
			throw LOST;
		};
		await process.run(SECOND_MS);
		const { submits } = media;
		await cancel(fixture, 10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CANCELED_BY_MEMBER);
		await advance(10 * MINUTE_MS);
		expect(await taskNow()).toMatchObject({ state: "withdrawn", end: "notAccepted" });
		expect(await openKeys()).toStrictEqual([]);
		expect([media.submits, media.cancels.length]).toStrictEqual([submits, 0]);
	});

	test("waits for the response, and cancels the task by its id", async () => {
		const fixture = setup();
		const { process, media, clock, replyAndBalance } = fixture;
		media.answer = runningRemoteTask;
		media.answerAfterCancel = CANCELED;
		const answer = leaveUnanswered(media);
		await process.run(SECOND_MS);
		void clock.sleep(SECOND_MS).then(answer);
		expect(await cancel(fixture)).toBe("Canceled. No credits were charged.");
		expect([media.submits, media.cancels]).toStrictEqual([1, ["remote-1"]]);
		expect(await replyAndBalance()).toStrictEqual(CANCELED_BY_MEMBER);
	});

	test("sends it again if the service honors its key but cannot look it up: only a response has the id to cancel", async () => {
		const fixture = setup();
		const { process, media, replyAndBalance } = fixture;
		media.answer = runningRemoteTask;
		media.answerAfterCancel = CANCELED;
		media.failuresAfter.push(LOST);
		await process.run(SECOND_MS);
		await cancel(fixture, 10 * SECOND_MS);
		expect([media.submits, media.accepted.size, media.cancels]).toStrictEqual([2, 1, ["remote-1"]]);
		expect(await replyAndBalance()).toStrictEqual(CANCELED_BY_MEMBER);
	});

	test("waits while the submit is unconfirmed", async () => {
		const { process, media, advance, replyAndBalance } = setup();
		media.honorsIdempotencyKey = false;
		media.answer = runningRemoteTask;
		media.answerAfterCancel = CANCELED;
		media.failuresAfter.push(LOST);
		await process.run(SECOND_MS);
		const canceled = process.cancel();
		await advance(5 * SECOND_MS);
		expect(await canceled).toMatchObject({ key: "cancel.whenKnown" });
		expect((await process.balance()).heldCredits).toBe(4);
		media.finding = { kind: "found", remoteId: "remote-1" };
		await advance(MINUTE_MS);
		expect(media.cancels).toStrictEqual(["remote-1"]);
		expect(await replyAndBalance()).toStrictEqual(CANCELED_BY_MEMBER);
	});
});
