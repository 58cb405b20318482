/** The admin API: settings, deletions and injected faults. */
import { type APIRole, type APITextChannel, GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { deferred, type TestPlayground, openPlayground, refusal, typed } from "../testing/setup.ts";

const { Guilds, GuildMessages } = GatewayIntentBits;
const { ViewChannel, SendMessages, Administrator } = PermissionFlagsBits;

/** A deferred command, and the two ways to edit its reply: by the token and as the bot. */
async function atWork(options: { playground?: TestPlayground } = {}) {
	const scene = await deferred(options);
	const { playground, interaction, reply } = scene;
	const [channelId, messageId] = [String(interaction.payload["channel_id"]), reply.message()?.id ?? "none"];
	const path = `/channels/${channelId}/messages`;
	return {
		...scene,
		admin: playground.admin,
		channelId,
		messageId,
		editByToken: (files: { name: string; bytes: Buffer }[] = []) =>
			interaction.webhook("PATCH", { content: "x" }, { files }),
		edit: () => playground.rest("PATCH", `${path}/${messageId}`, { content: "x" }),
		post: () => playground.rest("POST", path, { content: "x" }),
	};
}

const ofSize = (bytes: number) => [{ name: "a.png", bytes: Buffer.alloc(bytes) }];
const DONE = { status: 200 };

test("a token that was expired by the admin API is invalid; others stay valid", async () => {
	const { admin, interaction, playground, editByToken } = await atWork();
	const other = await atWork({ playground });
	await admin.expire({ interactionId: interaction.id });
	expect(await editByToken()).toMatchObject(refusal(401, 50027));
	expect(await other.editByToken()).toMatchObject(DONE);
});

describe("files", () => {
	test("are accepted up to the configured limit; interactions announce a limit that is configured separately", async () => {
		const playground = await openPlayground();
		await playground.admin.setFiles({ bytesMax: 1000, announcedBytesMax: 5000 });
		const { interaction, editByToken } = await atWork({ playground });
		expect(interaction.payload["attachment_size_limit"]).toBe(5000);
		expect(await editByToken(ofSize(1001))).toMatchObject(refusal(400, 50045));
		expect(await editByToken(ofSize(1000))).toMatchObject(DONE);
	});

	test.each([
		[1_900, [], refusal(413, 40_005)],
		[1_000, [], DONE],
		[1_000, ofSize(400), refusal(413, 40_005)],
		[1, ofSize(400), DONE],
	])("a text of %i characters counts for the limit of a request, with %j", async (chars, files, answer) => {
		const { admin, rest, channel } = await openPlayground();
		await admin.setFiles({ bytesMax: 1_000, requestBytesMax: 1_500 });
		const options = files.length > 0 ? { files } : {};
		const sent = await rest("POST", `${await channel()}/messages`, { content: "x".repeat(chars) }, options);
		expect(sent).toMatchObject(answer);
	});
});

describe("a bot", () => {
	const [SEE, WRITE] = [ViewChannel, SendMessages];

	test.each([
		["nothing", 0n, DONE, DONE],
		["Send Messages", WRITE, DONE, refusal(403, 50013)],
		["View Channels", SEE, refusal(403, 50001), refusal(403, 50001)],
	] as const)("that is denied %s lacks it; interaction tokens still edit", async (_, denied, edited, posted) => {
		const { playground, channelId, edit, post, editByToken } = await atWork();
		await playground.denyBot(channelId, denied);
		expect(await edit()).toMatchObject(edited);
		expect(await post()).toMatchObject(posted);
		expect(await editByToken()).toMatchObject(DONE);
		const { interaction } = await typed({ playground });
		expect(BigInt(String(interaction.payload["app_permissions"])) & (SEE | WRITE)).toBe((SEE | WRITE) & ~denied);
	});

	test("that is not a member of the guild can respond to its commands, but cannot post there", async () => {
		const playground = await openPlayground();
		await playground.admin.setBotMembership({ isMember: false });
		const { interaction, post, editByToken } = await atWork({ playground });
		expect(BigInt(String(interaction.payload["app_permissions"])) & SEE).toBe(0n);
		expect((await post()).status).toBe(403);
		expect(await editByToken()).toMatchObject(DONE);
	});
});

async function withGateway() {
	const playground = await openPlayground();
	const bot = await playground.bot({ intents: Guilds });
	const created = await bot.event("GUILD_CREATE", playground.guild.id);
	const botRoleId = (created["roles"] as APIRole[]).find(({ managed }) => managed)?.id;
	return { ...playground, ...bot, created, botRoleId };
}

describe("the overwrites of a channel", () => {
	test("are those of the fixture at first, and reported when they change", async () => {
		const { denyBot, event, created, botRoleId, channelId } = await withGateway();
		const notices = (created["channels"] as APITextChannel[]).find(({ name }) => name === "notices");
		const [rule] = notices?.permission_overwrites ?? [];
		expect(rule).toMatchObject({ id: botRoleId, type: 0 });
		expect(BigInt(rule?.deny ?? 0) & SendMessages).toBe(SendMessages);
		await denyBot(channelId("gallery"), ViewChannel);
		const permission_overwrites = [{ id: botRoleId, deny: ViewChannel.toString() }];
		expect(await event("CHANNEL_UPDATE")).toMatchObject({ id: channelId("gallery"), permission_overwrites });
	});

	test("of a role precede those of @everyone", async () => {
		const { admin, setBotPermissions, denyBot, rest, guild, botRoleId, events, channelId: idOf } = await withGateway();
		const channelId = idOf("general");
		const post = () => rest("POST", `/channels/${channelId}/messages`, { content: "x" });
		const everyone = (permission: bigint) => ({ id: guild.id, type: 0 as const, deny: String(permission) });
		const set = (...overwrites: Parameters<typeof admin.setOverwrites>[0]["overwrites"]) =>
			admin.setOverwrites({ channelId, overwrites });
		await set(everyone(SendMessages));
		expect(await post()).toMatchObject(refusal(403, 50013));
		await set(everyone(ViewChannel));
		expect(await post()).toMatchObject(refusal(403, 50001));
		await set(everyone(ViewChannel), { id: botRoleId ?? "", type: 0, allow: String(ViewChannel) });
		expect(await post()).toMatchObject(DONE);
		await denyBot(channelId, ViewChannel);
		// Administrators are above all overwrites.
		await setBotPermissions(Administrator);
		expect(await post()).toMatchObject(DONE);
		await admin.reset();
		expect(events("CHANNEL_UPDATE").at(-1)?.["permission_overwrites"]).toStrictEqual([]);
	});

	test("are reported to the bot when a reset restores them, with its role and threads", async () => {
		const { admin, setBotPermissions, denyBot, rest, gateway, event, channelId } = await withGateway();
		await rest("POST", `/channels/${channelId("general")}/threads`, { name: "Boats", type: 11 });
		for (const permissions of [Administrator, 0n]) await setBotPermissions(permissions);
		await denyBot(channelId("general"), ViewChannel);
		const before = gateway.received.length;
		await admin.reset();
		await event("THREAD_LIST_SYNC");
		await expect
			.poll(() => gateway.received.slice(before).map(({ t }) => t))
			.toStrictEqual(["CHANNEL_UPDATE", "THREAD_LIST_SYNC", "GUILD_UPDATE", "GUILD_ROLE_UPDATE"]);
	});
});

test("a deleted channel is gone for the bot and for the user, with its messages and threads", async () => {
	const { admin, user, playground, channelId, messageId, edit, editByToken } = await atWork();
	const { rest, bot, guild } = playground;
	const { event, events } = await bot({ intents: Guilds | GuildMessages });
	await rest("POST", `/channels/${channelId}/messages/${messageId}/threads`, { name: "Boats" });
	await admin.deleteChannel({ channelId });
	expect(await event("CHANNEL_DELETE")).toMatchObject({ id: channelId, type: 0 });
	expect(events("MESSAGE_DELETE")).toStrictEqual([]);
	const channels = [{ name: "gallery" }, { name: "after-dark" }, { name: "notices" }];
	expect(await rest("GET", `/guilds/${guild.id}/channels`)).toMatchObject({ body: channels });
	expect(await (await bot({ intents: Guilds })).event("GUILD_CREATE", guild.id)).toMatchObject({
		channels,
		threads: [],
	});
	expect(await rest("GET", `/channels/${messageId}`)).toMatchObject(refusal(404, 10003));
	expect(await edit()).toMatchObject(refusal(404, 10003));
	expect(await editByToken()).toMatchObject(refusal(404, 10015));
	expect(await user.state()).toMatchObject({ channels, messages: [] });
});

test.each([
	["setGuild", undefined],
	["setGuild", "null"],
	["setGateway", undefined],
	["setGateway", "[]"],
	["deleteChannel", '{"channelId": "1"}'],
])("%s with the body %s is rejected and not recorded", async (name, body) => {
	const { origin, admin } = await openPlayground();
	const init = body === undefined ? {} : { headers: { "content-type": "application/json" }, body };
	const { status } = await fetch(`${origin}/playground/admin/${name}`, { method: "POST", ...init });
	expect([400, 404]).toContain(status);
	expect((await admin.recording()).steps).toStrictEqual([]);
});

test.each([
	["admin/reset", {}],
	["say", { channelId: "@me", content: "", files: [] }],
])("%s with a body that is nested too deeply is rejected and not recorded", async (route, fields) => {
	const { origin, admin } = await openPlayground();
	const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
	const body = JSON.stringify({ ...fields, poll: { question: "DEEP" } }).replace('"DEEP"', deep);
	const headers = { "content-type": "application/json" };
	const { status } = await fetch(`${origin}/playground/${route}`, { method: "POST", headers, body });
	expect(status).toBe(400);
	expect((await admin.recording()).steps).toStrictEqual([]);
});

test("changes without parameters need no body", async () => {
	const { origin } = await openPlayground();
	expect((await fetch(`${origin}/playground/admin/clearFaults`, { method: "POST" })).status).toBe(200);
});

test("a bot writes only to users who share a server with it and accept direct messages", async () => {
	const { admin, rest, userId } = await openPlayground();
	const open = async (username: string) => {
		const opened = await rest("POST", "/users/@me/channels", { recipient_id: userId(username) });
		const { id } = opened.body as { id: string };
		return () => rest("POST", `/channels/${id}/messages`, { content: "x" });
	};
	const [toAda, toEmil] = [await open("ada"), await open("emil")];
	await admin.setAcceptsDirectMessages({ userId: userId("ada"), isOpen: false });
	expect(await toAda()).toMatchObject(refusal(403, 50007));
	await admin.setAcceptsDirectMessages({ userId: userId("ada"), isOpen: true });
	expect(await toAda()).toMatchObject(DONE);
	await admin.setBotMembership({ isMember: false });
	expect(await toAda()).toMatchObject(refusal(403, 50278));
	expect(await toEmil()).toMatchObject(DONE);
	await admin.setBotMembership({ isMember: true });
	await admin.removeMember({ userId: userId("ada") });
	expect(await toAda()).toMatchObject(refusal(403, 50278));
});

test("actions on connections are rejected while a session has none", async () => {
	const { admin, bot } = await openPlayground();
	const { gateway } = await bot();
	await admin.gateway({ act: "close" });
	expect(await gateway.closed).toBe(4_000);
	await expect(admin.gateway({ act: "close" })).rejects.toThrow("No bot is connected.");
});

test("a message that is deleted by the admin API is gone for the bot and for the user", async () => {
	const { admin, reply, channelId, messageId, editByToken } = await atWork();
	await admin.deleteMessage({ channelId, messageId });
	expect(await editByToken()).toMatchObject(refusal(404, 10008));
	await expect.poll(() => reply.states.at(-1)?.kind).toBe("deleted");
});

describe("an injected fault", () => {
	const route = "PATCH /webhooks/:webhook/:token/messages/:message";

	test("affects the given number of requests to its route, and no other requests", async () => {
		const { admin, playground, editByToken } = await atWork();
		await admin.inject({ route, times: 2, answer: { kind: "error", status: 503, code: 0 } });
		for (const status of [503, 503, 200]) expect((await editByToken()).status).toBe(status);
		expect((await playground.rest("GET", "/users/@me")).status).toBe(200);
	});

	test("may execute the request and drop the response", async () => {
		const { admin, interaction, reply } = await atWork();
		await admin.inject({ route, times: 1, executes: true, answer: { kind: "hangUp" } });
		await expect(interaction.webhook("PATCH", { content: "done all the same" })).rejects.toThrow("fetch failed");
		expect((await reply.until()).content).toBe("done all the same");
	});

	test("may execute the request and drop the response of an error, too", async () => {
		const { admin, interaction, editByToken } = await atWork();
		await admin.expire({ interactionId: interaction.id });
		await admin.inject({ route, times: 1, executes: true, answer: { kind: "error", status: 503, code: 0 } });
		expect((await editByToken()).status).toBe(503);
		expect((await editByToken()).status).toBe(401);
	});

	test("may be a success with a body of its own: status 200 by default, or 204", async () => {
		const { admin, editByToken } = await atWork();
		for (const [status, body] of [
			[200, { text: "[]" }],
			[204, { text: "", status: 204 }],
		] as const) {
			await admin.inject({ route, times: 1, answer: { kind: "body", ...body } });
			expect((await editByToken()).status).toBe(status);
		}
	});

	test("may delay a request by the playground's clock, and then answer it", async () => {
		const { admin, editByToken, reply } = await atWork();
		await admin.inject({ route, times: 1, delayMs: 60_000 });
		const late = editByToken();
		// The log does not show a request that waits. Wait until the fault was used instead.
		await expect.poll(async () => (await admin.state()).faults).toStrictEqual([]);
		expect(reply.states.map(({ kind }) => kind)).toStrictEqual(["thinking"]);
		await admin.advanceClock({ advanceMs: 60_000 });
		expect((await late).status).toBe(200);
	});

	test("may be a rate limit in Discord's format", async () => {
		const { admin, clock, editByToken } = await atWork();
		await admin.inject({ route, times: 1, answer: { kind: "rateLimit", retryAfterS: 1.5, scope: "shared" } });
		const shared = await editByToken();
		expect(shared).toMatchObject({ status: 429, body: { retry_after: 1.5, global: false } });
		expect(Object.fromEntries(shared.headers)).toMatchObject({ "retry-after": "2", "x-ratelimit-scope": "shared" });
		await admin.inject({ route, times: 1, answer: { kind: "rateLimit", retryAfterS: 1.5 } });
		expect(Object.fromEntries((await editByToken()).headers)).toMatchObject({
			"x-ratelimit-scope": "user",
			"x-ratelimit-remaining": "0",
			"x-ratelimit-reset-after": "1.500",
			"x-ratelimit-reset": (clock.nowMs() / 1_000 + 1.5).toFixed(3),
		});
		await admin.inject({ route, times: 1, answer: { kind: "rateLimit", retryAfterS: 1.5, scope: "global" } });
		const headers = [...(await editByToken()).headers.keys()].filter((name) => name.startsWith("x-ratelimit-"));
		expect(headers).toStrictEqual(["x-ratelimit-global", "x-ratelimit-scope"]);
	});

	test("is removed by a reset, like settings of files, of members, of the bot and of the gateway", async () => {
		const { admin, denyBot, userId, roleId, channelId } = await openPlayground();
		const before = await admin.state();
		await admin.setMember({ userId: userId("ada"), locale: "fr", roleIds: [roleId("Moderators")] });
		await admin.setRole({ roleId: roleId("Patrons"), permissions: "8" });
		await admin.inject({ answer: { kind: "hangUp" } });
		await admin.setFiles({ bytesMax: 1 });
		await admin.setBotMembership({ isMember: false });
		await admin.setGateway({ answersResume: false });
		await denyBot(channelId("general"), ViewChannel);
		expect(await admin.reset()).toStrictEqual(before);
	});
});
