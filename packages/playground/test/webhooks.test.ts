/** Webhooks of channels: REST, events, and the page. */
import { type APIWebhook, GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { invalidFormBody, openPlayground, refusal } from "../testing/setup.ts";

const { GuildMessages, GuildWebhooks, MessageContent } = GatewayIntentBits;
const { ManageThreads, ManageWebhooks } = PermissionFlagsBits;

async function withWebhook(intents = 0) {
	const playground = await openPlayground();
	const { rest } = playground;
	await playground.setBotPermissions(ManageWebhooks | ManageThreads);
	const bot = await playground.bot({ intents });
	const channel = await playground.channel();
	const webhook = (await rest("POST", `${channel}/webhooks`, { name: "News" })).body as APIWebhook;
	/** Sends a request with the webhook's token only. */
	const hook = (method: string, below = "", body?: object) =>
		rest(method, `/webhooks/${webhook.id}/${webhook.token}${below}`, body, { token: null });
	const execute = async (body: object, query = "") =>
		(await hook("POST", `?wait=true${query}`, body)).body as { id: string };
	return { ...playground, bot, channel, webhook, path: `/webhooks/${webhook.id}`, hook, execute };
}

describe("the bot", () => {
	test("creates, lists, changes and deletes webhooks, and receives an event for each change", async () => {
		const { rest, webhook, path, channel, channelId, guild, bot } = await withWebhook(GuildWebhooks);
		expect(webhook.url).toContain(`/api${path}/${webhook.token}`);
		for (const list of [`${channel}/webhooks`, `/guilds/${guild.id}/webhooks`])
			expect(await rest("GET", list)).toMatchObject({ body: [{ id: webhook.id }] });
		expect(await rest("GET", path)).toMatchObject({ body: { id: webhook.id } });
		const [general, gallery] = [channelId("general"), channelId("gallery")];
		const change = { name: "Press", channel_id: gallery };
		expect(await rest("PATCH", path, change)).toMatchObject({ body: change });
		expect(await rest("GET", `${channel}/webhooks`)).toMatchObject({ body: [] });
		expect(await rest("DELETE", path)).toMatchObject({ status: 204 });
		expect(await rest("GET", path)).toMatchObject(refusal(404, 10015));
		// The creation, the move away, the move to, the deletion.
		const channels = [general, general, gallery, gallery];
		await expect
			.poll(() => bot.events("WEBHOOKS_UPDATE"))
			.toStrictEqual(channels.map((id) => ({ guild_id: guild.id, channel_id: id })));
	});

	test("needs the permission to manage webhooks", async () => {
		const { rest, channel, channelId, guild, path, admin, denyBot, setBotPermissions } = await withWebhook();
		await setBotPermissions(null);
		for (const [method, route, body] of [
			["POST", `${channel}/webhooks`, { name: "x" }],
			["GET", `${channel}/webhooks`],
			["GET", `/guilds/${guild.id}/webhooks`],
			["PATCH", path, { name: "x" }],
			["DELETE", path],
		] as const)
			expect(await rest(method, route, body)).toMatchObject(refusal(403, 50013));
		// The application may read those that it owns.
		expect(await rest("GET", path)).toMatchObject({ status: 200 });
		await setBotPermissions(ManageWebhooks);
		const overwrites = [{ id: guild.id, type: 0 as const, deny: String(ManageWebhooks) }];
		await admin.setOverwrites({ channelId: channelId("general"), overwrites });
		expect(await rest("DELETE", path)).toMatchObject(refusal(403, 50013));
		await denyBot(channelId("general"), PermissionFlagsBits.ViewChannel);
		expect(await rest("DELETE", path)).toMatchObject(refusal(403, 50001));
		await admin.setBotMembership({ isMember: false });
		expect(await rest("GET", path)).toMatchObject(refusal(404, 10004));
	});

	test.each([
		["", "BASE_TYPE_MIN_LENGTH"],
		["x".repeat(81), "BASE_TYPE_MAX_LENGTH"],
		["My Discord", "USERNAME_INVALID_CONTAINS"],
	])("cannot create one with the name %j", async (name, code) => {
		const { rest, channel } = await withWebhook();
		expect(await rest("POST", `${channel}/webhooks`, { name })).toMatchObject(invalidFormBody("name", code));
	});

	test("gets 30007 for the sixteenth webhook of a channel", async () => {
		const { rest, channel } = await withWebhook();
		for (let count = 1; count < 15; count++) await rest("POST", `${channel}/webhooks`, { name: `n${count}` });
		expect(await rest("POST", `${channel}/webhooks`, { name: "x" })).toMatchObject(refusal(400, 30007));
	});

	test("cannot move one to a full channel, to a channel where it may not manage webhooks, or to a thread", async () => {
		const { rest, channel, channelId, path, guild, admin } = await withWebhook();
		const gallery = channelId("gallery");
		const move = (channel_id: string) => rest("PATCH", path, { channel_id });
		const thread = (await rest("POST", `${channel}/threads`, { name: "Ships", type: 11 })).body as { id: string };
		expect(await move(thread.id)).toMatchObject(refusal(400, 50024));
		const overwrites = [{ id: guild.id, type: 0 as const, deny: String(ManageWebhooks) }];
		await admin.setOverwrites({ channelId: gallery, overwrites });
		expect(await move(gallery)).toMatchObject(refusal(403, 50013));
		await admin.setOverwrites({ channelId: gallery, overwrites: [] });
		for (let count = 0; count < 15; count++) await rest("POST", `/channels/${gallery}/webhooks`, { name: `n${count}` });
		expect(await move(gallery)).toMatchObject(refusal(400, 30007));
		expect(await move(channelId("general"))).toMatchObject({ status: 200 });
	});
});

describe("a webhook", () => {
	test("posts with a name of its own, which the page and the bot see, and the log without its token", async () => {
		const { execute, webhook, bot, user, admin } = await withWebhook(GuildMessages | MessageContent);
		const plain = await execute({ content: "hello", embeds: [{ title: "Today" }] });
		const { id: webhookId } = webhook;
		const shown = { author: { id: webhookId, username: "News", bot: true }, webhook_id: webhookId, content: "hello" };
		expect(plain).toMatchObject({ ...shown, application_id: expect.any(String) });
		expect(plain).toHaveProperty("author.discriminator", "0000");
		const renamed = { content: "hi", username: "Ada's bot", avatar_url: "https://example.com/a.png" };
		expect(await execute(renamed)).toMatchObject({ author: { id: webhookId, username: "Ada's bot" } });
		const received = await bot.event("MESSAGE_CREATE", plain.id);
		for (const seen of [await (await user()).untilMessage(({ id }) => id === plain.id), received])
			expect(seen).toMatchObject(shown);
		expect(received).not.toHaveProperty("member");
		expect(JSON.stringify(await admin.log())).not.toContain(webhook.token);
	});

	test("answers 204 without wait, and by default pings users only", async () => {
		const { hook, user } = await withWebhook();
		const reader = await user();
		const content = `@everyone <@${reader.me.user.id}>`;
		expect(await hook("POST", "", { content })).toMatchObject({ status: 204 });
		const pinged = { mention_everyone: false, mentions: [{ id: reader.me.user.id }] };
		expect(await reader.untilMessage((message) => message.content === content)).toMatchObject(pinged);
	});

	test("reads, edits and deletes its own messages only", async () => {
		const { hook, execute, rest, channel, send, user } = await withWebhook();
		const { id } = await execute({ content: "one" });
		const own = `/messages/${id}`;
		expect(await hook("GET", own)).toMatchObject({ status: 200, body: { content: "one" } });
		// discord.js sends the name in edits, too.
		const change = { content: "two", username: "News", avatar_url: "https://example.com/a.png" };
		const edited = { content: "two", edited_timestamp: expect.any(String), author: { username: "News" } };
		expect(await hook("PATCH", own, change)).toMatchObject({ body: edited });
		const [ofBot, ofMember] = [await send({ content: "x" }), await (await user()).say("x")];
		for (const other of [ofBot.id, ofMember.id, "@original"])
			expect(await hook("GET", `/messages/${other}`)).toMatchObject(refusal(404, 10008));
		expect(await rest("PATCH", `${channel}${own}`, { content: "x" })).toMatchObject(refusal(403, 50005));
		expect(await hook("DELETE", own)).toMatchObject({ status: 204 });
		expect(await hook("GET", own)).toMatchObject(refusal(404, 10008));
	});

	test("posts to a thread of its channel, and unarchives it", async () => {
		const { hook, execute, rest, channel } = await withWebhook();
		const { id } = (await rest("POST", `${channel}/threads`, { name: "Ships", type: 11 })).body as { id: string };
		await rest("PATCH", `/channels/${id}`, { archived: true });
		const message = await execute({ content: "inside" }, `&thread_id=${id}`);
		expect(message).toMatchObject({ channel_id: id });
		expect(await rest("GET", `/channels/${id}`)).toMatchObject({ body: { thread_metadata: { archived: false } } });
		expect(await hook("GET", `/messages/${message.id}`)).toMatchObject(refusal(404, 10008));
		expect(await hook("GET", `/messages/${message.id}?thread_id=${id}`)).toMatchObject({ status: 200 });
	});

	test.each([
		["an unknown webhook", { id: "100000000000000000" }, "", { content: "x" }, refusal(404, 10015)],
		["another token", { token: "wrong" }, "", { content: "x" }, refusal(401, 50027)],
		["an unknown thread", {}, "?thread_id=100000000000000000", { content: "x" }, refusal(404, 10003)],
		["no content", {}, "", {}, refusal(400, 50006)],
		["a forum post", {}, "", { content: "x", thread_name: "x" }, refusal(400, 220003)],
		["a forbidden name", {}, "", { content: "x", username: "Clyde" }, invalidFormBody("username")],
		["an ephemeral message", {}, "", { content: "x", flags: 64 }, invalidFormBody("flags")],
	])("with %s is an error", async (_, over, query, body, answer) => {
		const { rest, webhook } = await withWebhook();
		const { id, token } = { ...webhook, ...over };
		expect(await rest("POST", `/webhooks/${id}/${token}${query}`, body, { token: null })).toMatchObject(answer);
	});

	test("is read, renamed and deleted by its token alone, without the user who created it", async () => {
		const { rest, hook, webhook, path } = await withWebhook();
		const { body } = await hook("GET");
		expect(body).toMatchObject({ id: webhook.id, name: "News", token: webhook.token });
		expect(body).not.toHaveProperty("user");
		expect(await hook("PATCH", "", { name: "Press" })).toMatchObject({ status: 200, body: { name: "Press" } });
		for (const [method, change] of [["GET"], ["PATCH", {}], ["DELETE"]] as const)
			expect(await rest(method, `${path}/wrong`, change, { token: null })).toMatchObject(refusal(401, 50027));
		expect(await hook("DELETE")).toMatchObject({ status: 204 });
		expect(await hook("GET")).toMatchObject(refusal(404, 10015));
	});

	test("is deleted with its channel", async () => {
		const { hook, admin, channelId } = await withWebhook();
		await admin.deleteChannel({ channelId: channelId("general") });
		expect(await hook("GET")).toMatchObject(refusal(404, 10015));
	});
});
