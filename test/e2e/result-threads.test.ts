import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { PermissionFlagsBits, type APIMessage } from "discord-api-types/v10";
import { assert, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { answerTo, isPrivate, finalReply, plainText, messagesIn } from "./replies.ts";
import { CREDITS_AFTER_IMAGE, channelIdOf, openAtelierWithMembers } from "./start-atelier.ts";

async function openWithThreads() {
	const server = await openAtelierWithMembers();
	const galleryId = await channelIdOf(server.owner, "gallery");
	await answerTo(server.owner, "/settings defaults", { channel: galleryId, threads: true });
	const generate = async (client: UserClient, options = {}): Promise<APIMessage> => {
		const reply = await client.type("/image", { prompt: "a boat", ...options }, { channel: galleryId });
		return await reply.until((message) => isFinalReply(message) && /Done|left|charged/.test(textOf(message)));
	};
	return { ...server, galleryId, generate };
}

test("results in threads are in a thread that starts from the reply, and the reply links to the thread", async () => {
	const { ada, grace, generate } = await openWithThreads();
	const reply = await generate(ada);
	expect(textOf(reply)).toBe(`Done: <#${reply.id}>`);
	expect(labelsOf(reply)).toEqual([]);
	const { channels } = await grace.state();
	expect(channels).toContainEqual(expect.objectContaining({ id: reply.id, name: "a boat" }));
	const [result = assert.fail("the thread is empty"), ...others] = await messagesIn(grace, reply.id);
	expect(others).toEqual([]);
	expect(filesOf(result)).toHaveLength(1);
	expect(plainText(textOf(result))).toContain(`${CREDITS_AFTER_IMAGE} left`);

	const again = await finalReply(grace.press(result, { label: "Regenerate" }));
	expect(again.channel_id).toBe(reply.id);
	expect(filesOf(again)).toHaveLength(1);
	expect(plainText(await answerTo(grace, "/gallery server"))).toContain("a boat");
});

test("results in threads stay in the reply if they are private, and a denied command starts no thread", async () => {
	const { owner, ada, generate } = await openWithThreads();
	const ephemeral = await generate(ada, { private: true });
	expect(isPrivate(ephemeral)).toBe(true);
	expect(filesOf(ephemeral)).toHaveLength(1);
	await answerTo(owner, "/filter add", { pattern: "ship" });
	const channelCount = (await ada.state()).channels.length;
	await answerTo(ada, "/image", { prompt: "a ship" });
	expect((await ada.state()).channels).toHaveLength(channelCount);
});

test("results in threads appear once, if Discord executes a request and the response is lost", async () => {
	const { atelier, ada, generate } = await openWithThreads();
	const adminClient = openAdminClient(atelier.origin);
	const loseResponse = { times: 1, executes: true, answer: { kind: "hangUp" } } as const;
	await adminClient.inject({ route: "POST /channels/:channel/messages/:message/threads", ...loseResponse });
	await adminClient.inject({ route: "POST /channels/:channel/messages", ...loseResponse });
	const reply = await generate(ada);
	expect(textOf(reply)).toBe(`Done: <#${reply.id}>`);
	expect(await messagesIn(ada, reply.id)).toHaveLength(1);
});

test("results in threads stay in the reply if the bot may not write in a thread", async () => {
	const { atelier, ada, galleryId, generate } = await openWithThreads();
	const { guild } = await ada.state();
	const overwrites = [{ id: guild.id, type: 0, deny: String(PermissionFlagsBits.SendMessagesInThreads) }] as const;
	await openAdminClient(atelier.origin).setOverwrites({ channelId: galleryId, overwrites });
	const reply = await generate(ada);
	expect(filesOf(reply)).toHaveLength(1);
	expect((await ada.state()).channels.some(({ id }) => id === reply.id)).toBe(false);
});
