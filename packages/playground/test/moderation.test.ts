/** Moderation by the bot: kicks, bans, timeouts, nicknames, roles, and bulk deletes. */
import { type APIRole, GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import {
	MINUTE_MS,
	openPlayground,
	refusal,
	IMAGE_COMMAND,
	invalidFormBody,
	temporaryFolder,
} from "../testing/setup.ts";

const { KickMembers, BanMembers, ModerateMembers, ManageMessages, ManageNicknames, ManageRoles } = PermissionFlagsBits;
const INTENTS = GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildModeration | GatewayIntentBits.GuildMessages;
const DAY_MS = 24 * 60 * MINUTE_MS;

async function withBot(permissions: bigint, { dataDir }: { dataDir?: string } = {}) {
	const playground = await openPlayground(dataDir === undefined ? {} : { dataDir });
	const bot = await playground.bot({ intents: INTENTS });
	const { admin } = playground;
	await admin.setBotPermissions({ permissions: String(permissions) });
	const owner = await playground.user();
	const { guild } = await owner.state();
	const { userId, roleId } = await playground.ids();
	const event = async (name: string, id: string) => {
		const isAbout = (d: { readonly [key: string]: unknown }): boolean => (d["user"] as { id: string }).id === id;
		return (await bot.gateway.until(({ t, d }) => t === name && isAbout(d))).d;
	};
	const path = `/guilds/${guild.id}`;
	return { playground, bot, admin, owner, userId, roleId, event, guild, path, rest: playground.rest };
}

describe("a kick", () => {
	test("removes the member, who reads nothing until they join again, without roles", async () => {
		const { rest, path, userId, event, playground, admin, guild } = await withBot(KickMembers);
		const grace = await playground.userNamed("grace");
		const id = userId("grace");
		expect(await rest("DELETE", `${path}/members/${id}`)).toMatchObject({ status: 204 });
		expect(await event("GUILD_MEMBER_REMOVE", id)).toStrictEqual({
			guild_id: guild.id,
			user: expect.objectContaining({ username: "grace" }),
		});
		await expect(grace.say("hello")).rejects.toThrow("Unknown channel");
		await expect(grace.state()).rejects.toThrow("in no server");
		expect(await rest("GET", `${path}/members/${id}`)).toMatchObject(refusal(404, 10007));
		expect(await rest("DELETE", `${path}/members/${id}`)).toMatchObject(refusal(404, 10007));
		await playground.clock.advance(MINUTE_MS);
		await admin.addMember({ userId: id });
		expect(await event("GUILD_MEMBER_ADD", id)).toMatchObject({ guild_id: guild.id, roles: [], nick: null });
		await grace.say("hello again");
		await expect(admin.addMember({ userId: id })).rejects.toThrow("a member already");
		await admin.reset();
		expect(await rest("GET", `${path}/members/${id}`)).toMatchObject({ status: 200, body: { roles: [] } });
	});

	test("removes the member from threads", async () => {
		const { rest, path, userId, playground } = await withBot(KickMembers);
		const { gateway } = await playground.bot({ intents: INTENTS | GatewayIntentBits.Guilds });
		const id = userId("grace");
		const thread = await (await playground.userNamed("grace")).startThread("Boats");
		await rest("DELETE", `${path}/members/${id}`);
		const removal = await gateway.until(({ t, d }) => t === "THREAD_MEMBERS_UPDATE" && "removed_member_ids" in d);
		expect(removal.d).toMatchObject({ id: thread, member_count: 0, removed_member_ids: [id] });
		expect(await rest("GET", `/channels/${thread}/thread-members`)).toMatchObject({ body: [] });
	});

	test("remains after a restart", async () => {
		const dataDir = await temporaryFolder();
		const { rest, path, userId, playground } = await withBot(KickMembers, { dataDir });
		await rest("DELETE", `${path}/members/${userId("grace")}`);
		await playground.close();
		const again = await openPlayground({ dataDir });
		expect(await again.rest("GET", `${path}/members/${userId("grace")}`)).toMatchObject(refusal(404, 10007));
		expect(await again.rest("GET", `${path}/members/${userId("ada")}`)).toMatchObject({ status: 200 });
	});
});

describe("the bot may not", () => {
	test("act without the permission", async () => {
		const { rest, path, userId, roleId, playground } = await withBot(0n);
		const member = `${path}/members/${userId("grace")}`;
		const requests: readonly (readonly [string, string, object?])[] = [
			["DELETE", member],
			["PUT", `${path}/bans/${userId("grace")}`, {}],
			["GET", `${path}/bans`],
			["GET", `${path}/bans/${userId("grace")}`],
			["DELETE", `${path}/bans/${userId("grace")}`],
			["PATCH", member, { nick: "G" }],
			["PATCH", member, { roles: [] }],
			["PATCH", member, { communication_disabled_until: new Date(0).toISOString() }],
			["PUT", `${member}/roles/${roleId("Patrons")}`],
			["DELETE", `${member}/roles/${roleId("Artists")}`],
			["POST", `${await playground.channel()}/messages/bulk-delete`, { messages: ["1", "2"] }],
		];
		for (const [method, route, body] of requests)
			expect(await rest(method, route, body), `${method} ${route}`).toMatchObject(refusal(403, 50013));
	});

	test("act on the owner, on itself, or on roles that are not below its own", async () => {
		const { rest, path, userId, roleId, playground } = await withBot(PermissionFlagsBits.Administrator);
		const roles = (await rest("GET", `${path}/roles`)).body as APIRole[];
		const order = roles.toSorted((one, other) => one.position - other.position).map(({ name }) => name);
		expect(order).toStrictEqual(["@everyone", "Artists", "Patrons", "Moderators", "Atelier", "Admin"]);
		for (const id of [userId("robin"), playground.applicationId])
			expect(await rest("DELETE", `${path}/members/${id}`)).toMatchObject(refusal(403, 50013));
		const adminRole = roleId("Admin");
		expect(await rest("PUT", `${path}/members/${userId("ada")}/roles/${adminRole}`)).toMatchObject(refusal(403, 50013));
		expect(await rest("PUT", `${path}/members/${userId("ada")}/roles/1`)).toMatchObject(refusal(404, 10011));
		await playground.admin.setMember({ userId: userId("ada"), roleIds: [adminRole] });
		expect(await rest("DELETE", `${path}/members/${userId("ada")}`)).toMatchObject(refusal(403, 50013));
	});
});

describe("a ban", () => {
	test("removes the member with the recent messages, is listed with its reason, and ends", async () => {
		const { rest, path, userId, event, playground, admin, bot, owner } = await withBot(BanMembers);
		const grace = await playground.userNamed("grace");
		const id = userId("grace");
		const old = await grace.say("old");
		await playground.clock.advance(60 * MINUTE_MS);
		const recent = [await grace.say("one"), await grace.say("two")];
		const ban = await rest(
			"PUT",
			`${path}/bans/${id}`,
			{ delete_message_seconds: 600 },
			{ headers: { "x-audit-log-reason": encodeURIComponent("spam, zweimal täglich") } },
		);
		expect(ban).toMatchObject({ status: 204 });
		expect(await event("GUILD_BAN_ADD", id)).toMatchObject({ user: { username: "grace" } });
		await event("GUILD_MEMBER_REMOVE", id);
		const { d } = await bot.gateway.until(({ t }) => t === "MESSAGE_DELETE_BULK");
		expect(d).toMatchObject({ ids: recent.map((message) => message.id), channel_id: old.channel_id });
		for (const message of recent) await owner.untilGone(message);
		expect((await owner.messages()).map(({ content }) => content)).toStrictEqual(["old"]);
		const listed = { user: { username: "grace" }, reason: "spam, zweimal täglich" };
		expect(await rest("GET", `${path}/bans`)).toMatchObject({ body: [listed] });
		expect(await rest("GET", `${path}/bans/${id}`)).toMatchObject({ body: listed });
		await expect(admin.addMember({ userId: id })).rejects.toThrow("banned");
		expect(await rest("DELETE", `${path}/bans/${id}`)).toMatchObject({ status: 204 });
		await event("GUILD_BAN_REMOVE", id);
		expect(await rest("DELETE", `${path}/bans/${id}`)).toMatchObject(refusal(404, 10026));
		await admin.addMember({ userId: id });
		await rest("PUT", `${path}/bans/${id}`, { delete_message_days: 1 });
		expect(await owner.messages()).toStrictEqual([]);
	});
});

describe("a timeout", () => {
	test("ends writing, reactions and commands until its time on the playground's clock", async () => {
		const { rest, path, userId, event, playground } = await withBot(ModerateMembers);
		await playground.register(IMAGE_COMMAND);
		const grace = await playground.userNamed("grace");
		const message = await grace.say("rude");
		const until = new Date(playground.clock.nowMs() + 10 * MINUTE_MS).toISOString();
		const answer = await rest("PATCH", `${path}/members/${userId("grace")}`, { communication_disabled_until: until });
		expect(answer).toMatchObject({
			status: 200,
			body: { communication_disabled_until: until.replace("Z", "000+00:00") },
		});
		expect(await event("GUILD_MEMBER_UPDATE", userId("grace"))).toMatchObject({
			communication_disabled_until: until.replace("Z", "000+00:00"),
		});
		await expect(grace.say("again")).rejects.toThrow("You are timed out until");
		await expect(grace.react(message, "👍")).rejects.toThrow("timed out");
		await expect(grace.type("/image", { prompt: "a boat" })).rejects.toThrow("timed out");
		expect((await grace.messages()).length).toBe(1);
		await playground.clock.advance(10 * MINUTE_MS);
		await grace.say("again");
	});

	test("can be ended early, lasts 28 days at most, and does not apply to admins", async () => {
		const { rest, path, userId, playground } = await withBot(ModerateMembers);
		const timeOut = (name: string, untilMs: number | null) =>
			rest("PATCH", `${path}/members/${userId(name)}`, {
				communication_disabled_until: untilMs === null ? null : new Date(untilMs).toISOString().replace("Z", "+00:00"),
			});
		const nowMs = playground.clock.nowMs();
		expect(await timeOut("grace", nowMs + 29 * DAY_MS)).toMatchObject(invalidFormBody("communication_disabled_until"));
		expect(await timeOut("grace", nowMs + 28 * DAY_MS)).toMatchObject({ status: 200 });
		expect(await timeOut("grace", null)).toMatchObject({ body: { communication_disabled_until: null } });
		await (await playground.userNamed("grace")).say("hello");
		await playground.admin.setMember({
			userId: userId("ada"),
			permissions: PermissionFlagsBits.Administrator.toString(),
		});
		expect(await timeOut("ada", nowMs + DAY_MS)).toMatchObject(refusal(403, 50013));
	});
});

describe("roles and nicknames", () => {
	test("are set one by one or together, and changes are reported as events", async () => {
		const { rest, path, userId, roleId, event, playground } = await withBot(ManageRoles | ManageNicknames);
		const member = `${path}/members/${userId("grace")}`;
		const [artists, patrons] = [roleId("Artists"), roleId("Patrons")];
		expect(await rest("PUT", `${member}/roles/${patrons}`)).toMatchObject({ status: 204 });
		expect(await event("GUILD_MEMBER_UPDATE", userId("grace"))).toMatchObject({ roles: [artists, patrons] });
		expect(await rest("DELETE", `${member}/roles/${artists}`)).toMatchObject({ status: 204 });
		expect(await rest("GET", member)).toMatchObject({ body: { roles: [patrons] } });
		expect(await rest("PATCH", member, { nick: "Gracie", roles: [artists] })).toMatchObject({
			body: { nick: "Gracie", roles: [artists] },
		});
		const shown = (await (await playground.userNamed("grace")).state()).me;
		expect(shown).toMatchObject({ nick: "Gracie", roleIds: [artists] });
		expect(await rest("PATCH", member, { nick: "x".repeat(33) })).toMatchObject(invalidFormBody("nick"));
		expect(await rest("PATCH", member, { mute: true })).toMatchObject(refusal(400, 40032));
		const profile = { nick: "Botty", avatar: null, banner: null, bio: "I help." };
		expect(await rest("PATCH", `${path}/members/@me`, profile)).toMatchObject({ body: { nick: "Botty" } });
		expect(await event("GUILD_MEMBER_UPDATE", playground.applicationId)).toMatchObject({ nick: "Botty" });
	});

	test("belong to members, who are listed in pages in the order of their ids", async () => {
		const { rest, path } = await withBot(0n);
		const all = (await rest("GET", `${path}/members?limit=1000`)).body as { user: { id: string; bot?: boolean } }[];
		expect(all).toHaveLength(6);
		expect(all.filter(({ user }) => user.bot)).toHaveLength(1);
		const [first, second] = all;
		expect(await rest("GET", `${path}/members?after=${first?.user.id}`)).toMatchObject({
			body: [{ user: second?.user }],
		});
	});
});

describe("a bulk delete", () => {
	test("deletes 2 to 100 messages at once, ignores unknown ones, and rejects those that are older than two weeks", async () => {
		const { rest, bot, playground, owner } = await withBot(ManageMessages);
		const grace = await playground.userNamed("grace");
		const messages = [await grace.say("one"), await grace.say("two"), await grace.say("three")];
		const path = `${await playground.channel()}/messages/bulk-delete`;
		const ids = messages.slice(0, 2).map(({ id }) => id);
		expect(await rest("POST", path, { messages: [...ids, "123"] })).toMatchObject({ status: 204 });
		const { d } = await bot.gateway.until(({ t }) => t === "MESSAGE_DELETE_BULK");
		expect(d).toStrictEqual({ ids, channel_id: messages[0]?.channel_id, guild_id: expect.any(String) });
		for (const id of ids) await owner.untilGone({ id });
		expect((await owner.messages()).map(({ content }) => content)).toStrictEqual(["three"]);
		for (const count of [1, 101])
			expect(await rest("POST", path, { messages: Array.from({ length: count }, (_, at) => `${at}`) })).toMatchObject(
				invalidFormBody("messages"),
			);
		await playground.admin.advanceClock({ advanceMs: 15 * DAY_MS });
		const newer = await grace.say("four");
		const tooOld = { messages: [messages[2]?.id, newer.id] };
		expect(await rest("POST", path, tooOld)).toMatchObject(refusal(400, 50034));
		expect(await owner.messages()).toHaveLength(2);
	});
});
