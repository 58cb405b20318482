/** Webhooks of channels: REST, events, and the page. */
import { type APIMessage, type APIWebhook, GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { invalidFormBody, openPlayground, refusal } from "../testing/setup.ts";

async function withWebhook(intents = 0) {
	const playground = await openPlayground();
	const { rest, admin } = playground;
	await admin.setBotPermissions({
		permissions: String(PermissionFlagsBits.ManageWebhooks | PermissionFlagsBits.ManageThreads),
	});
	const bot = await playground.bot({ intents });
	const channel = await playground.channel();
	const created = await rest("POST", `${channel}/webhooks`, { name: "News" });
	const webhook = created.body as APIWebhook;
	const path = `/webhooks/${webhook.id}/${webhook.token}`;
	/** Sends a request with the webhook's token only. */
	const hook = (method: string, below = "", body?: object) => rest(method, `${path}${below}`, body, { token: null });
	const execute = async (body: object, query = "?wait=true") => (await hook("POST", query, body)).body as APIMessage;
	return { ...playground, bot, channel, webhook, path, hook, execute };
}

describe("the bot", () => {
	test("creates, lists, changes and deletes webhooks, and receives an event for each change", async () => {
		const { rest, webhook, channel, bot, user, channel: general } = await withWebhook(GatewayIntentBits.GuildWebhooks);
		const { guild, channels } = await (await user()).state();
		expect(webhook.url).toContain(`/api/webhooks/${webhook.id}/${webhook.token}`);
		for (const list of [`${channel}/webhooks`, `/guilds/${guild.id}/webhooks`])
			expect(await rest("GET", list)).toMatchObject({ body: [{ id: webhook.id }] });
		expect(await rest("GET", `/webhooks/${webhook.id}`)).toMatchObject({ body: { id: webhook.id } });
		const gallery = channels[1]?.id;
		expect(await rest("PATCH", `/webhooks/${webhook.id}`, { name: "Press", channel_id: gallery })).toMatchObject({
			body: { name: "Press", channel_id: gallery },
		});
		expect(await rest("GET", `${general}/webhooks`)).toMatchObject({ body: [] });
		expect(await rest("DELETE", `/webhooks/${webhook.id}`)).toMatchObject({ status: 204 });
		expect(await rest("GET", `/webhooks/${webhook.id}`)).toMatchObject(refusal(404, 10015));
		const updates = () => bot.gateway.received.filter(({ t }) => t === "WEBHOOKS_UPDATE").map(({ d }) => d);
		await expect.poll(() => updates().length).toBe(4);
		// The creation, the move away, the move to, the deletion.
		expect(updates().map((payload) => payload["channel_id"])).toStrictEqual([
			channels[0]?.id,
			channels[0]?.id,
			gallery,
			gallery,
		]);
		expect(updates()[0]).toStrictEqual({ guild_id: guild.id, channel_id: channels[0]?.id });
	});

	test("needs the permission to manage webhooks", async () => {
		const { rest, channel, webhook, admin } = await withWebhook();
		await admin.setBotPermissions({ permissions: null });
		for (const [method, path, body] of [
			["POST", `${channel}/webhooks`, { name: "x" }],
			["GET", `${channel}/webhooks`],
			["GET", `/guilds/${webhook.guild_id}/webhooks`],
			["GET", `/webhooks/${webhook.id}`],
			["DELETE", `/webhooks/${webhook.id}`],
		] as const)
			expect(await rest(method, path, body)).toMatchObject(refusal(403, 50013));
		await admin.setBotPermissions({ permissions: String(PermissionFlagsBits.ManageWebhooks) });
		const deny = String(PermissionFlagsBits.ManageWebhooks);
		await admin.setOverwrites({
			channelId: String(webhook.channel_id),
			overwrites: [{ id: String(webhook.guild_id), type: 0, deny }],
		});
		expect(await rest("GET", `/webhooks/${webhook.id}`)).toMatchObject(refusal(403, 50013));
		await admin.setBotMembership({ isMember: false });
		expect(await rest("GET", `/webhooks/${webhook.id}`)).toMatchObject(refusal(404, 10004));
	});

	test.each([
		[{ name: "" }, "name", "BASE_TYPE_MIN_LENGTH"],
		[{ name: "x".repeat(81) }, "name", "BASE_TYPE_MAX_LENGTH"],
		[{ name: "My Discord" }, "name", "USERNAME_INVALID_CONTAINS"],
	])("cannot create %o", async (body, field, code) => {
		const { rest, channel } = await withWebhook();
		expect(await rest("POST", `${channel}/webhooks`, body)).toMatchObject(invalidFormBody(field, code));
	});

	test("gets 30007 for the sixteenth webhook of a channel", async () => {
		const { rest, channel } = await withWebhook();
		for (let count = 1; count < 15; count++) await rest("POST", `${channel}/webhooks`, { name: `n${count}` });
		expect(await rest("POST", `${channel}/webhooks`, { name: "x" })).toMatchObject(refusal(400, 30007));
	});
});

describe("a webhook", () => {
	test("posts with a name of its own, which the page and the bot see", async () => {
		const { execute, webhook, bot, user } = await withWebhook(
			GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent,
		);
		const plain = await execute({ content: "hello", embeds: [{ title: "Today" }] });
		expect(plain).toMatchObject({
			author: { id: webhook.id, username: "News", bot: true, discriminator: "0000" },
			webhook_id: webhook.id,
			application_id: expect.any(String),
			content: "hello",
		});
		const renamed = { content: "hi", username: "Ada's bot", avatar_url: "https://example.com/a.png" };
		expect(await execute(renamed)).toMatchObject({ author: { id: webhook.id, username: "Ada's bot" } });
		const reader = await user();
		expect(await reader.untilMessage(({ id }) => id === plain.id)).toMatchObject({ author: { username: "News" } });
		const { d } = await bot.gateway.until(({ t, d: payload }) => t === "MESSAGE_CREATE" && payload["id"] === plain.id);
		expect(d).toMatchObject({ webhook_id: webhook.id, content: "hello" });
		expect(d).not.toHaveProperty("member");
	});

	test("answers 204 without wait, and by default pings users only", async () => {
		const { hook, user } = await withWebhook();
		const reader = await user();
		const content = `@everyone <@${reader.me.user.id}>`;
		expect(await hook("POST", "", { content })).toMatchObject({ status: 204 });
		expect(await reader.untilMessage((message) => message.content === content)).toMatchObject({
			mention_everyone: false,
			mentions: [{ id: reader.me.user.id }],
		});
	});

	test("reads, edits and deletes its own messages only", async () => {
		const { hook, execute, rest, channel, user } = await withWebhook();
		const { id } = await execute({ content: "one" });
		expect(await hook("GET", `/messages/${id}`)).toMatchObject({ status: 200, body: { content: "one" } });
		expect(await hook("PATCH", `/messages/${id}`, { content: "two" })).toMatchObject({
			body: { content: "two", edited_timestamp: expect.any(String), author: { username: "News" } },
		});
		const own = (await rest("POST", `${channel}/messages`, { content: "of the bot" })).body as APIMessage;
		const ofMember = await (await user()).say("of a member");
		for (const other of [own.id, ofMember.id, "@original"])
			expect(await hook("GET", `/messages/${other}`)).toMatchObject(refusal(404, 10008));
		expect(await rest("PATCH", `${channel}/messages/${id}`, { content: "x" })).toMatchObject(refusal(403, 50005));
		expect(await hook("DELETE", `/messages/${id}`)).toMatchObject({ status: 204 });
		expect(await hook("GET", `/messages/${id}`)).toMatchObject(refusal(404, 10008));
	});

	test("posts to a thread of its channel, and unarchives it", async () => {
		const { hook, execute, rest, channel } = await withWebhook();
		const { body } = await rest("POST", `${channel}/threads`, { name: "Ships", type: 11 });
		const { id } = body as { id: string };
		await rest("PATCH", `/channels/${id}`, { archived: true });
		const message = await execute({ content: "inside" }, `?wait=true&thread_id=${id}`);
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
		const { rest, hook, webhook } = await withWebhook();
		const { body } = await hook("GET");
		expect(body).toMatchObject({ id: webhook.id, name: "News", token: webhook.token });
		expect(body).not.toHaveProperty("user");
		expect(await hook("PATCH", "", { name: "Press" })).toMatchObject({ status: 200, body: { name: "Press" } });
		for (const method of ["GET", "PATCH", "DELETE"])
			expect(
				await rest(method, `/webhooks/${webhook.id}/wrong`, method === "PATCH" ? {} : undefined, { token: null }),
			).toMatchObject(refusal(401, 50027));
		expect(await hook("DELETE")).toMatchObject({ status: 204 });
		expect(await hook("GET")).toMatchObject(refusal(404, 10015));
	});

	test("is deleted with its channel", async () => {
		const { hook, admin, webhook } = await withWebhook();
		await admin.deleteChannel({ channelId: webhook.channel_id ?? "" });
		expect(await hook("GET")).toMatchObject(refusal(404, 10015));
	});

	test("appears in the log without its token", async () => {
		const { execute, admin, webhook } = await withWebhook();
		await execute({ content: "hello" });
		expect(JSON.stringify(await admin.log())).not.toContain(webhook.token);
	});
});
