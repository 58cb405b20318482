import { expect, test } from "vitest";
import { ReplyClientUnavailableError } from "../../../src/services/delivery/reply-client.ts";
import { finishedRemoteTask } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, setupSubmittedVideo, textOf } from "./task-setup.ts";

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

test("a notice that Discord could not take is sent at the next run", async () => {
	const { replyClient, advance } = await setupSubmittedVideo();
	await advance(13 * MINUTE_MS);
	replyClient.failuresBefore.push(unavailable);
	await advance(2 * MINUTE_MS - SECOND_MS);
	expect(replyClient.notices).toStrictEqual([NOTICE_FOR_CHANNEL]);
	expect(replyClient.calls).toBe(2);
});
