import { expect, test } from "vitest";
import { ReplyClientUnavailableError } from "../../../src/services/delivery/reply-client.ts";
import { made, open } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, taskRequest, setup, textOf } from "./task-setup.ts";

const MIB = 1024 * 1024;
const HERE = "This takes longer than usual. It will be posted here when it is ready.";

/** A task whose service is not done, and a reply whose token lives for fifteen minutes. */
async function setupRunningTask(change: Partial<typeof taskRequest.reply> = {}) {
	const all = setup();
	all.media.answer = open;
	const reply = { ...taskRequest.reply, tokenExpiresAtMs: all.clock.nowMs() + 15 * MINUTE_MS, ...change };
	const request = { ...taskRequest.request, mediaType: "video" as const };
	await all.process.submit({ request, reply });
	return all;
}

test("after fourteen minutes the reply announces once that the result comes later", async () => {
	const { replyClient, pass } = await setupRunningTask();
	await pass(14 * MINUTE_MS - SECOND_MS);
	expect(replyClient.notices).toStrictEqual([]);
	await pass(2 * SECOND_MS);
	expect(replyClient.notices).toStrictEqual([HERE]);
	await pass(10 * MINUTE_MS);
	expect(replyClient.notices).toStrictEqual([HERE]);
});

test("a task that ends earlier has no such notice", async () => {
	const { media, replyClient, pass } = await setupRunningTask();
	media.answer = { state: "failed", code: "internal", reason: "" };
	await pass(20 * MINUTE_MS);
	expect(replyClient.notices).toStrictEqual([]);
	expect(textOf(replyClient)).toContain("tried, and failed");
});

test("without later access to the reply, the notice announces a direct message", async () => {
	const { replyClient, pass } = await setupRunningTask({ botInGuild: false });
	await pass(15 * MINUTE_MS);
	expect(replyClient.notices).toStrictEqual([expect.stringContaining("direct message")]);
});

test("a process that starts during that minute sends the notice; a later one does not", async () => {
	const { process, boot, replyClient, pass } = await setupRunningTask();
	await pass(13 * MINUTE_MS);
	await process.runner.stop();
	await pass(MINUTE_MS);
	const second = boot();
	await second.runner.recover();
	await pass(5 * SECOND_MS);
	expect(replyClient.notices).toStrictEqual([HERE]);
	await second.runner.stop();
	await pass(MINUTE_MS);
	await boot().runner.recover();
	await pass(MINUTE_MS);
	expect(replyClient.notices).toStrictEqual([HERE]);
});

test("a notice that Discord rejected is sent at a later poll, while the token is valid", async () => {
	const { replyClient, pass } = await setupRunningTask();
	replyClient.failuresBefore.push(new ReplyClientUnavailableError("503"));
	await pass(15 * MINUTE_MS);
	expect(replyClient.notices).toStrictEqual([HERE]);
	expect(replyClient.calls).toBe(2);
});

test.each(["fetching", "fitting"] as const)("the notice is sent while the task is %s", async (what) => {
	const { process, media, replyClient, holdUps, pass } = await setupRunningTask();
	const { promise, resolve } = Promise.withResolvers<void>();
	holdUps[what] = () => promise;
	media.answer = made();
	await pass(14 * MINUTE_MS - SECOND_MS);
	expect(replyClient.notices).toStrictEqual([]);
	expect(await process.stateOf()).toBe("submitted");
	await pass(10 * SECOND_MS);
	expect(replyClient.notices).toStrictEqual([HERE]);
	resolve();
	await pass(SECOND_MS);
	expect(replyClient.seen.get(TASK)?.files).toHaveLength(1);
	expect(replyClient.notices).toStrictEqual([HERE]);
});

test("the notice is sent while rejected files are being transcoded", async () => {
	const { media, replyClient, made: file, holdUps, pass } = await setupRunningTask();
	file.bytes = Buffer.alloc(2 * MIB);
	const show = replyClient.deliver.bind(replyClient);
	replyClient.deliver = async () => {
		replyClient.deliver = show;
		return { kind: "filesRefused", route: "tokenEdit", isForSize: true, isPerFile: true, largestBytes: 2 * MIB };
	};
	const { promise, resolve } = Promise.withResolvers<void>();
	media.answer = made();
	let fittings = 0;
	// The first one is of what has come, and goes well.
	holdUps.fitting = async () => (++fittings > 1 ? await promise : undefined);
	await pass(15 * MINUTE_MS);
	expect(replyClient.notices).toStrictEqual([HERE]);
	expect(replyClient.seen.size).toBe(0);
	resolve();
	await pass(SECOND_MS);
	expect(replyClient.seen.size).toBe(1);
});

test("a result waits for a notice that is being sent, and replaces it", async () => {
	const { media, replyClient, holdUps, pass } = await setupRunningTask();
	const fetched = Promise.withResolvers<void>();
	holdUps.fetching = () => fetched.promise;
	const said = Promise.withResolvers<void>();
	const request: string[] = [];
	const [tell, show] = [replyClient.notify.bind(replyClient), replyClient.deliver.bind(replyClient)];
	replyClient.notify = async (...news) => {
		await said.promise;
		request.push("told");
		return await tell(...news);
	};
	replyClient.deliver = async (...shown) => {
		request.push("shown");
		return await show(...shown);
	};
	media.answer = made();
	await pass(14 * MINUTE_MS + SECOND_MS);
	fetched.resolve();
	await pass(SECOND_MS);
	expect(request).toStrictEqual([]);
	said.resolve();
	await pass(SECOND_MS);
	expect(request).toStrictEqual(["told", "shown"]);
});

test("a notice that Discord rejected during a download is sent a little later", async () => {
	const { media, replyClient, holdUps, pass } = await setupRunningTask();
	holdUps.fetching = () => new Promise(() => {});
	media.answer = made();
	await pass(13 * MINUTE_MS);
	replyClient.failuresBefore.push(new ReplyClientUnavailableError("503"), new ReplyClientUnavailableError("503"));
	await pass(MINUTE_MS + 10 * SECOND_MS);
	expect(replyClient.notices).toStrictEqual([HERE]);
	expect(replyClient.calls).toBe(3);
});
