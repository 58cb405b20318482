/** Plain messages of members: what the bot receives, and the rules of Discord's client. */
import { GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, onTestFinished, test } from "vitest";
import { pino } from "pino";
import { DEFAULT_FIXTURE } from "../src/fixture.ts";
import { startPlayground } from "../src/start-playground.ts";
import { openPlayground, openWire, refusal } from "../testing/setup.ts";

const { GuildMembers, GuildMessages, GuildPresences, DirectMessages, MessageContent } = GatewayIntentBits;

async function withBot(intents = 0) {
	const playground = await openPlayground();
	const { event, events } = await playground.bot({ intents });
	const [ada, grace] = [await playground.userNamed("ada"), await playground.userNamed("grace")];
	return { ...playground, event, events, ada, grace };
}

describe("a plain message of a member", () => {
	test("reaches the bot with its author, its member, its files and the mentioned members", async () => {
		const { ada, grace, event, guild } = await withBot(GuildMessages | MessageContent);
		const files = [{ name: "boat.txt", bytes: Buffer.from("boat") }];
		const content = `hello <@${grace.me.user.id}>`;
		const { id } = await ada.say(content, { channel: "gallery", files });
		const received = await event("MESSAGE_CREATE", id);
		expect(received).toMatchObject({
			type: 0,
			content,
			guild_id: guild.id,
			channel_type: 0,
			author: { id: ada.me.user.id, username: "ada" },
			member: { roles: ada.me.roleIds, nick: null },
			mentions: [{ id: grace.me.user.id, member: { roles: grace.me.roleIds } }],
			attachments: [{ filename: "boat.txt", size: 4 }],
		});
		expect(received).not.toHaveProperty("application_id");
	});

	test("that replies contains the other message and pings its author", async () => {
		const { ada, grace, event } = await withBot(GuildMessages | MessageContent);
		const question = await grace.say("where is the boat?");
		const { id } = await ada.say("in the harbor", { replyTo: question });
		expect(await event("MESSAGE_CREATE", id)).toMatchObject({
			type: 19,
			message_reference: { message_id: question.id },
			referenced_message: { id: question.id, content: "where is the boat?", author: { username: "grace" } },
			mentions: [{ username: "grace" }],
		});
		await grace.delete(question);
		expect(await ada.messages()).toMatchObject([{ id, type: 19, referenced_message: null }]);
	});

	test("is reported to the bot again when it is edited and when it is deleted", async () => {
		const { ada, event } = await withBot(GuildMessages | MessageContent);
		const message = await ada.say("a boat");
		await ada.edit(message, "a ship");
		const edited = { id: message.id, content: "a ship", edited_timestamp: expect.any(String) };
		expect(await event("MESSAGE_UPDATE")).toMatchObject(edited);
		await ada.delete(message);
		const deleted = { id: message.id, channel_id: message.channel_id, guild_id: expect.any(String) };
		expect(await event("MESSAGE_DELETE")).toStrictEqual(deleted);
		await ada.untilGone(message);
	});
});

test("spaces around the text of a member do not count towards its length", async () => {
	const { ada } = await withBot(GuildMessages);
	const longest = "x".repeat(2000);
	const message = await ada.say(`  ${longest}\n`);
	expect(message).toMatchObject({ content: longest });
	expect(await ada.edit(message, ` ${longest} `)).toMatchObject({ content: longest });
});

describe("the message content intent", () => {
	test("is needed for the content in a guild", async () => {
		const { ada, event } = await withBot(GuildMessages);
		const { id } = await ada.say("a secret", { files: [{ name: "a.txt", bytes: Buffer.from("a") }] });
		const hidden = { content: "", attachments: [], embeds: [], components: [] };
		expect(await event("MESSAGE_CREATE", id)).toMatchObject(hidden);
		const reply = await ada.say("another", { replyTo: { id } });
		expect(await event("MESSAGE_CREATE", reply.id)).toMatchObject({ referenced_message: hidden });
	});

	test("is not needed for messages that mention the bot, that reply to it, or that it sent", async () => {
		const { ada, event, send, applicationId } = await withBot(GuildMessages);
		const own = await send({ content: "how?" });
		const reply = await ada.say("like this", { replyTo: own });
		const mention = await ada.say(`<@${applicationId}> help`);
		for (const { id, content } of [own, reply, mention])
			expect(await event("MESSAGE_CREATE", id)).toMatchObject({ content });
		const mentions = [{ id: applicationId, bot: true }];
		expect(await event("MESSAGE_CREATE", mention.id)).toMatchObject({ mentions });
	});

	test("reaches the bot in direct messages that the user opens", async () => {
		const { ada } = await withBot();
		const channelId = await ada.openDirect();
		const { channels } = await ada.state();
		expect(channels.at(-1)).toMatchObject({ id: channelId, type: 1, name: "Atelier" });
		expect(await ada.openDirect()).toBe(channelId);
		expect(await ada.say("hello", { channel: channelId })).toMatchObject({ channel_id: channelId });
	});

	test("is not needed in direct messages, which need their own intent and open with the first message", async () => {
		const { ada, grace, event, events } = await withBot(DirectMessages);
		const { id, channel_id: channel } = await ada.say("hello", { channel: "@me" });
		await expect(grace.say("hello", { channel })).rejects.toThrow("Unknown channel.");
		expect(await grace.messages()).toStrictEqual([]);
		const payload = await event("MESSAGE_CREATE", id);
		expect(payload).toMatchObject({ content: "hello", channel_type: 1, author: { username: "ada" } });
		expect(payload).not.toHaveProperty("guild_id");
		await ada.say("in the guild");
		await event("MESSAGE_CREATE", (await ada.say("again", { channel: "@me" })).id);
		expect(events("MESSAGE_CREATE")).toHaveLength(2);
	});

	test("that the application has not enabled closes the connection with 4014, and REST then hides contents and members", async () => {
		const discord = await startPlayground({
			fixture: { ...DEFAULT_FIXTURE, application: { name: "Shy", privilegedIntents: ["GuildPresences"] } },
			logger: pino({ level: "silent" }),
		});
		onTestFinished(() => discord.close());
		const identify = async (intents: number) => {
			const wire = await openWire(`${discord.origin.replace("http", "ws")}/playground/gateway?v=10&encoding=json`);
			wire.send({ op: 2, d: { token: discord.botToken, properties: {}, intents } });
			return wire;
		};
		for (const intent of [MessageContent, GuildMembers]) expect(await (await identify(intent)).closed).toBe(4014);
		const allowed = await identify(GuildPresences);
		// 1 << 13 is GATEWAY_PRESENCE_LIMITED.
		expect(await allowed.until(({ t }) => t === "READY")).toMatchObject({ d: { application: { flags: 1 << 13 } } });
		const user = await discord.openUser();
		const { id, channel_id: channelId } = await user.say("a secret");
		const threadId = await user.startThread("Boats");
		const { guild } = await user.state();
		const headers = { authorization: `Bot ${discord.botToken}` };
		for (const [path, body] of [
			[`/channels/${channelId}/messages`, [{ content: "", author: { username: "robin" } }]],
			[`/guilds/${guild.id}/members`, { code: 50_001 }],
			[`/channels/${threadId}/thread-members`, { code: 50_001 }],
		] as const)
			expect(await (await fetch(`${discord.apiUrl}/v10${path}`, { headers })).json()).toMatchObject(body);
		const request = async (method: string, path: string, body: object): Promise<unknown> => {
			const init = { method, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
			return await (await fetch(`${discord.apiUrl}/v10/channels/${channelId}${path}`, init)).json();
		};
		const hidden = { id, content: "" };
		const poll = { question: { text: "Where to?" }, answers: [{ poll_media: { text: "Harbor" } }] };
		const reply = { referenced_message: hidden };
		const written = await request("POST", "/messages", { poll, message_reference: { message_id: id } });
		expect(written).toMatchObject(reply);
		expect(await request("POST", `/polls/${(written as { id: string }).id}/expire`, {})).toMatchObject(reply);
		const { botRoleId: roleId } = await discord.admin.state();
		await discord.admin.setRole({ roleId, permissions: String(PermissionFlagsBits.Administrator) });
		expect(await request("PATCH", `/messages/${id}`, { flags: 4 })).toMatchObject(hidden);
		expect(discord.violations).toStrictEqual([]);
	});
});

describe("the bot", () => {
	test("receives nothing from channels that it does not see, or from a server in which it is no member", async () => {
		const { ada, admin, denyBot, channelId, event, events } = await withBot(GuildMessages);
		await denyBot(channelId("gallery"), PermissionFlagsBits.ViewChannel);
		await ada.say("unseen", { channel: "gallery" });
		await admin.setBotMembership({ isMember: false });
		await ada.say("unseen", { channel: "general" });
		await admin.setBotMembership({ isMember: true });
		await event("MESSAGE_CREATE", (await ada.say("seen")).id);
		expect(events("MESSAGE_CREATE")).toHaveLength(1);
	});

	test.each([
		[{}, 1],
		[{ allowed_mentions: { parse: [] } }, 0],
		[{ allowed_mentions: { replied_user: true } }, 1],
	])("can reply to a member and edit the reply, with %o pinged %i times", async (allowed, count) => {
		const { ada, send, rest } = await withBot();
		const { id } = await ada.say("a boat");
		const mentions = Array.from({ length: count }, () => ({ username: "ada" }));
		const sent = await send({ content: "nice", message_reference: { message_id: id }, ...allowed });
		expect(sent).toMatchObject({ referenced_message: { id }, mentions });
		const path = `/channels/${sent.channel_id}/messages/${sent.id}`;
		expect(await rest("PATCH", path, { content: "x", ...allowed })).toMatchObject({ body: { mentions } });
	});

	test("cannot edit the message of a member; to delete it, or suppress its embeds, it needs the permission", async () => {
		const { ada, rest, setBotPermissions } = await withBot();
		const { id, channel_id: channelId } = await ada.say("a boat");
		const path = `/channels/${channelId}/messages/${id}`;
		const edit = (body: object, options = {}) => rest("PATCH", path, body, options);
		const forbidden = refusal(403, 50005);
		for (const body of [{ content: "x" }, { flags: 4 }]) expect(await edit(body)).toMatchObject(forbidden);
		expect(await rest("DELETE", path)).toMatchObject(refusal(403, 50013));
		await setBotPermissions(PermissionFlagsBits.ManageMessages);
		expect(await edit({ content: "x", flags: 4 })).toMatchObject(forbidden);
		const files = [{ name: "a.txt", bytes: Buffer.from("a") }];
		expect(await edit({ flags: 4 }, { files })).toMatchObject(forbidden);
		expect(await edit({ flags: 4 })).toMatchObject({ body: { flags: 4, edited_timestamp: null } });
	});
});

describe("the page rejects a message", () => {
	test("without text and files, too long, in an unknown channel, or in reply to an unknown message", async () => {
		const { ada } = await withBot();
		await expect(ada.say("  ")).rejects.toThrow("Cannot send an empty message");
		await expect(ada.say("x".repeat(2_001))).rejects.toThrow("content: Must be 2000 or fewer in length.");
		await expect(ada.say("x", { channel: "100000000000000000" })).rejects.toThrow("Unknown channel");
		await expect(ada.say("x", { replyTo: { id: "1" } })).rejects.toThrow("This message was deleted");
		expect(await ada.messages()).toStrictEqual([]);
	});

	test("that is edited or deleted by others, except for members who manage messages", async () => {
		const { ada, grace, userNamed } = await withBot();
		const message = await ada.say("a boat");
		await expect(grace.edit(message, "x")).rejects.toThrow("authored by another user");
		await expect(grace.delete(message)).rejects.toThrow("your own messages only");
		await (await userNamed("lena")).delete(message);
		expect(await ada.messages()).toStrictEqual([]);
	});
});
