import { describe, expect, test } from "vitest";
import { ReplyClientUnavailableError, UnusableResponseError } from "../../../src/services/delivery/reply-client.ts";
import { MediaRejectedError } from "../../../src/services/generation/media-api.ts";
import {
	CHARGED,
	leaveUnanswered,
	notCharged,
	MINUTE_MS,
	OWNER,
	SECOND_MS,
	setup,
	submission,
	TASK,
	repeat,
} from "./task-setup.ts";

test("a result is posted once after an outage of Discord", async () => {
	const { process, replyClient, advance, replyAndBalance } = setup();
	replyClient.failuresBefore.push(new ReplyClientUnavailableError("503"), new ReplyClientUnavailableError("429"));
	replyClient.failuresAfter.push(new ReplyClientUnavailableError("answer lost"));
	await process.submit();
	await advance(MINUTE_MS);
	expect(replyClient.visible.size).toBe(1);
	expect(await process.stateOf()).toBe("delivered");
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});

test("a result without a delivery route ends its task as undelivered", async () => {
	const { process, replyClient, openKeys, advance, taskNow } = setup();
	replyClient.isClosed = true;
	await process.submit();
	await advance(SECOND_MS);
	expect(await taskNow()).toMatchObject({ state: "delivered", shown: { kind: "undelivered" } });
	expect(await openKeys()).toStrictEqual([]);
});

test.each([
	["unusable responses", 0],
	["unusable responses after four minutes each", 4],
])("a result whose delivery has %s is tried a few times, and ends as undelivered", async (_what, minutes) => {
	const { process, replyClient, clock, advance, taskNow } = setup();
	const deliver = replyClient.deliver.bind(replyClient);
	replyClient.deliver = async (...reply) => {
		await clock.sleep(minutes * MINUTE_MS);
		return await deliver(...reply);
	};
	replyClient.failuresAfter.push(...repeat(20, new UnusableResponseError("a page of a proxy")));
	await process.submit();
	await advance((2 + 8 * minutes) * MINUTE_MS);
	expect(await taskNow()).toMatchObject({ state: "delivered", shown: { kind: "undelivered" } });
	expect(replyClient.failuresAfter).toHaveLength(12);
});

test("a file that is lost before the delivery leaves a reply without files", async () => {
	const { process, replyClient, results, logged, advance } = setup();
	const deliver = replyClient.deliver.bind(replyClient);
	replyClient.deliver = async (target, reply) => {
		await results.remove(TASK);
		for (const { content } of reply.files) await content.readInto(new Uint8Array(content.sizeBytes));
		return await deliver(target, reply);
	};
	await process.submit();
	await advance(10 * SECOND_MS);
	expect(replyClient.visible.get(TASK)?.files).toStrictEqual([]);
	expect(await process.stateOf()).toBe("delivered");
	expect(logged("error")).toStrictEqual(["task step failed"]);
});

test("a withheld result is posted to the moderators once, also if its member's message is retried", async () => {
	let notices = 0;
	const { process, replyClient, advance } = setup({
		moderation: {
			resultReviewer: {
				review: async () => ({ kind: "withhold", cause: "flagged", categories: ["violence"], isForModerators: true }),
			},
			withheldNotices: { post: async () => (notices++, "posted") },
		},
	});
	replyClient.failuresBefore.push(...repeat(3, new ReplyClientUnavailableError("503")));
	await process.submit();
	await advance(MINUTE_MS);
	expect([notices, await process.stateOf(), replyClient.visible.size]).toStrictEqual([1, "delivered", 1]);
});

describe("a ping that the member requests", () => {
	test.each([
		["that is accepted", [], CHARGED, 1],
		["that is rejected", [new MediaRejectedError("40005", "no such ratio")], notCharged("no such ratio"), 0],
	])("during a slow submit %s keeps its outcome", async (_what, failuresAfter, outcome, reads) => {
		const { process, media, replyClient, advance, replyAndBalance } = setup();
		media.failuresAfter.push(...failuresAfter);
		const answer = leaveUnanswered(media);
		await process.submit();
		await advance(MINUTE_MS + SECOND_MS);
		expect(await process.jobs.requestPing(OWNER, TASK)).toBe(true);
		answer();
		await advance(5 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(outcome);
		expect([media.submits, media.reads, replyClient.pings.length]).toStrictEqual([1, reads, 1]);
	});

	test.each([
		["a direct message, which notifies the member", "directMessage"],
		["an ephemeral follow-up, because it would be public", "ephemeralFollowUp"],
	])("is not posted beside %s", async (_what, route) => {
		const { process, delays, clock, replyClient, advance } = setup();
		delays.download = () => clock.sleep(2 * MINUTE_MS);
		const deliver = replyClient.deliver.bind(replyClient);
		replyClient.deliver = async (...args) => ({ ...(await deliver(...args)), route }) as never;
		await process.submit();
		await process.jobs.requestPing(OWNER, TASK);
		await advance(2 * MINUTE_MS + 5 * SECOND_MS);
		expect([await process.stateOf(), replyClient.pings]).toStrictEqual(["delivered", []]);
	});

	test("is denied if the server offers none, and after the end of the task", async () => {
		const { process, advance, taskNow } = setup();
		await process.submit({ ping: "off" });
		expect(await process.jobs.requestPing(OWNER, TASK)).toBe(false);
		await advance(SECOND_MS);
		const ended = await taskNow();
		expect(await process.jobs.requestPing(OWNER, TASK)).toBe(false);
		expect(await taskNow()).toStrictEqual(ended);
	});

	test("is posted once if a process dies before it stores the delivery", async () => {
		const { boot, bootCrashing, media, replyClient, clock, advance } = setup();
		const { store, dying } = bootCrashing();
		const answer = leaveUnanswered(media);
		await dying.submit({ ping: "requested" });
		await advance(MINUTE_MS + SECOND_MS);
		const deliver = replyClient.deliver.bind(replyClient);
		replyClient.deliver = async (...args) => {
			store.arm(0);
			return await deliver(...args);
		};
		answer();
		await advance(5 * SECOND_MS);
		await dying.runner.stop();
		expect(store.hasCrashed).toBe(true);
		replyClient.deliver = deliver;
		await clock.advance(SECOND_MS);
		await boot().runner.sweepOpenTasks();
		await advance(5 * SECOND_MS);
		expect(replyClient.pings).toHaveLength(1);
	});
});

describe("an unexpected error", () => {
	const bug = new TypeError("a bug");

	test("that persists before there is a result fails the task with an incident id and costs nothing", async () => {
		const { process, downloadFailures, openKeys, advance, replyAndBalance } = setup();
		downloadFailures.push(...repeat(100, bug));
		await process.submit();
		// The waits before the sixth failure take 12 s. The failure is delivered at once.
		await advance(15 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(notCharged(/went wrong\..*\(incident [\da-f]{8}\)\./));
		expect(await openKeys()).toStrictEqual([]);
	});

	test("in the charge of a result is logged, and the charge is retried", async () => {
		const { process, logged, advance, replyAndBalance } = setup();
		const post = process.ledger.post.bind(process.ledger);
		process.ledger.post = () => {
			process.ledger.post = post;
			return Promise.reject(bug);
		};
		await process.submit();
		await advance(5 * SECOND_MS);
		expect(logged("error")).toStrictEqual(["task step failed"]);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("in the delivery of a result is retried until it is delivered", async () => {
		const { process, replyClient, advance, replyAndBalance } = setup();
		replyClient.failuresBefore.push(...repeat(30, bug));
		await process.submit();
		await advance(20 * MINUTE_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});
});

test("a full transcode queue delays a large result past its deadline, which is charged once", async () => {
	const {
		process,
		media,
		replyClient,
		downloadedFile: file,
		transcodeQueue,
		logged,
		advance,
		replyAndBalance,
	} = setup();
	file.bytes = Buffer.alloc(submission.reply.attachmentBytesMax + 1);
	transcodeQueue.isFull = true;
	await process.submit();
	await advance(15 * MINUTE_MS);
	expect(await process.stateOf()).toBe("submitted");
	expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 4 });
	expect(replyClient.calls).toBe(0);
	// A run every ten seconds.
	expect(media.reads).toBeLessThan(95);
	expect(logged("error")).toStrictEqual([]);
	transcodeQueue.isFull = false;
	await advance(MINUTE_MS);
	expect(replyClient.visible.get(TASK)?.files).toHaveLength(1);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});

test("files that Discord rejects for their size are transcoded once more", async () => {
	const { process, replyClient, downloadedFile: file, delays, linesOf, advance, taskNow, replyAndBalance } = setup();
	const largestBytes = 2 * 1024 * 1024;
	file.bytes = Buffer.alloc(largestBytes);
	const deliver = replyClient.deliver.bind(replyClient);
	let isTooLarge = true;
	replyClient.deliver = async (...reply) => {
		if (!isTooLarge) return await deliver(...reply);
		return { kind: "filesRejected", route: "tokenEdit", isForSize: true, largestBytes };
	};
	let transcodes = 0;
	delays.transcode = async () => {
		if (++transcodes === 2) isTooLarge = false;
	};
	await process.submit();
	await advance(5 * SECOND_MS);
	expect(linesOf("files rejected")).toMatchObject([{ rejectedBytes: largestBytes, bytesMax: largestBytes / 2 }]);
	expect(await taskNow()).toMatchObject({ reply: submission.reply, outcome: { kind: "succeeded", seed: 7 } });
	expect(replyClient.visible.get(TASK)?.files).toHaveLength(1);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});
