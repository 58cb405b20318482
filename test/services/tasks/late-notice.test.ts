import { expect, test } from "vitest";
import { MessengerUnavailable } from "../../../src/services/delivery/messenger.ts";
import { open } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, request, setup, textOf } from "./task-setup.ts";

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
