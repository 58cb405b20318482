/** Plain messages of members: what the bot receives, and the rules of Discord's client. */
import { GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, onTestFinished, test } from "vitest";
import { pino } from "pino";
import { DEFAULT_FIXTURE } from "../src/fixture.ts";
import { startPlayground } from "../src/start-playground.ts";
import { openPlayground, openWire, refusal } from "../testing/setup.ts";

const { GuildMessages, DirectMessages, MessageContent } = GatewayIntentBits;

async function withBot(intents: number) {
	const playground = await openPlayground();
	const bot = await playground.bot({ intents });
	const ada = await playground.userNamed("ada");
	const { admin } = playground;
	const received = (event: string, id: string) =>
		bot.gateway.until(({ t, d }) => t === event && d["id"] === id).then(({ d }) => d);
	return { playground, bot, ada, admin, received };
}

describe("a plain message of a member", () => {
	test("reaches the bot with its author, its member, its files and the mentioned members", async () => {
		const { ada, received, playground } = await withBot(GuildMessages | MessageContent);
		const grace = await playground.userNamed("grace");
		const files = [{ name: "boat.txt", bytes: Buffer.from("boat") }];
		const { id } = await ada.say(`hello <@${grace.me.user.id}>`, { channel: "gallery", files });
		const { guild } = await ada.state();
		expect(await received("MESSAGE_CREATE", id)).toMatchObject({
			type: 0,
			content: `hello <@${grace.me.user.id}>`,
			guild_id: guild.id,
			channel_type: 0,
			author: { id: ada.me.user.id, username: "ada" },
			member: { roles: ada.me.roleIds, nick: null },
			mentions: [{ id: grace.me.user.id, member: { roles: grace.me.roleIds } }],
			attachments: [{ filename: "boat.txt", size: 4 }],
		});
		expect(await received("MESSAGE_CREATE", id)).not.toHaveProperty("application_id");
	});

	test("that replies contains the other message and pings its author", async () => {
		const { ada, received, playground } = await withBot(GuildMessages | MessageContent);
		const grace = await playground.userNamed("grace");
		const question = await grace.say("where is the boat?");
		const { id } = await ada.say("in the harbor", { replyTo: question });
		expect(await received("MESSAGE_CREATE", id)).toMatchObject({
			type: 19,
			message_reference: { message_id: question.id },
			referenced_message: { id: question.id, content: "where is the boat?", author: { username: "grace" } },
			mentions: [{ username: "grace" }],
		});
		await grace.delete(question);
		expect(await ada.untilMessage((message) => message.id === id)).toMatchObject({ type: 19 });
		expect((await ada.messages()).find((message) => message.id === id)).toMatchObject({ referenced_message: null });
	});

	test("is reported to the bot again when it is edited and when it is deleted", async () => {
		const { ada, received } = await withBot(GuildMessages | MessageContent);
		const message = await ada.say("a boat");
		await ada.edit(message, "a ship");
		expect(await received("MESSAGE_UPDATE", message.id)).toMatchObject({
			content: "a ship",
			edited_timestamp: expect.any(String),
		});
		await ada.delete(message);
		expect(await received("MESSAGE_DELETE", message.id)).toStrictEqual({
			id: message.id,
			channel_id: message.channel_id,
			guild_id: expect.any(String),
		});
		await ada.untilGone(message);
	});
});

describe("the message content intent", () => {
	test("is needed for the content in a guild", async () => {
		const { ada, received } = await withBot(GuildMessages);
		const { id } = await ada.say("a secret", { files: [{ name: "a.txt", bytes: Buffer.from("a") }] });
		expect(await received("MESSAGE_CREATE", id)).toMatchObject({
			content: "",
			attachments: [],
			embeds: [],
			components: [],
		});
		const reply = await ada.say("another", { replyTo: { id } });
		expect(await received("MESSAGE_CREATE", reply.id)).toMatchObject({
			referenced_message: { content: "", attachments: [] },
		});
	});

	test("is not needed for messages that mention the bot, or that reply to it", async () => {
		const { ada, received, playground } = await withBot(GuildMessages);
		const mention = await ada.say(`<@${playground.applicationId}> help`);
		expect(await received("MESSAGE_CREATE", mention.id)).toMatchObject({
			content: `<@${playground.applicationId}> help`,
			mentions: [{ id: playground.applicationId, bot: true }],
		});
		const own = await playground.rest("POST", `/channels/${mention.channel_id}/messages`, { content: "how?" });
		const { id: ownId } = own.body as { id: string };
		expect(await received("MESSAGE_CREATE", ownId)).toMatchObject({ content: "how?" });
		const reply = await ada.say("like this", { replyTo: { id: ownId } });
		expect(await received("MESSAGE_CREATE", reply.id)).toMatchObject({ content: "like this" });
	});

	test("is not needed in direct messages, which need their own intent and open with the first message", async () => {
		const { ada, received, bot, playground } = await withBot(DirectMessages);
		const { id, channel_id: channel } = await ada.say("hello", { channel: "@me" });
		const grace = await playground.userNamed("grace");
		await expect(grace.say("hello", { channel })).rejects.toThrow("Unknown channel.");
		expect(await grace.messages()).toStrictEqual([]);
		const payload = await received("MESSAGE_CREATE", id);
		expect(payload).toMatchObject({ content: "hello", channel_type: 1, author: { username: "ada" } });
		expect(payload).not.toHaveProperty("guild_id");
		await ada.say("in the guild");
		const second = await ada.say("again", { channel: "@me" });
		await received("MESSAGE_CREATE", second.id);
		expect(bot.gateway.received.filter(({ t }) => t === "MESSAGE_CREATE")).toHaveLength(2);
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
		expect(await (await identify(MessageContent)).closed).toBe(4014);
		expect(await (await identify(GatewayIntentBits.GuildMembers)).closed).toBe(4014);
		const allowed = await identify(GatewayIntentBits.GuildPresences);
		// 1 << 13 is GATEWAY_PRESENCE_LIMITED.
		expect(await allowed.until(({ t }) => t === "READY")).toMatchObject({ d: { application: { flags: 1 << 13 } } });
		const user = await discord.openUser();
		const { channel_id: channelId } = await user.say("a secret");
		const threadId = await user.startThread("Boats");
		const { guild } = await user.state();
		const headers = { authorization: `Bot ${discord.botToken}` };
		const get = async (path: string) => (await fetch(`${discord.apiUrl}/v10${path}`, { headers })).json();
		expect(await get(`/channels/${channelId}/messages`)).toMatchObject([
			{ content: "", author: { username: "robin" } },
		]);
		expect(await get(`/guilds/${guild.id}/members`)).toMatchObject({ code: 50_001 });
		expect(await get(`/channels/${threadId}/thread-members`)).toMatchObject({ code: 50_001 });
		expect(discord.violations).toStrictEqual([]);
	});
});

describe("the bot", () => {
	test("receives nothing from channels that it does not see, or from a server in which it is no member", async () => {
		const { ada, admin, received, bot } = await withBot(GuildMessages);
		const { channels } = await ada.state();
		await admin.setBotAccess({ channelId: channels[1]?.id ?? "", access: "none" });
		await ada.say("unseen", { channel: "gallery" });
		await admin.setBotMembership({ isMember: false });
		await ada.say("unseen", { channel: "general" });
		await admin.setBotMembership({ isMember: true });
		const { id } = await ada.say("seen");
		await received("MESSAGE_CREATE", id);
		expect(bot.gateway.received.filter(({ t }) => t === "MESSAGE_CREATE")).toHaveLength(1);
	});

	test("can reply to a member, who is pinged unless the bot forbids it", async () => {
		const { ada, playground } = await withBot(0);
		const { id, channel_id: channelId } = await ada.say("a boat");
		const reply = (more: object) =>
			playground.rest("POST", `/channels/${channelId}/messages`, {
				content: "nice",
				message_reference: { message_id: id },
				...more,
			});
		expect(await reply({})).toMatchObject({ body: { mentions: [{ username: "ada" }], referenced_message: { id } } });
		expect(await reply({ allowed_mentions: { parse: [] } })).toMatchObject({ body: { mentions: [] } });
		expect(await reply({ allowed_mentions: { replied_user: true } })).toMatchObject({
			body: { mentions: [{ username: "ada" }] },
		});
	});

	test("cannot edit the message of a member; to delete it, or suppress its embeds, it needs the permission", async () => {
		const { ada, playground } = await withBot(0);
		const { id, channel_id: channelId } = await ada.say("a boat");
		const path = `/channels/${channelId}/messages/${id}`;
		expect(await playground.rest("PATCH", path, { content: "x" })).toMatchObject(refusal(403, 50005));
		expect(await playground.rest("PATCH", path, { flags: 4 })).toMatchObject(refusal(403, 50005));
		expect(await playground.rest("DELETE", path)).toMatchObject(refusal(403, 50013));
		await playground.admin.setBotPermissions({ permissions: String(PermissionFlagsBits.ManageMessages) });
		expect(await playground.rest("PATCH", path, { content: "x", flags: 4 })).toMatchObject(refusal(403, 50005));
		expect(
			await playground.rest("PATCH", path, { flags: 4 }, { files: [{ name: "a.txt", bytes: Buffer.from("a") }] }),
		).toMatchObject(refusal(403, 50005));
		expect(await playground.rest("PATCH", path, { flags: 4 })).toMatchObject({
			body: { flags: 4, edited_timestamp: null },
		});
	});
});

describe("the page rejects a message", () => {
	test("without text and files, too long, in an unknown channel, or in reply to an unknown message", async () => {
		const { ada } = await withBot(0);
		await expect(ada.say("  ")).rejects.toThrow("needs text or files");
		await expect(ada.say("x".repeat(2_001))).rejects.toThrow("at most 2000 characters");
		await expect(ada.say("x", { channel: "100000000000000000" })).rejects.toThrow("Unknown channel");
		await expect(ada.say("x", { replyTo: { id: "1" } })).rejects.toThrow("was deleted");
		expect(await ada.messages()).toStrictEqual([]);
	});

	test("that is edited or deleted by others, except for members who manage messages", async () => {
		const { ada, playground } = await withBot(0);
		const message = await ada.say("a boat");
		const grace = await playground.userNamed("grace");
		await expect(grace.edit(message, "x")).rejects.toThrow("your own messages only");
		await expect(grace.delete(message)).rejects.toThrow("your own messages only");
		const lena = await playground.userNamed("lena");
		await lena.delete(message);
		expect(await ada.messages()).toStrictEqual([]);
	});
});
