import { expect, test } from "vitest";
import { MessengerUnavailable } from "../../../src/services/delivery/messenger.ts";
import { made, open } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, request, setup, textOf } from "./task-setup.ts";

const MIB = 1024 * 1024;
const HERE = "This takes longer than usual. It will be posted here when it is ready.";

/** A task whose service is not done, and a reply whose token lives for fifteen minutes. */
async function making(change: Partial<typeof request.reply> = {}) {
	const all = setup();
	all.media.answer = open;
	const reply = { ...request.reply, tokenExpiresAtMs: all.clock.nowMs() + 15 * MINUTE_MS, ...change };
	const order = { ...request.order, mediaType: "video" as const };
	await all.process.submit({ order, reply });
	return all;
}

test("at fourteen minutes a reply says, once, that its result comes later", async () => {
	const { messenger, pass } = await making();
	await pass(14 * MINUTE_MS - SECOND_MS);
	expect(messenger.told).toStrictEqual([]);
	await pass(2 * SECOND_MS);
	expect(messenger.told).toStrictEqual([HERE]);
	await pass(10 * MINUTE_MS);
	expect(messenger.told).toStrictEqual([HERE]);
});

test("what is done before says nothing of the kind", async () => {
	const { media, messenger, pass } = await making();
	media.answer = { state: "failed", code: "internal", reason: "" };
	await pass(20 * MINUTE_MS);
	expect(messenger.told).toStrictEqual([]);
	expect(textOf(messenger)).toContain("tried, and failed");
});

test("where the bot cannot come back to the reply, the news are of a direct message", async () => {
	const { messenger, pass } = await making({ botInGuild: false });
	await pass(15 * MINUTE_MS);
	expect(messenger.told).toStrictEqual([expect.stringContaining("direct message")]);
});

test("a process that starts in that minute says it too, one that starts later does not", async () => {
	const { process, boot, messenger, pass } = await making();
	await pass(13 * MINUTE_MS);
	await process.runner.stop();
	await pass(MINUTE_MS);
	const second = boot();
	await second.runner.recover();
	await pass(5 * SECOND_MS);
	expect(messenger.told).toStrictEqual([HERE]);
	await second.runner.stop();
	await pass(MINUTE_MS);
	await boot().runner.recover();
	await pass(MINUTE_MS);
	expect(messenger.told).toStrictEqual([HERE]);
});

test("news that Discord did not take are told at a later look, while the token lives", async () => {
	const { messenger, pass } = await making();
	messenger.failuresBefore.push(new MessengerUnavailable("503"));
	await pass(15 * MINUTE_MS);
	expect(messenger.told).toStrictEqual([HERE]);
	expect(messenger.calls).toBe(2);
});

test.each(["fetching", "fitting"] as const)("it is said while a result is in the middle of %s, too", async (what) => {
	const { process, media, messenger, holdUps, pass } = await making();
	const { promise, resolve } = Promise.withResolvers<void>();
	holdUps[what] = () => promise;
	media.answer = made();
	await pass(14 * MINUTE_MS - SECOND_MS);
	expect(messenger.told).toStrictEqual([]);
	expect(await process.stateOf()).toBe("submitted");
	await pass(10 * SECOND_MS);
	expect(messenger.told).toStrictEqual([HERE]);
	resolve();
	await pass(SECOND_MS);
	expect(messenger.seen.get(TASK)?.files).toHaveLength(1);
	expect(messenger.told).toStrictEqual([HERE]);
});

test("it is said while files that Discord refused are made smaller", async () => {
	const { media, messenger, made: file, holdUps, pass } = await making();
	file.bytes = Buffer.alloc(2 * MIB);
	const show = messenger.show.bind(messenger);
	messenger.show = async () => {
		messenger.show = show;
		return { kind: "filesRefused", rung: "tokenEdit", isForSize: true, isPerFile: true, largestBytes: 2 * MIB };
	};
	const { promise, resolve } = Promise.withResolvers<void>();
	media.answer = made();
	let fittings = 0;
	// The first one is of what has come, and goes well.
	holdUps.fitting = async () => (++fittings > 1 ? await promise : undefined);
	await pass(15 * MINUTE_MS);
	expect(messenger.told).toStrictEqual([HERE]);
	expect(messenger.seen.size).toBe(0);
	resolve();
	await pass(SECOND_MS);
	expect(messenger.seen.size).toBe(1);
});

test("a result that is there while the news are being said waits, and hides them", async () => {
	const { media, messenger, holdUps, pass } = await making();
	const fetched = Promise.withResolvers<void>();
	holdUps.fetching = () => fetched.promise;
	const said = Promise.withResolvers<void>();
	const order: string[] = [];
	const [tell, show] = [messenger.tell.bind(messenger), messenger.show.bind(messenger)];
	messenger.tell = async (...news) => {
		await said.promise;
		order.push("told");
		return await tell(...news);
	};
	messenger.show = async (...shown) => {
		order.push("shown");
		return await show(...shown);
	};
	media.answer = made();
	await pass(14 * MINUTE_MS + SECOND_MS);
	fetched.resolve();
	await pass(SECOND_MS);
	expect(order).toStrictEqual([]);
	said.resolve();
	await pass(SECOND_MS);
	expect(order).toStrictEqual(["told", "shown"]);
});

test("news that Discord did not take during a fetch are told a little later in it", async () => {
	const { media, messenger, holdUps, pass } = await making();
	holdUps.fetching = () => new Promise(() => {});
	media.answer = made();
	await pass(13 * MINUTE_MS);
	messenger.failuresBefore.push(new MessengerUnavailable("503"), new MessengerUnavailable("503"));
	await pass(MINUTE_MS + 10 * SECOND_MS);
	expect(messenger.told).toStrictEqual([HERE]);
	expect(messenger.calls).toBe(3);
});
