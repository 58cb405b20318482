/** Moderation by the bot: kicks, bans, timeouts, nicknames, roles, and bulk deletes. */
import { type APIRole, GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { IMAGE_COMMAND, invalidFormBody, MINUTE_MS, openPlayground, refusal } from "../testing/setup.ts";

const { KickMembers, BanMembers, ModerateMembers, ManageMessages, ManageNicknames, ManageRoles, Administrator } =
	PermissionFlagsBits;
const { Guilds, GuildMembers, GuildModeration, GuildMessages } = GatewayIntentBits;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FORBIDDEN = refusal(403, 50013);

async function withBot(permissions: bigint) {
	const playground = await openPlayground();
	const bot = await playground.bot({ intents: Guilds | GuildMembers | GuildModeration | GuildMessages });
	await playground.setBotPermissions(permissions);
	const owner = await playground.user();
	const grace = await playground.userNamed("grace");
	const { guild, userId } = playground;
	/** Resolves to the payload of the first event about this user. */
	const event = async (name: string, id = userId("grace")) => {
		const isAbout = (d: { readonly [key: string]: unknown }): boolean => (d["user"] as { id: string }).id === id;
		return (await bot.gateway.until(({ t, d }) => t === name && isAbout(d))).d;
	};
	const path = `/guilds/${guild.id}`;
	return {
		...playground,
		bot,
		owner,
		grace,
		event,
		path,
		member: `${path}/members/${userId("grace")}`,
		ban: `${path}/bans/${userId("grace")}`,
	};
}

const contentsOf = async ({ owner }: Awaited<ReturnType<typeof withBot>>) =>
	(await owner.messages()).map(({ content }) => content);

describe("a kick", () => {
	test("removes the member, also from threads, who reads nothing until they join again, without roles", async () => {
		const { rest, member, userId, event, bot, grace, clock, admin, guild, origin } = await withBot(KickMembers);
		const thread = await grace.startThread("Boats");
		const openPage = await fetch(`${origin}/playground/events?user=${userId("grace")}`);
		expect(await rest("DELETE", member)).toMatchObject({ status: 204 });
		// The stream ends, so that the page reads the state again.
		await openPage.text();
		expect(await event("GUILD_MEMBER_REMOVE")).toStrictEqual({
			guild_id: guild.id,
			user: expect.objectContaining({ username: "grace" }),
		});
		await expect(grace.say("hello")).rejects.toThrow("Unknown channel");
		await expect(grace.state()).rejects.toThrow("in no server");
		const left = { id: thread, member_count: 0, removed_member_ids: [userId("grace")] };
		await expect.poll(() => bot.events("THREAD_MEMBERS_UPDATE").at(-1)).toMatchObject(left);
		expect(await rest("GET", `/channels/${thread}/thread-members`)).toMatchObject({ body: [] });
		for (const method of ["GET", "DELETE"]) expect(await rest(method, member)).toMatchObject(refusal(404, 10007));
		await clock.advance(MINUTE_MS);
		await admin.addMember({ userId: userId("grace") });
		expect(await event("GUILD_MEMBER_ADD")).toMatchObject({ guild_id: guild.id, roles: [], nick: null, flags: 1 });
		await grace.say("hello again");
		await expect(admin.addMember({ userId: userId("grace") })).rejects.toThrow("a member already");
		await admin.reset();
		expect(await rest("GET", member)).toMatchObject({ status: 200, body: { roles: [] } });
	});
});

describe("the bot may not", () => {
	test("act without the permission", async () => {
		const { rest, path, member, ban, roleId, channel } = await withBot(0n);
		for (const [method, route, body] of [
			["DELETE", member],
			["PUT", ban, {}],
			["GET", `${path}/bans`],
			["GET", ban],
			["DELETE", ban],
			["PATCH", member, { nick: "G" }],
			["PATCH", member, { roles: [] }],
			["PATCH", member, { communication_disabled_until: new Date(0).toISOString() }],
			["PUT", `${member}/roles/${roleId("Patrons")}`],
			["DELETE", `${member}/roles/${roleId("Artists")}`],
			["POST", `${await channel()}/messages/bulk-delete`, { messages: ["1", "2"] }],
		] as const)
			expect(await rest(method, route, body), `${method} ${route}`).toMatchObject(FORBIDDEN);
	});

	test("act on the owner, on itself, or on roles that are not below its own", async () => {
		const { rest, path, member, userId, roleId, applicationId, admin } = await withBot(Administrator);
		const roles = (await rest("GET", `${path}/roles`)).body as APIRole[];
		const order = roles.toSorted((one, other) => one.position - other.position).map(({ name }) => name);
		expect(order).toStrictEqual(["@everyone", "Artists", "Patrons", "Moderators", "Atelier", "Admin"]);
		for (const id of [userId("robin"), applicationId])
			expect(await rest("DELETE", `${path}/members/${id}`)).toMatchObject(FORBIDDEN);
		expect(await rest("PUT", `${member}/roles/${roleId("Admin")}`)).toMatchObject(FORBIDDEN);
		expect(await rest("PUT", `${member}/roles/1`)).toMatchObject(refusal(404, 10011));
		await admin.setMember({ userId: userId("grace"), roleIds: [roleId("Admin")] });
		expect(await rest("DELETE", member)).toMatchObject(FORBIDDEN);
	});
});

test("a ban removes the member with the recent messages, is listed with its reason, and ends by the bot or when the user joins", async () => {
	const scene = await withBot(BanMembers);
	const { rest, path, ban, userId, event, grace, clock, admin, bot, owner } = scene;
	const old = await grace.say("old");
	await clock.advance(60 * MINUTE_MS);
	const recent = [await grace.say("one"), await grace.say("two")];
	const headers = { "x-audit-log-reason": encodeURIComponent("spam, zweimal täglich") };
	expect(await rest("PUT", ban, { delete_message_seconds: 600 }, { headers })).toMatchObject({ status: 204 });
	expect(await event("GUILD_BAN_ADD")).toMatchObject({ user: { username: "grace" } });
	await event("GUILD_MEMBER_REMOVE");
	const deleted = { ids: recent.map(({ id }) => id), channel_id: old.channel_id };
	expect(await bot.event("MESSAGE_DELETE_BULK")).toMatchObject(deleted);
	for (const message of recent) await owner.untilGone(message);
	expect(await contentsOf(scene)).toStrictEqual(["old"]);
	const listed = { user: { username: "grace" }, reason: "spam, zweimal täglich" };
	expect(await rest("GET", `${path}/bans`)).toMatchObject({ body: [listed] });
	expect(await rest("GET", ban)).toMatchObject({ body: listed });
	expect(await rest("DELETE", ban)).toMatchObject({ status: 204 });
	await event("GUILD_BAN_REMOVE");
	expect(await rest("DELETE", ban)).toMatchObject(refusal(404, 10026));
	await admin.addMember({ userId: userId("grace") });
	await rest("PUT", ban, { delete_message_days: 1 });
	expect(await owner.messages()).toStrictEqual([]);
	await admin.addMember({ userId: userId("grace") });
	for (const name of ["GUILD_BAN_REMOVE", "GUILD_MEMBER_ADD"]) await expect.poll(() => bot.events(name).length).toBe(2);
	expect(await rest("GET", ban)).toMatchObject(refusal(404, 10026));
});

const withReason = (length: number) => ({ headers: { "x-audit-log-reason": "x".repeat(length) } });

test("a reason may have 512 characters", async () => {
	const { rest, member, ban } = await withBot(KickMembers | BanMembers);
	for (const [method, path] of [
		["DELETE", member],
		["PUT", ban],
	] as const)
		expect(await rest(method, path, undefined, withReason(513))).toMatchObject(invalidFormBody("reason"));
	expect(await rest("DELETE", member, undefined, withReason(512))).toMatchObject({ status: 204 });
});

describe("a timeout", () => {
	test("ends writing, reactions and commands until its time on the playground's clock", async () => {
		const { rest, member, event, clock, register, grace } = await withBot(ModerateMembers);
		await register(IMAGE_COMMAND);
		const message = await grace.say("rude");
		const until = new Date(clock.nowMs() + 10 * MINUTE_MS).toISOString();
		const shown = { communication_disabled_until: until.replace("Z", "000+00:00") };
		const answer = await rest("PATCH", member, { communication_disabled_until: until });
		expect(answer).toMatchObject({ status: 200, body: shown });
		expect(await event("GUILD_MEMBER_UPDATE")).toMatchObject(shown);
		for (const attempt of [
			() => grace.say("again"),
			() => grace.react(message, "👍"),
			() => grace.type("/image", { prompt: "a boat" }),
		])
			await expect(attempt()).rejects.toThrow("You are timed out until");
		expect(await grace.messages()).toHaveLength(1);
		expect((await grace.state()).me.timedOutUntilMs).toBe(Date.parse(until));
		await clock.advance(10 * MINUTE_MS);
		expect((await grace.state()).me).not.toHaveProperty("timedOutUntilMs");
		await grace.say("again");
	});

	test("leaves only the permissions to read, in each channel, and the page learns of its end", async () => {
		const { rest, path, userId, channelId, clock, userNamed, grace, admin, origin } = await withBot(ModerateMembers);
		const lena = await userNamed("lena");
		const message = await grace.say("a boat");
		const allow = String(ManageMessages);
		const overwrites = [{ id: userId("lena"), type: 1 as const, allow }];
		await admin.setOverwrites({ channelId: channelId("general"), overwrites });
		const until = new Date(clock.nowMs() + MINUTE_MS).toISOString();
		await rest("PATCH", `${path}/members/${userId("lena")}`, { communication_disabled_until: until });
		await expect(lena.delete(message)).rejects.toThrow("your own messages only");
		const { channels, me } = await lena.state();
		expect(channels).not.toHaveLength(0);
		expect(BigInt(me.permissions)).toBe(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory);
		const page = await fetch(`${origin}/playground/events?user=${userId("lena")}`);
		await clock.advance(MINUTE_MS);
		const events = page.body?.pipeThrough(new TextDecoderStream()).getReader();
		let text = "";
		while (!text.includes('{"type":"page"')) text += (await events?.read())?.value ?? "";
		await events?.cancel();
		expect(text.split('{"type":"page"')).toMatchObject([
			expect.stringContaining("timedOutUntilMs"),
			expect.not.stringContaining("timedOutUntilMs"),
		]);
		await lena.delete(message);
	});

	test("can be ended early, lasts 28 days at most, and does not apply to admins", async () => {
		const { rest, path, userId, roleId, clock, admin, grace } = await withBot(ModerateMembers);
		const nowMs = clock.nowMs();
		const timeOut = (name: string, days: number | null) => {
			const until = days === null ? null : new Date(nowMs + days * DAY_MS).toISOString().replace("Z", "+00:00");
			return rest("PATCH", `${path}/members/${userId(name)}`, { communication_disabled_until: until });
		};
		const tooLong = await timeOut("grace", 29);
		expect(tooLong).toMatchObject(invalidFormBody("communication_disabled_until"));
		expect(JSON.stringify(tooLong.body)).toContain("INVALID_COMMUNICATION_DISABLED_TIMESTAMP");
		expect(await timeOut("grace", 28)).toMatchObject({ status: 200 });
		expect(await timeOut("grace", null)).toMatchObject({ body: { communication_disabled_until: null } });
		await grace.say("hello");
		await admin.setRole({ roleId: roleId("Patrons"), permissions: String(Administrator) });
		expect(await timeOut("ada", 1)).toMatchObject(FORBIDDEN);
		expect(await timeOut("grace", 1)).toMatchObject({ status: 200 });
		await admin.setRole({ roleId: roleId("Artists"), permissions: String(Administrator) });
		await grace.say("as an admin");
	});
});

const rolesOf = ({ body }: { body: unknown }) => new Set((body as { roles: string[] }).roles);

describe("roles and nicknames", () => {
	test("are set one by one or together, and changes are reported as events", async () => {
		const { rest, path, member, roleId, event, grace, guild, applicationId } = await withBot(
			ManageRoles | ManageNicknames,
		);
		const [artists, patrons] = [roleId("Artists"), roleId("Patrons")];
		expect(await rest("PUT", `${member}/roles/${patrons}`)).toMatchObject({ status: 204 });
		expect(await event("GUILD_MEMBER_UPDATE")).toMatchObject({ roles: [artists, patrons] });
		expect(await rest("DELETE", `${member}/roles/${artists}`)).toMatchObject({ status: 204 });
		expect(await rest("GET", member)).toMatchObject({ body: { roles: [patrons] } });
		// discord.js sends the role of @everyone with the others.
		const both = await rest("PATCH", member, { nick: "Gracie", roles: [guild.id, artists] });
		expect(both).toMatchObject({ body: { nick: "Gracie", roles: [artists] } });
		expect((await grace.state()).me).toMatchObject({ nick: "Gracie", roleIds: [artists] });
		expect(await rest("PATCH", member, { nick: "x".repeat(33) })).toMatchObject(invalidFormBody("nick"));
		expect(await rest("PATCH", member, { mute: true })).toMatchObject(refusal(400, 40032));
		expect(await rest("PATCH", member, { flags: 4 })).toMatchObject(invalidFormBody("flags"));
		expect(await rest("PATCH", member, { nick: " " })).toMatchObject({ body: { nick: null } });
		const profile = { nick: "Botty", avatar: null, banner: null, bio: "I help." };
		expect(await rest("PATCH", `${path}/members/@me`, profile)).toMatchObject({ body: { nick: "Botty" } });
		expect(await event("GUILD_MEMBER_UPDATE", applicationId)).toMatchObject({ nick: "Botty" });
		// eris uses the older route.
		const renamed = await rest("PATCH", `${path}/members/@me/nick`, { nick: "Bot" });
		expect(renamed).toMatchObject({ status: 200, body: { nick: "Bot" } });
	});

	test("of the bot itself can change, except its own role", async () => {
		const { rest, path, roleId, applicationId } = await withBot(ManageRoles);
		const me = `${path}/members/${applicationId}`;
		const before = rolesOf(await rest("GET", me));
		const wanted = before.union(new Set([roleId("Moderators")]));
		expect(rolesOf(await rest("PATCH", me, { roles: [...wanted] }))).toStrictEqual(wanted);
		expect(rolesOf(await rest("PATCH", me, { roles: [] }))).toStrictEqual(before);
	});

	test("belong to members, who are listed in pages in the order of their ids", async () => {
		const { rest, path } = await withBot(0n);
		const all = (await rest("GET", `${path}/members?limit=1000`)).body as { user: { id: string; bot?: boolean } }[];
		expect(all).toHaveLength(6);
		expect(all.filter(({ user }) => user.bot)).toHaveLength(1);
		const [first, second] = all;
		const next = await rest("GET", `${path}/members?after=${first?.user.id}`);
		expect(next).toMatchObject({ body: [{ user: second?.user }] });
	});
});

describe("a channel", () => {
	test("is locked and unlocked by overwrites, of permissions that the bot has", async () => {
		const { rest, channel, guild, bot, grace, setBotPermissions, channelId, roleId } = await withBot(ManageRoles);
		const path = `${await channel()}/permissions`;
		const everyone = `${path}/${guild.id}`;
		const deny = String(PermissionFlagsBits.SendMessages);
		expect(await rest("PUT", everyone, { type: 0, deny })).toMatchObject({ status: 204 });
		const permission_overwrites = [{ id: guild.id, type: 0, allow: "0", deny }];
		expect(await bot.event("CHANNEL_UPDATE")).toMatchObject({ id: channelId("general"), permission_overwrites });
		await expect(grace.say("hello")).rejects.toThrow("You may not write in this channel.");
		const ban = { type: 0, allow: String(BanMembers) };
		expect(await rest("PUT", `${path}/${roleId("Artists")}`, ban)).toMatchObject(FORBIDDEN);
		expect(await rest("PUT", `${path}/1`, { type: 0, deny })).toMatchObject(refusal(404, 10011));
		expect(await rest("PUT", everyone, { type: 2 })).toMatchObject(invalidFormBody("type"));
		expect(await rest("DELETE", everyone)).toMatchObject({ status: 204 });
		expect(await rest("DELETE", everyone)).toMatchObject(refusal(404, 10009));
		await grace.say("hello");
		await setBotPermissions(0n);
		expect(await rest("PUT", everyone, { type: 0, deny })).toMatchObject(FORBIDDEN);
	});

	test("gets another slow mode, and no other change", async () => {
		const { rest, channel, bot, setBotPermissions } = await withBot(0n);
		const path = await channel();
		const slow = { rate_limit_per_user: 5 };
		expect(await rest("PATCH", path, slow)).toMatchObject(FORBIDDEN);
		await setBotPermissions(PermissionFlagsBits.ManageChannels);
		expect(await rest("PATCH", path, slow)).toMatchObject({ status: 200, body: slow });
		expect(await bot.event("CHANNEL_UPDATE")).toMatchObject(slow);
		expect(await rest("GET", path)).toMatchObject({ body: slow });
		expect(await rest("PATCH", path, { name: "general", permission_overwrites: [], ...slow })).toMatchObject({
			status: 200,
		});
		expect(await rest("PATCH", path, { topic: "x" })).toMatchObject(invalidFormBody("topic"));
	});

	test("with slow mode takes one message of a member at a time, and any of managers and of the bot", async () => {
		const { rest, channel, send, clock, grace, owner, userNamed } = await withBot(PermissionFlagsBits.ManageChannels);
		await rest("PATCH", await channel(), { rate_limit_per_user: 5 });
		const ada = await userNamed("ada");
		for (const user of [grace, owner, owner, ada]) await user.say("hello");
		await expect(grace.say("again")).rejects.toThrow("Slow mode: you can write again in 5 seconds.");
		await grace.say("elsewhere", { channel: "gallery" });
		await clock.advance(5_000);
		await grace.say("again");
		expect([(await send({ content: "a" })).content, (await send({ content: "b" })).content]).toStrictEqual(["a", "b"]);
	});
});

test("a bulk delete has 2 to 100 messages of the last two weeks, and ignores unknown ones", async () => {
	const scene = await withBot(ManageMessages);
	const { rest, bot, channel, admin, grace, owner } = scene;
	const [one, two, three] = [await grace.say("one"), await grace.say("two"), await grace.say("three")];
	const path = `${await channel()}/messages/bulk-delete`;
	const remove = (...messages: readonly string[]) => rest("POST", path, { messages });
	expect(await remove(one.id, two.id, "123")).toMatchObject({ status: 204 });
	const deleted = { ids: [one.id, two.id], channel_id: one.channel_id, guild_id: expect.any(String) };
	expect(await bot.event("MESSAGE_DELETE_BULK")).toStrictEqual(deleted);
	for (const message of [one, two]) await owner.untilGone(message);
	expect(await contentsOf(scene)).toStrictEqual(["three"]);
	for (const length of [1, 101])
		expect(await remove(...Array.from({ length }, (_, at) => `${at}`))).toMatchObject(invalidFormBody("messages"));
	await admin.advanceClock({ advanceMs: 15 * DAY_MS });
	expect(await remove(three.id, (await grace.say("four")).id)).toMatchObject(refusal(400, 50034));
	expect(await contentsOf(scene)).toStrictEqual(["three", "four"]);
});
