import { describe, expect, test } from "vitest";
import { t } from "../../../src/i18n/messages.ts";
import {
	MediaHttpError,
	MediaTimeoutError,
	MediaUnavailableError,
} from "../../../src/services/generation/media-api.ts";
import { requestCancel } from "../../../src/services/tasks/change-task.ts";
import { finishedRemoteTask, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import {
	CHARGED,
	notCharged,
	leaveUnanswered,
	MINUTE_MS,
	OWNER,
	SECOND_MS,
	setup,
	type Setup,
	setupSubmitted,
	TASK,
	textOf,
	repeat,
} from "./task-setup.ts";

const CANCELED = { state: "failed", code: "canceled", reason: "" } as const;
const CANCELED_BY_MEMBER_TEXT = "This job was canceled by the member who asked for it.";

/** Cancels the task. Resolves to the reply of `/job cancel`, a few seconds later. */
async function cancel({ process, advance }: Pick<Setup, "process" | "advance">, member = OWNER): Promise<string> {
	const canceled = process.cancel(member).then((reply) => t("en", reply));
	await advance(5 * SECOND_MS);
	return await canceled;
}

describe("the cancel of a running task", () => {
	test("stops the task at the service, and its credits come back", async () => {
		const fixture = await setupSubmitted();
		fixture.media.answerAfterCancel = CANCELED;
		expect(await cancel(fixture)).toBe("Canceled. No credits were charged.");
		expect(fixture.media.cancels).toStrictEqual(["remote-1"]);
		expect(await fixture.replyAndBalance()).toStrictEqual(notCharged(CANCELED_BY_MEMBER_TEXT));
		expect(await fixture.openKeys()).toStrictEqual([]);
	});

	test("delivers and charges the result if the service finishes first, and a later cancel changes nothing", async () => {
		const fixture = await setupSubmitted();
		fixture.media.answerAfterCancel = finishedRemoteTask();
		expect(await cancel(fixture)).toContain("The job was already done. It costs 4 credits");
		expect(textOf(fixture.replyClient)).toContain("seed 7 · canceled too late · 4 credits · 6 left");
		expect(await fixture.replyAndBalance()).toStrictEqual(CHARGED);
		const before = await fixture.taskNow();
		const { calls } = fixture.replyClient;
		expect(await cancel(fixture)).toContain("The job was already done.");
		expect([await fixture.taskNow(), fixture.replyClient.calls]).toStrictEqual([before, calls]);
	});

	test.each([
		["cannot cancel", ({ media }: Setup) => void (media.cancelAnswer = "not_supported")],
		[
			"answers a success that is no envelope",
			({ media }: Setup) => void media.failuresBefore.push(new MediaHttpError("no envelope in the response", 200)),
		],
	])("has no effect if the service %s", async (_title, arrange) => {
		const fixture = await setupSubmitted();
		arrange(fixture);
		expect(await cancel(fixture)).toMatch(/^The generation service can't stop a running job\. .* costs nothing\./);
		fixture.media.answer = finishedRemoteTask();
		await fixture.advance(MINUTE_MS);
		expect(fixture.media.cancels).toHaveLength(1);
		expect(await fixture.replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("is repeated after a response with 409, which may be a proxy's", async () => {
		const fixture = await setupSubmitted();
		fixture.media.failuresBefore.push(new MediaHttpError("failed with code 409", 409));
		fixture.media.answerAfterCancel = CANCELED;
		await cancel(fixture);
		await fixture.advance(10 * SECOND_MS);
		expect(fixture.media.cancels).toHaveLength(2);
		expect(await fixture.replyAndBalance()).toStrictEqual(notCharged(CANCELED_BY_MEMBER_TEXT));
	});

	test("is sent once while the service is still canceling", async () => {
		const fixture = await setupSubmitted();
		expect(await cancel(fixture)).toMatch(
			/^The generation service was asked to stop\. If it stops in time, 4 credits are returned/,
		);
		await fixture.advance(MINUTE_MS);
		expect(await cancel(fixture)).toContain("The generation service was asked to stop.");
		expect(fixture.media.cancels).toHaveLength(1);
		fixture.media.answer = CANCELED;
		await fixture.advance(MINUTE_MS);
		expect(await fixture.replyAndBalance()).toStrictEqual(notCharged(CANCELED_BY_MEMBER_TEXT));
	});

	test("takes effect at the deadline if the service never ends the task", async () => {
		const fixture = await setupSubmitted();
		await cancel(fixture);
		await fixture.advance(12 * MINUTE_MS);
		expect(await fixture.replyAndBalance()).toStrictEqual(notCharged(CANCELED_BY_MEMBER_TEXT));
	});

	test("reaches the service after an outage, with one warning for the polls and one for the cancel", async () => {
		const fixture = await setupSubmitted();
		fixture.media.failuresBefore.push(...repeat(12, new MediaUnavailableError("down")));
		expect(await cancel(fixture)).toContain("Canceling. The job's message will show the outcome in a moment.");
		fixture.media.answerAfterCancel = CANCELED;
		await fixture.advance(4 * MINUTE_MS);
		expect(await fixture.replyAndBalance()).toStrictEqual(notCharged(CANCELED_BY_MEMBER_TEXT));
		expect(fixture.logged("warn").toSorted()).toStrictEqual(["poll failed", "service not asked to cancel"]);
	});

	test("is seen at the next run if another process stored it", async () => {
		const { boot, clock, media, advance, replyAndBalance } = await setupSubmitted();
		media.answerAfterCancel = CANCELED;
		await requestCancel(boot().taskStore, TASK, { by: "operator", atMs: clock.nowMs() });
		await advance(10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(notCharged("This job was canceled by the bot owner."));
	});
});

test("a task that the service cancels by itself costs nothing and names the service", async () => {
	const { media, advance, replyAndBalance } = await setupSubmitted();
	media.answer = CANCELED;
	await advance(10 * SECOND_MS);
	expect(await replyAndBalance()).toStrictEqual(notCharged("The generation service canceled this job."));
});

describe("the cancel of a task that is being submitted", () => {
	const postponed = new MediaUnavailableError("429", { retryAfterMs: MINUTE_MS });

	test.each<[string, (all: Setup) => unknown, number]>([
		["immediately if it was not sent", ({ media }) => media.failuresBefore.push(postponed), SECOND_MS],
		["without a second submit if it did not arrive", loseSubmit, MINUTE_MS],
	])("ends it %s", async (_what, arrange, withinMs) => {
		const fixture = setup();
		const { process, media, advance, openKeys, replyAndBalance } = fixture;
		arrange(fixture);
		await process.submit();
		await advance(SECOND_MS);
		const canceled = process.cancel();
		await advance(withinMs);
		await canceled;
		expect(await replyAndBalance()).toStrictEqual(notCharged(CANCELED_BY_MEMBER_TEXT));
		expect(await openKeys()).toStrictEqual([]);
		await advance(10 * MINUTE_MS);
		expect([media.submits, media.accepted.size, media.cancels.length]).toStrictEqual([1, 0, 0]);
	});

	test("waits for the response, and cancels the task by its id", async () => {
		const fixture = setup();
		const { process, media, advance, replyAndBalance } = fixture;
		media.answer = runningRemoteTask;
		media.answerAfterCancel = CANCELED;
		const answer = leaveUnanswered(media);
		await process.submit();
		await advance(SECOND_MS);
		const canceled = process.cancel();
		await advance(SECOND_MS);
		answer();
		await advance(5 * SECOND_MS);
		expect(await canceled).toMatchObject({ key: "cancel.done" });
		expect([media.submits, media.cancels]).toStrictEqual([1, ["remote-1"]]);
		expect(await replyAndBalance()).toStrictEqual(notCharged(CANCELED_BY_MEMBER_TEXT));
	});

	test("waits while the submit is unconfirmed", async () => {
		const { process, media, advance, replyAndBalance } = setup();
		media.honorsIdempotencyKey = false;
		media.answer = runningRemoteTask;
		media.answerAfterCancel = CANCELED;
		media.failuresAfter.push(new MediaTimeoutError("lost"));
		await process.submit();
		await advance(SECOND_MS);
		const canceled = process.cancel();
		await advance(5 * SECOND_MS);
		expect(await canceled).toMatchObject({ key: "cancel.whenKnown" });
		expect((await process.balance()).heldCredits).toBe(4);
		media.finding = { kind: "found", remoteId: "remote-1" };
		await advance(MINUTE_MS);
		expect(media.cancels).toStrictEqual(["remote-1"]);
		expect(await replyAndBalance()).toStrictEqual(notCharged(CANCELED_BY_MEMBER_TEXT));
	});
});

function loseSubmit({ media }: Setup): void {
	media.honorsIdempotencyKey = false;
	media.failuresBefore.push(new MediaTimeoutError("lost"));
	media.finding = { kind: "absent" };
}
