import { describe, expect, test } from "vitest";
import { t } from "../../../src/i18n/messages.ts";
import { MediaTimeoutError, MediaUnavailableError } from "../../../src/services/generation/media-api.ts";
import { requestCancel } from "../../../src/services/tasks/request-cancel.ts";
import { made, open } from "../../fakes/fake-media-api.ts";
import {
	CHARGED,
	free,
	leaveUnanswered,
	MINUTE_MS,
	OWNER,
	SECOND_MS,
	setup,
	type Setup,
	submitted,
	TASK,
	textOf,
	times,
} from "./task-setup.ts";

const MODERATOR = { ...OWNER, userId: "1000000000000000077", isModerator: true };
const CANCELED = { state: "failed", code: "canceled", reason: "" } as const;
const BY_MEMBER = "This job was canceled by the member who asked for it.";

/** Cancels the task. Resolves to the reply of `/job cancel`, a few seconds later. */
async function cancel({ process, pass }: Pick<Setup, "process" | "pass">, member = OWNER): Promise<string> {
	const canceled = process.cancel(member).then((reply) => t("en", reply));
	await pass(5 * SECOND_MS);
	return await canceled;
}

describe("the cancel of a running task", () => {
	test("stops the task at the service, and its credits come back", async () => {
		const all = await submitted();
		all.media.answerAfterCancel = CANCELED;
		expect(await cancel(all)).toBe("Canceled. No credits were charged.");
		expect(all.media.cancels).toStrictEqual(["remote-1"]);
		expect(await all.outcome()).toStrictEqual(free(BY_MEMBER));
		expect(await all.openKeys()).toStrictEqual([]);
	});

	test("delivers and charges the result if the service finishes first, and a later cancel changes nothing", async () => {
		const all = await submitted();
		all.media.answerAfterCancel = made();
		expect(await cancel(all)).toContain("The job was already done. It costs 4 credits");
		expect(textOf(all.replyClient)).toContain("seed 7 · canceled too late · 4 credits · 6 left");
		expect(await all.outcome()).toStrictEqual(CHARGED);
		const before = await all.taskNow();
		const { calls } = all.replyClient;
		expect(await cancel(all)).toContain("The job was already done.");
		expect([await all.taskNow(), all.replyClient.calls]).toStrictEqual([before, calls]);
	});

	test("has no effect if the service cannot cancel", async () => {
		const all = await submitted();
		all.media.cancelAnswer = "not_supported";
		expect(await cancel(all)).toMatch(/^The generation service can't stop a running job\. .* costs nothing\./);
		all.media.answer = made();
		await all.pass(MINUTE_MS);
		expect(all.media.cancels).toHaveLength(1);
		expect(await all.outcome()).toStrictEqual(CHARGED);
	});

	test("is sent once while the service takes its time", async () => {
		const all = await submitted();
		expect(await cancel(all)).toMatch(
			/^The generation service was asked to stop\. If it stops in time, 4 credits are returned/,
		);
		await all.pass(MINUTE_MS);
		expect(await cancel(all)).toContain("The generation service was asked to stop.");
		expect(all.media.cancels).toHaveLength(1);
		all.media.answer = CANCELED;
		await all.pass(MINUTE_MS);
		expect(await all.outcome()).toStrictEqual(free(BY_MEMBER));
	});

	test("takes effect at the deadline if the service never ends the task", async () => {
		const all = await submitted();
		await cancel(all);
		await all.pass(12 * MINUTE_MS);
		expect(await all.outcome()).toStrictEqual(free(BY_MEMBER));
	});

	test("reaches the service after an outage, with one warning in the log", async () => {
		const all = await submitted();
		all.media.failuresBefore.push(...times(12, new MediaUnavailableError("down")));
		expect(await cancel(all)).toContain("Canceling. The outcome will appear in the reply in a moment.");
		all.media.answerAfterCancel = CANCELED;
		await all.pass(4 * MINUTE_MS);
		expect(await all.outcome()).toStrictEqual(free(BY_MEMBER));
		expect(all.logged("warn").toSorted()).toStrictEqual(["poll failed", "service not asked to cancel"]);
	});

	test("is seen at the next poll if another process stored it", async () => {
		const { boot, clock, media, pass, outcome } = await submitted();
		media.answerAfterCancel = CANCELED;
		await requestCancel(boot().tasks, TASK, { by: "operator", atMs: clock.nowMs() });
		await pass(10 * SECOND_MS);
		expect(await outcome()).toStrictEqual(free("This job was canceled by the bot owner."));
	});

	test("names the first of two members who cancel", async () => {
		const all = await submitted();
		await cancel(all, MODERATOR);
		all.media.answer = CANCELED;
		await cancel(all);
		expect(await all.outcome()).toStrictEqual(free(", a moderator."));
	});
});

test("a task that the service cancels by itself costs nothing and names the service", async () => {
	const { media, pass, outcome } = await submitted();
	media.answer = CANCELED;
	await pass(10 * SECOND_MS);
	expect(await outcome()).toStrictEqual(free("The generation service canceled this job."));
});

describe("the cancel of a task that is being submitted", () => {
	const postponed = new MediaUnavailableError("429", { retryAfterMs: MINUTE_MS });

	test.each<[string, (all: Setup) => unknown, number]>([
		["immediately if it was not sent", ({ media }) => media.failuresBefore.push(postponed), SECOND_MS],
		["without a second submit if it did not arrive", loseSubmit, MINUTE_MS],
	])("ends it %s", async (_what, arrange, withinMs) => {
		const all = setup();
		const { process, media, pass, openKeys, outcome } = all;
		arrange(all);
		await process.submit();
		await pass(SECOND_MS);
		const canceled = process.cancel();
		await pass(withinMs);
		await canceled;
		expect(await outcome()).toStrictEqual(free(BY_MEMBER));
		expect(await openKeys()).toStrictEqual([]);
		await pass(10 * MINUTE_MS);
		expect([media.submits, media.accepted.size, media.cancels.length]).toStrictEqual([1, 0, 0]);
	});

	test("waits for the response, and cancels the task by its id", async () => {
		const all = setup();
		const { process, media, pass, outcome } = all;
		media.answer = open;
		media.answerAfterCancel = CANCELED;
		const answer = leaveUnanswered(media);
		await process.submit();
		await pass(SECOND_MS);
		const canceled = process.cancel();
		await pass(SECOND_MS);
		answer();
		await pass(5 * SECOND_MS);
		expect(await canceled).toMatchObject({ key: "cancel.done" });
		expect([media.submits, media.cancels]).toStrictEqual([1, ["remote-1"]]);
		expect(await outcome()).toStrictEqual(free(BY_MEMBER));
	});

	test("waits while the outcome of the submit is unknown", async () => {
		const { process, media, pass, outcome } = setup();
		media.honoursIdempotencyKey = false;
		media.answer = open;
		media.answerAfterCancel = CANCELED;
		media.failuresAfter.push(new MediaTimeoutError("lost"));
		await process.submit();
		await pass(SECOND_MS);
		const canceled = process.cancel();
		await pass(5 * SECOND_MS);
		expect(await canceled).toMatchObject({ key: "cancel.whenKnown" });
		expect((await process.balance()).heldCredits).toBe(4);
		media.finding = { kind: "found", remoteId: "remote-1" };
		await pass(MINUTE_MS);
		expect(media.cancels).toStrictEqual(["remote-1"]);
		expect(await outcome()).toStrictEqual(free(BY_MEMBER));
	});
});

function loseSubmit({ media }: Setup): void {
	media.honoursIdempotencyKey = false;
	media.failuresBefore.push(new MediaTimeoutError("lost"));
	media.finding = { kind: "absent" };
}
