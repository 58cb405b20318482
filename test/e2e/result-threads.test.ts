import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import type { UserClient } from "@atelier/playground/user-client";
import { answerTo, channelId, isPrivate, labels, openServer, plain } from "./server.ts";

async function open() {
	const server = await openServer();
	const gallery = await channelId(server.admin, "gallery");
	await answerTo(server.admin, "/settings defaults", { channel: gallery, threads: true });
	const generate = async (client: UserClient, options = {}): Promise<APIMessage> => {
		const reply = await client.type("/image", { prompt: "a boat", ...options }, { channel: gallery });
		return await reply.until((message) => isFinalReply(message) && /Done|left|charged/.test(textOf(message)));
	};
	return { ...server, gallery, generate };
}

const inThread = async (client: UserClient, threadId: string): Promise<readonly APIMessage[]> =>
	(await client.messages()).filter((message) => message.channel_id === threadId);

describe("results in threads", () => {
	test("are in a thread that starts from the reply, which then points to it", async () => {
		const { ada, grace, generate } = await open();
		const reply = await generate(ada);
		expect(textOf(reply)).toBe(`Done: <#${reply.id}>`);
		expect(labels(reply)).toEqual([]);
		const { channels } = await grace.state();
		expect(channels).toContainEqual(expect.objectContaining({ id: reply.id, name: "a boat" }));
		const [result, ...others] = await inThread(grace, reply.id);
		if (!result) throw new Error("the thread is empty");
		expect(others).toEqual([]);
		expect(filesOf(result)).toHaveLength(1);
		expect(plain(textOf(result))).toContain("496 left");

		const again = await (await grace.press(result, { label: "Regenerate" })).until(isFinalReply);
		expect(again.channel_id).toBe(reply.id);
		expect(filesOf(again)).toHaveLength(1);
		expect(plain(await answerTo(grace, "/gallery server"))).toContain("a boat");
	});

	test("stay in the reply if they are private, or if the task fails", async () => {
		const { admin, ada, generate } = await open();
		const ephemeral = await generate(ada, { private: true });
		expect(isPrivate(ephemeral)).toBe(true);
		expect(filesOf(ephemeral)).toHaveLength(1);
		await answerTo(admin, "/filter add", { pattern: "ship" });
		const before = (await ada.state()).channels.length;
		await answerTo(ada, "/image", { prompt: "a ship" });
		expect((await ada.state()).channels).toHaveLength(before);
	});

	test("appear once, if Discord acts and does not respond", async () => {
		const { atelier, ada, generate } = await open();
		const admin = openAdminClient(atelier.origin);
		const lost = { times: 1, acts: true, answer: { kind: "hangUp" } } as const;
		await admin.inject({ route: "POST /channels/:channel/messages/:message/threads", ...lost });
		await admin.inject({ route: "POST /channels/:channel/messages", ...lost });
		const reply = await generate(ada);
		expect(textOf(reply)).toBe(`Done: <#${reply.id}>`);
		expect(await inThread(ada, reply.id)).toHaveLength(1);
	});

	test("stay in the reply if the bot may not start a thread", async () => {
		const { atelier, ada, gallery, generate } = await open();
		await openAdminClient(atelier.origin).setAccess(gallery, "readOnly");
		const reply = await generate(ada);
		expect(filesOf(reply)).toHaveLength(1);
		expect((await ada.state()).channels.some(({ id }) => id === reply.id)).toBe(false);
	});
});
