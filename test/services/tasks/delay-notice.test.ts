import { expect, test } from "vitest";
import { ReplyClientUnavailableError } from "../../../src/services/delivery/reply-client.ts";
import { finishedRemoteTask } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, setupSubmittedVideo, TASK, textOf, repeat } from "./task-setup.ts";

const NOTICE_FOR_CHANNEL = "This is taking longer than usual. The result will be posted here.";
const unavailable = new ReplyClientUnavailableError("503");

test("after fourteen minutes the reply announces once that the result comes later", async () => {
	const { replyClient, advance } = await setupSubmittedVideo();
	await advance(14 * MINUTE_MS - SECOND_MS);
	expect(replyClient.notices).toStrictEqual([]);
	await advance(2 * SECOND_MS);
	expect(replyClient.notices).toStrictEqual([NOTICE_FOR_CHANNEL]);
	await advance(10 * MINUTE_MS);
	expect(replyClient.notices).toStrictEqual([NOTICE_FOR_CHANNEL]);
});

test("a task that ends earlier has no notice", async () => {
	const { media, replyClient, advance } = await setupSubmittedVideo();
	media.answer = { state: "failed", code: "internal", reason: "" };
	await advance(20 * MINUTE_MS);
	expect(replyClient.notices).toStrictEqual([]);
	expect(textOf(replyClient)).toContain("Generation failed.");
});

test("a result that Discord does not accept yet is not replaced by the notice", async () => {
	const { process, media, replyClient, advance } = await setupSubmittedVideo();
	media.answer = finishedRemoteTask();
	replyClient.deliver = () => Promise.reject(unavailable);
	await advance(15 * MINUTE_MS);
	expect([await process.stateOf(), replyClient.notices]).toStrictEqual(["settled", []]);
});

test("the notice announces a direct message if the bot is not in the guild", async () => {
	const { replyClient, advance } = await setupSubmittedVideo({ isBotInGuild: false });
	await advance(15 * MINUTE_MS);
	expect(replyClient.notices).toStrictEqual([expect.stringContaining("direct message")]);
});

test("a process that starts during the last minute sends the notice; a later one does not", async () => {
	const { restart, replyClient, advance } = await setupSubmittedVideo();
	await advance(13 * MINUTE_MS);
	const running = await restart({ downMs: MINUTE_MS });
	await advance(5 * SECOND_MS);
	expect(replyClient.notices).toStrictEqual([NOTICE_FOR_CHANNEL]);
	await restart({ running, downMs: MINUTE_MS });
	await advance(MINUTE_MS);
	expect(replyClient.notices).toStrictEqual([NOTICE_FOR_CHANNEL]);
});

test.each([
	["at the next run", false, 1],
	["a little later while a download hangs", true, 2],
])("a notice that Discord could not take is sent %s", async (_when, isDownloading, failures) => {
	const { media, replyClient, delays, advance } = await setupSubmittedVideo();
	if (isDownloading) media.answer = finishedRemoteTask();
	delays.download = () => new Promise(() => {});
	await advance(13 * MINUTE_MS);
	replyClient.failuresBefore.push(...repeat(failures, unavailable));
	await advance(90 * SECOND_MS);
	expect(replyClient.notices).toStrictEqual([NOTICE_FOR_CHANNEL]);
	expect(replyClient.calls).toBe(failures + 1);
});

test.each([
	["the result is downloaded", "download", 1, false],
	["the result is transcoded", "transcode", 1, false],
	["files that Discord rejected are transcoded again", "transcode", 2, true],
] as const)("the notice is sent while %s", async (_when, what, hangingCall, isRejected) => {
	const { media, replyClient, downloadedFile: file, delays, advance } = await setupSubmittedVideo();
	const largestBytes = 2 * 1024 * 1024;
	if (isRejected) file.bytes = Buffer.alloc(largestBytes);
	const deliver = replyClient.deliver.bind(replyClient);
	let deliveries = 0;
	replyClient.deliver = async (...reply) => {
		if (!isRejected || ++deliveries > 1) return await deliver(...reply);
		return { kind: "filesRejected", route: "tokenEdit", isForSize: true, largestBytes };
	};
	const { promise, resolve } = Promise.withResolvers<void>();
	let calls = 0;
	delays[what] = async () => (++calls === hangingCall ? await promise : undefined);
	media.answer = finishedRemoteTask();
	await advance(14 * MINUTE_MS - SECOND_MS);
	expect([replyClient.notices, replyClient.visible.size]).toStrictEqual([[], 0]);
	await advance(10 * SECOND_MS);
	expect([replyClient.notices, replyClient.visible.size]).toStrictEqual([[NOTICE_FOR_CHANNEL], 0]);
	resolve();
	await advance(SECOND_MS);
	expect(replyClient.visible.get(TASK)?.files).toHaveLength(1);
	expect(replyClient.notices).toStrictEqual([NOTICE_FOR_CHANNEL]);
});

test("a result waits for a notice that is being sent, and replaces it", async () => {
	const { media, replyClient, delays, advance } = await setupSubmittedVideo();
	const downloaded = Promise.withResolvers<void>();
	delays.download = () => downloaded.promise;
	const sent = Promise.withResolvers<void>();
	const calls: string[] = [];
	replyClient.editText = async () => {
		await sent.promise;
		return calls.push("notice") > 0;
	};
	const deliver = replyClient.deliver.bind(replyClient);
	replyClient.deliver = async (...reply) => {
		calls.push("result");
		return await deliver(...reply);
	};
	media.answer = finishedRemoteTask();
	await advance(14 * MINUTE_MS + SECOND_MS);
	downloaded.resolve();
	await advance(SECOND_MS);
	expect(calls).toStrictEqual([]);
	sent.resolve();
	await advance(SECOND_MS);
	expect(calls).toStrictEqual(["notice", "result"]);
});
