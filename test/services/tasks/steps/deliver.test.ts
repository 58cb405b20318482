import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { advanceUntil, createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { createResultStore } from "../../../../src/services/delivery/result-store.ts";
import { ReplyClientUnavailableError, UnusableResponseError } from "../../../../src/services/delivery/reply-client.ts";
import { MediaRejectedError } from "../../../../src/services/generation/media-api.ts";
import { passThroughTranscoder } from "../../../fakes/pass-through-transcoder.ts";
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
} from "../task-setup.ts";

const MIB = 1024 * 1024;

test("a result is posted once after an outage of Discord", async () => {
	const { process, replyClient, replyAndBalance } = setup();
	replyClient.failuresBefore.push(new ReplyClientUnavailableError("503"), new ReplyClientUnavailableError("429"));
	replyClient.failuresAfter.push(new ReplyClientUnavailableError("answer lost"));
	await process.run(MINUTE_MS);
	expect(replyClient.visible.size).toBe(1);
	expect(await process.stateOf()).toBe("delivered");
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});

test("a result is tried a few times while the responses are unusable, and ends as undelivered", async () => {
	const { process, replyClient, taskNow } = setup();
	replyClient.failuresAfter.push(...repeat(20, new UnusableResponseError("a page of a proxy")));
	await process.run(2 * MINUTE_MS);
	expect(await taskNow()).toMatchObject({ state: "delivered", shown: { kind: "undelivered" } });
	expect(replyClient.failuresAfter).toHaveLength(12);
});

test("a file that is lost before the delivery leaves a reply without files", async () => {
	const { process, replyClient, results, logged } = setup();
	replyClient.onDeliver = async ({ files }) => {
		await results.remove(TASK);
		for (const { content } of files) await content.readInto(new Uint8Array(content.sizeBytes));
	};
	await process.run(10 * SECOND_MS);
	expect(replyClient.visible.get(TASK)).toMatchObject({
		files: [],
		text: expect.stringContaining("the bot no longer has the files"),
	});
	expect(await process.stateOf()).toBe("delivered");
	expect(logged("error")).toStrictEqual(["task step failed"]);
});

test("a withheld result is posted to the moderators once, also if its member's message is retried", async () => {
	let notices = 0;
	const { process, replyClient } = setup({
		moderation: {
			resultReviewer: {
				review: async () => ({ kind: "withhold", cause: "flagged", categories: ["violence"], isForModerators: true }),
			},
			withheldNotices: { post: async () => (notices++, "posted") },
		},
	});
	replyClient.failuresBefore.push(...repeat(3, new ReplyClientUnavailableError("503")));
	await process.run(MINUTE_MS);
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
		await process.run(MINUTE_MS + SECOND_MS);
		expect(await process.memberTasks.requestPing(OWNER, TASK)).toBe(true);
		answer();
		await advance(5 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(outcome);
		expect([media.submits, media.reads, replyClient.pings.length]).toStrictEqual([1, reads, 1]);
	});

	test.each([
		["a direct message, which notifies the member", "directMessage"],
		["an ephemeral follow-up, because it would be public", "ephemeralFollowUp"],
	] as const)("is not posted beside %s", async (_what, route) => {
		const { process, clock, replyClient } = setup();
		replyClient.route = route;
		replyClient.onDeliver = () => clock.sleep(2 * MINUTE_MS);
		await process.run(3 * MINUTE_MS, { ping: "requested" });
		expect([await process.stateOf(), replyClient.pings]).toStrictEqual(["delivered", []]);
	});

	test("is denied if the server offers none, and after the end of the task", async () => {
		const { process, advance, taskNow } = setup();
		await process.submit({ ping: "off" });
		expect(await process.memberTasks.requestPing(OWNER, TASK)).toBe(false);
		await advance(SECOND_MS);
		const ended = await taskNow();
		expect(await process.memberTasks.requestPing(OWNER, TASK)).toBe(false);
		expect(await taskNow()).toStrictEqual(ended);
	});

	test("is posted once if a process dies before it stores the delivery", async () => {
		const { boot, bootCrashing, media, replyClient, clock, advance } = setup();
		const { store, dying } = bootCrashing();
		const answer = leaveUnanswered(media);
		await dying.run(MINUTE_MS + SECOND_MS, { ping: "requested" });
		replyClient.onDeliver = async () => store.arm(0);
		answer();
		await advance(5 * SECOND_MS);
		await dying.runner.stop();
		expect(store.hasCrashed).toBe(true);
		await clock.advance(SECOND_MS);
		await boot().runner.sweepOpenTasks();
		await advance(5 * SECOND_MS);
		expect(replyClient.pings).toHaveLength(1);
	});
});

describe("an unexpected error", () => {
	const bug = new TypeError("a bug");

	test("that persists before there is a result fails the task with an incident id and costs nothing", async () => {
		const { process, downloadFailures, openKeys, replyAndBalance } = setup();
		downloadFailures.push(...repeat(100, bug));
		// The waits before the sixth failure take 12 s. The failure is delivered at once.
		await process.run(15 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(notCharged(/went wrong\..*\(incident [\da-f]{8}\)\./));
		expect(await openKeys()).toStrictEqual([]);
	});

	test("in the charge of a result is logged, and the charge is retried", async () => {
		const { process, logged, replyAndBalance } = setup();
		const post = vi.spyOn(process.ledger, "post");
		// After three refusals, the task would end without a charge.
		for (let attempt = 0; attempt < 3; attempt++) post.mockRejectedValueOnce(bug);
		await process.run(MINUTE_MS);
		expect(logged("error")).toStrictEqual(repeat(3, "task step failed"));
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});

	test("in the delivery of a result is retried until it is delivered", async () => {
		const { process, replyClient, replyAndBalance } = setup();
		replyClient.failuresBefore.push(...repeat(30, bug));
		await process.run(20 * MINUTE_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});
});

test("a full transcode queue delays a large result past its deadline, which is charged once", async () => {
	const { process, media, replyClient, downloadedFile, transcoder, logged, advance, replyAndBalance } = setup();
	downloadedFile.bytes = Buffer.alloc(submission.reply.attachmentBytesMax + 1);
	transcoder.isQueueFull = () => true;
	await process.run(15 * MINUTE_MS);
	expect(await process.stateOf()).toBe("submitted");
	expect(await replyAndBalance()).toStrictEqual({ text: "nothing", postedCredits: 10, heldCredits: 4 });
	// A run every ten seconds.
	expect(media.reads).toBeLessThan(95);
	expect(logged("error")).toStrictEqual([]);
	transcoder.isQueueFull = () => false;
	await advance(MINUTE_MS);
	expect(replyClient.visible.get(TASK)?.files).toHaveLength(1);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});

test("files that Discord rejects for their size are transcoded once more", async () => {
	const { process, replyClient, downloadedFile, transcoder, linesOf, taskNow, replyAndBalance } = setup();
	const largestBytes = 2 * MIB;
	downloadedFile.bytes = Buffer.alloc(largestBytes);
	let transcodes = 0;
	transcoder.transcode = (...args) => {
		transcodes++;
		return passThroughTranscoder.transcode(...args);
	};
	const deliver = replyClient.deliver.bind(replyClient);
	replyClient.deliver = async (...reply) =>
		transcodes < 2
			? { kind: "filesRejected", route: "tokenEdit", isForSize: true, largestBytes }
			: await deliver(...reply);
	await process.run(5 * SECOND_MS);
	expect(linesOf("files rejected")).toMatchObject([{ rejectedBytes: largestBytes, shrinkToBytes: MIB }]);
	expect(await taskNow()).toMatchObject({ reply: submission.reply, outcome: { kind: "succeeded", seed: 7 } });
	expect(replyClient.visible.get(TASK)?.files).toHaveLength(1);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
});

test.each([0, 1, 2])(
	"files that Discord rejects for their size are delivered with their new type after a crash at write %i",
	async (writesBefore) => {
		const folder = await createTempFolder();
		const results = createResultStore({
			folder: join(folder, "results"),
			bytesMax: 10 * MIB,
			async *openTaskIds() {},
			clock: createManualClock(),
		});
		const { boot, bootCrashing, replyClient, downloadedFile, transcoder, clock } = setup({ results });
		downloadedFile.bytes = Buffer.alloc(2 * MIB);
		transcoder.transcode = async (input, ...rest) => {
			const unchanged = await passThroughTranscoder.transcode(input, ...rest);
			// The limit of the download is that of the reply, and then a lower one.
			if (input.bytesMax > MIB || input.sizeBytes <= input.bytesMax) return unchanged;
			const path = join(folder, "shrunk.webp");
			await writeFile(path, "an image");
			const file = { path, sizeBytes: 8, contentType: "image/webp", extension: "webp" };
			return { ...unchanged, ...file, kind: "transcoded", changes: [{ kind: "compressed" }] };
		};
		const { store, dying } = bootCrashing();
		const deliver = replyClient.deliver.bind(replyClient);
		replyClient.deliver = async (target, reply) => {
			const [largestBytes = 0] = reply.files.map(({ content }) => content.sizeBytes);
			if (largestBytes <= MIB) return await deliver(target, reply);
			if (!store.hasCrashed) store.arm(writesBefore);
			return { kind: "filesRejected", route: "tokenEdit", isForSize: true, largestBytes };
		};
		const attachmentBytesMax = 2 * MIB;
		await dying.submit({ reply: { ...submission.reply, attachmentBytesMax } });
		await advanceUntil(clock, () => store.hasCrashed);
		await dying.runner.stop();
		await boot().runner.sweepOpenTasks();
		const reply = await advanceUntil(clock, () => replyClient.visible.get(TASK));
		expect(reply?.files).toMatchObject([{ name: "atelier-1000000000000000009.webp", contentType: "image/webp" }]);
		expect(reply?.text).toContain("compressed");
	},
);
