/** Several guilds are separate, for users and for the bot. */
import { PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openAdminClient } from "../src/admin/admin-client.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import {
	type TestPlayground,
	IMAGE_COMMAND,
	openPlayground,
	openWire,
	refusal,
	temporaryFolder,
} from "../testing/setup.ts";

const GUILDS = 1;

async function openTwo(options: Parameters<typeof openPlayground>[0] = {}) {
	const playground = await openPlayground(options);
	const you = await playground.user();
	const { guilds } = await you.state();
	const { userId, roleId } = await playground.ids();
	const [here, there] = guilds;
	if (!here || !there) throw new Error("there are not two servers");
	return { playground, you, here, there, userId, roleId };
}

const shardOf = (id: string, count: number): number => Number((BigInt(id) >> 22n) % BigInt(count));

const at = (playground: TestPlayground, user: string, guild: string) => playground.userAt({ user, guild });

const idsOf = ({ body }: { readonly body: unknown }): readonly string[] =>
	(body as { user: { id: string } }[]).map(({ user }) => user.id);

describe("two guilds", () => {
	test("have their own owners, languages, members, channels and boosts", async () => {
		const { playground, here, there, userId } = await openTwo();
		const first = await playground.rest("GET", `/guilds/${here.id}`);
		const second = await playground.rest("GET", `/guilds/${there.id}?with_counts=true`);
		expect(first.body).toMatchObject({ name: "Atelier Playground", owner_id: userId("robin"), premium_tier: 0 });
		expect(second.body).toMatchObject({
			name: "Werkstatt Nord",
			owner_id: userId("lena"),
			preferred_locale: "de",
			premium_tier: 2,
			approximate_member_count: 5,
		});
		expect(await (await at(playground, userId("lena"), there.id)).state()).toMatchObject({
			guild: { id: there.id },
			me: { isAdmin: true },
			channels: [{ name: "werkbank" }, { name: "nachtschicht", isAgeRestricted: true }, { name: "aushang" }],
			guilds: [{ id: here.id }, { id: there.id }],
		});
		expect(await (await at(playground, userId("lena"), here.id)).state()).toMatchObject({ me: { isAdmin: false } });
	});

	test("are visible to their members only", async () => {
		const { playground, here, there, userId } = await openTwo();
		const emil = await (await at(playground, userId("emil"), here.id)).state();
		expect([emil.guild.id, emil.guilds.map(({ id }) => id)]).toStrictEqual([there.id, [there.id]]);
		await playground.rest("POST", `/channels/${there.channelIds[0]}/messages`, { content: "unter uns" });
		await playground.rest("POST", `/channels/${here.channelIds[0]}/messages`, { content: "among us" });
		const seen = async (name: string): Promise<string[]> =>
			(await (await playground.user(userId(name))).messages()).map(({ content }) => content);
		expect([await seen("emil"), await seen("ada"), await seen("robin")]).toStrictEqual([
			["unter uns"],
			["among us"],
			["unter uns", "among us"],
		]);
	});

	test("do not share members, channels or roles", async () => {
		const { playground, you, here, there, userId } = await openTwo();
		const bot = await playground.bot();
		const options = [
			{ type: 6, name: "who", description: "Somebody" },
			{ type: 7, name: "where", description: "Somewhere" },
			{ type: 8, name: "role", description: "A role" },
		];
		await playground.register({ name: "about", description: "About", options });
		const { roles } = await (await at(playground, userId("robin"), there.id)).state();
		const role = roles.find(({ name }) => name === "Meister")?.id ?? "none";
		// As on Discord, an option takes the id of any user.
		const who = userId("emil");
		const { interactionId } = await you.type("/about", { who });
		const { payload } = await bot.interaction(interactionId);
		expect(payload["data"]).toMatchObject({ resolved: { users: { [who]: { username: "emil" } } } });
		expect(payload["data"]).not.toHaveProperty("resolved.members");
		await expect(you.type("/about", { who: "123" })).rejects.toThrow("must be a user");
		await expect(you.type("/about", { where: there.channelIds[0] ?? "" })).rejects.toThrow("a channel of this server");
		await expect(you.type("/about", { role })).rejects.toThrow("a role of this server");
		expect(await playground.rest("GET", `/guilds/${there.id}/roles/${role}`)).toMatchObject({
			body: { name: "Meister" },
		});
		expect(await playground.rest("GET", `/guilds/${here.id}/roles/${role}`)).toMatchObject(refusal(404, 10011));
		await expect(
			(await playground.user(userId("ada"))).type("/about", {}, { channel: there.channelIds[0] ?? "" }),
		).rejects.toThrow("Unknown channel");
		expect(await playground.rest("GET", `/guilds/${here.id}/members/${userId("emil")}`)).toMatchObject(
			refusal(404, 10007),
		);
		expect(await playground.rest("GET", `/guilds/1/members/${userId("emil")}`)).toMatchObject({
			body: { code: 10_004 },
		});
	});

	test("find their own members by the beginning of a name, and return one by default", async () => {
		const { playground, here, there, userId } = await openTwo();
		const search = async (guild: string, query: string) =>
			await playground.rest("GET", `/guilds/${guild}/members/search?${query}`);
		expect(idsOf(await search(here.id, "query=GR&limit=5"))).toStrictEqual([userId("grace")]);
		expect(idsOf(await search(there.id, "query=gr&limit=5"))).toStrictEqual([]);
		// The bot's name begins with an A, too.
		expect(idsOf(await search(here.id, "query=a&limit=1000"))).toStrictEqual([playground.applicationId, userId("ada")]);
		expect(idsOf(await search(here.id, "query=a"))).toHaveLength(1);
		await playground.rest("PATCH", `/guilds/${here.id}/members/@me`, { nick: "Zed" });
		expect(idsOf(await search(here.id, "query=ze"))).toStrictEqual([playground.applicationId]);
	});

	test("have their own commands, and their own permissions for global commands", async () => {
		const { playground, you, here, there, userId } = await openTwo();
		await playground.bot();
		await playground.register(IMAGE_COMMAND);
		const own = { name: "werkzeug", description: "Only there" };
		await playground.rest("PUT", `/applications/${playground.applicationId}/guilds/${there.id}/commands`, [own]);
		const robin = await at(playground, userId("robin"), there.id);
		const names = async (user: typeof you): Promise<string[]> => (await user.state()).commands.map(({ name }) => name);
		expect([await names(you), await names(robin)]).toStrictEqual([["image"], ["werkzeug", "image"]]);
		await expect(you.type("/werkzeug")).rejects.toThrow("Unknown command /werkzeug");
		const lena = await at(playground, userId("lena"), there.id);
		await lena.permit("image", [{ id: userId("robin"), type: 2, permission: false }]);
		expect([await names(you), await names(robin)]).toStrictEqual([["image"], ["werkzeug"]]);
		await expect(robin.permit("image", [])).rejects.toThrow("Only an admin");
		expect((await playground.rest("GET", `/applications/1/guilds/${here.id}/commands`)).status).toBe(404);
	});

	test("have their own settings", async () => {
		const { playground, here, there, userId } = await openTwo();
		const adminThere = openAdminClient(playground.origin, there.id);
		const files = [{ name: "a.bin", bytes: Buffer.alloc(11 * 1024 * 1024) }];
		const post = (server: typeof here) =>
			playground.rest("POST", `/channels/${server.channelIds[0]}/messages`, {}, { files });
		expect([(await post(here)).status, (await post(there)).status]).toStrictEqual([400, 200]);
		await adminThere.setGuild({ boostLevel: 0, locale: "ko" });
		expect((await post(there)).status).toBe(400);
		expect((await playground.admin.state()).guildSettings).toStrictEqual({
			locale: "en-US",
			boostLevel: 0,
		});
		await adminThere.setMember({ userId: userId("robin"), permissions: PermissionFlagsBits.ManageGuild.toString() });
		await (await at(playground, userId("robin"), there.id)).setBot(false);
		await expect(adminThere.setMember({ userId: userId("ada"), permissions: "0" })).rejects.toThrow("Unknown user");
		expect((await adminThere.reset()).guildSettings).toStrictEqual({ locale: "de", boostLevel: 2 });
	});

	test("keep the bot if a member who may not manage the server removes it", async () => {
		const { playground, there, userId } = await openTwo();
		await expect((await at(playground, userId("robin"), there.id)).setBot(false)).rejects.toThrow(
			"may manage the server",
		);
	});
});

describe("shards", () => {
	test("each receive their own guilds and no events of others", async () => {
		const { playground, you, here, there, userId } = await openTwo();
		await playground.register(IMAGE_COMMAND);
		const shards = [
			await playground.bot({ shard: [0, 2], intents: GUILDS | (1 << 9) }),
			await playground.bot({ shard: [1, 2], intents: GUILDS | (1 << 9) }),
		] as const;
		const ofHere = shards[shardOf(here.id, 2) as 0 | 1];
		const ofThere = shards[shardOf(there.id, 2) as 0 | 1];
		expect(ofHere).not.toBe(ofThere);
		expect((await ofThere.gateway.until(({ t }) => t === "GUILD_CREATE")).d).toMatchObject({
			id: there.id,
			channels: [{ name: "werkbank" }, { name: "nachtschicht" }, { name: "aushang" }],
			member_count: 5,
		});
		await ofHere.gateway.until(({ t }) => t === "GUILD_CREATE");
		const first = await you.type("/image", { prompt: "x" });
		const second = await (await at(playground, userId("emil"), there.id)).type("/image", { prompt: "y" });
		await ofHere.interaction(first.interactionId);
		await ofThere.interaction(second.interactionId);
		await playground.rest("POST", `/channels/${there.channelIds[0]}/messages`, { content: "unter uns" });
		await ofThere.gateway.until(({ t }) => t === "MESSAGE_CREATE");
		await openAdminClient(playground.origin, there.id).setGuild({ locale: "fr" });
		await ofThere.gateway.until(({ t }) => t === "GUILD_UPDATE");
		expect(ofHere.gateway.received.map(({ t }) => t)).toStrictEqual([
			null,
			"READY",
			"GUILD_CREATE",
			"INTERACTION_CREATE",
		]);
	});
});

describe("a guild that the bot left", () => {
	test("is deleted for the bot, and created again when it rejoins", async () => {
		const { playground, you, here, there, userId } = await openTwo();
		const bot = await playground.bot({ intents: GUILDS });
		const quiet = await playground.bot();
		await playground.register(IMAGE_COMMAND);
		const own = `/applications/${playground.applicationId}/guilds/${there.id}/commands`;
		await playground.rest("PUT", own, [{ name: "werkzeug", description: "Only there" }]);
		const lena = await at(playground, userId("lena"), there.id);
		const before = await bot.interaction((await lena.type("/image", { prompt: "x" })).interactionId);
		await before.callback({ type: 5 });
		await lena.setBot(false);
		expect((await bot.gateway.until(({ t }) => t === "GUILD_DELETE")).d).toStrictEqual({ id: there.id });
		expect((await playground.bot()).ready["guilds"]).toStrictEqual([{ id: here.id, unavailable: true }]);
		expect((await lena.state()).commands).toStrictEqual([]);
		expect((await lena.state()).guilds).toMatchObject([{ hasBot: true }, { hasBot: false }]);
		await expect(lena.type("/image", { prompt: "x" })).rejects.toThrow("The bot is not in this server.");
		for (const [path, code] of [
			[`/guilds/${there.id}`, 10_004],
			[`/guilds/${there.id}/members/${userId("lena")}`, 10_004],
			[`/channels/${there.channelIds[0]}`, 50_001],
			[own, 50_001],
		] as const)
			expect((await playground.rest("GET", path)).body).toMatchObject({ code });
		expect((await before.webhook("PATCH", { content: "here it is" })).status).toBe(200);
		// Other guilds are not affected.
		await bot.interaction((await you.type("/image", { prompt: "x" })).interactionId);

		await lena.setBot(true);
		// READY and the first two GUILD_CREATE have the sequence numbers 1 to 3.
		const back = await bot.gateway.until(({ t, s }) => t === "GUILD_CREATE" && (s ?? 0) > 3);
		expect(back.d).toMatchObject({ id: there.id, name: "Werkstatt Nord" });
		// The guild's own commands disappeared with the bot.
		expect((await lena.state()).commands.map(({ name }) => name)).toStrictEqual(["image"]);
		expect(quiet.gateway.received.map(({ t }) => t).filter((t) => t?.startsWith("GUILD"))).toStrictEqual([]);
	});

	test("forgets the bot's nickname, roles and threads", async () => {
		const { playground, you, here } = await openTwo();
		const { rest, admin } = playground;
		const { roleId } = await playground.ids();
		await admin.setBotPermissions({ permissions: String(PermissionFlagsBits.ManageRoles) });
		const members = `/guilds/${here.id}/members`;
		await rest("PATCH", `${members}/@me`, { nick: "Painter" });
		await rest("PUT", `${members}/${playground.applicationId}/roles/${roleId("Artists")}`);
		await rest("POST", `${await playground.channel()}/threads`, { name: "Boats", type: 11 });
		await you.setBot(false);
		await you.setBot(true);
		const { gateway } = await playground.bot({ intents: GUILDS });
		const { d } = await gateway.until(({ t, d: guild }) => t === "GUILD_CREATE" && guild["id"] === here.id);
		const [member] = d["members"] as { roles: string[]; joined_at: string }[];
		expect(member).toMatchObject({ nick: null, roles: [expect.any(String)], joined_at: d["joined_at"] });
		const [thread] = d["threads"] as object[];
		expect(thread).toMatchObject({ name: "Boats", member_count: 0 });
		expect(thread).not.toHaveProperty("member");
	});

	test("stays without the bot after a restart", async () => {
		const clock = createManualClock();
		const dataDir = await temporaryFolder();
		const { playground, there, userId } = await openTwo({ clock, dataDir });
		await (await at(playground, userId("lena"), there.id)).setBot(false);
		await playground.close();
		const again = await openPlayground({ clock, dataDir });
		expect(((await again.bot()).ready["guilds"] as unknown[]).length).toBe(1);
	});

	test("has a later join time of the bot, also after a restart", async () => {
		const clock = createManualClock();
		const dataDir = await temporaryFolder();
		const { playground, you, here } = await openTwo({ clock, dataDir });
		const joinedAt = async ({ rest, applicationId }: TestPlayground) => {
			const { body } = await rest("GET", `/guilds/${here.id}/members/${applicationId}`);
			return (body as { joined_at: string }).joined_at;
		};
		const first = await joinedAt(playground);
		await you.setBot(false);
		await you.setBot(true);
		const second = await joinedAt(playground);
		expect(Date.parse(second)).toBeGreaterThan(Date.parse(first));
		await playground.admin.setBotMembership({ isMember: false });
		await playground.admin.setBotMembership({ isMember: true });
		const third = await joinedAt(playground);
		expect(Date.parse(third)).toBeGreaterThan(Date.parse(second));
		await playground.close();
		expect(await joinedAt(await openPlayground({ clock, dataDir }))).toBe(third);
	});
});

describe("many guilds", () => {
	test("are created by one request, ten thousand at once, and distributed evenly over the shards", async () => {
		const { playground } = await openTwo();
		await playground.register(IMAGE_COMMAND);
		const { admin } = playground;
		expect((await admin.setGuildCount({ count: 10_000 })).guildCount).toBe(10_000);
		expect((await playground.rest("GET", "/gateway/bot")).body).toMatchObject({ shards: 10 });
		const shards = await Promise.all([0, 1, 2, 3].map((id) => playground.bot({ shard: [id, 4] })));
		const lists = shards.map(({ ready }) => (ready["guilds"] as { id: string }[]).map(({ id }) => id));
		expect(new Set(lists.flat()).size).toBe(10_000);
		for (const list of lists) expect(Math.abs(list.length - 2_500)).toBeLessThanOrEqual(2);

		const { guilds } = await admin.guilds({ from: 9_998, limit: 10 });
		expect(guilds).toHaveLength(2);
		const [server] = guilds;
		const [owner, you] = server?.memberIds ?? [];
		for (const userId of [owner, you]) {
			const user = await playground.user(userId);
			const reply = await user.type("/image", { prompt: "x" }, { channel: server?.channelIds[0] ?? "" });
			const shard = shards[shardOf(server?.id ?? "0", 4)];
			expect((await shard?.interaction(reply.interactionId))?.payload).toMatchObject({ guild_id: server?.id });
		}
		const state = await (await playground.user(you)).state();
		expect(state.guilds.length + state.hiddenGuildCount).toBe(10_000);
		expect(state.guilds.length).toBeLessThan(20);
		expect((await playground.rest("GET", `/guilds/${server?.id}/channels`)).body).toHaveLength(2);
		expect((await admin.setGuildCount({ count: 2 })).guildCount).toBe(2);
		expect(await playground.rest("GET", `/guilds/${server?.id}`)).toMatchObject({ body: { code: 10_004 } });
	});

	test("are too many for one shard above 2,500: 4011", async () => {
		const { playground } = await openTwo();
		await playground.admin.setGuildCount({ count: 2_501 });
		const gateway = await openWire(`${playground.origin.replace("http", "ws")}/playground/gateway?v=10&encoding=json`);
		gateway.send({ op: 2, d: { token: playground.botToken, properties: {}, intents: 0 } });
		expect(await gateway.closed).toBe(4011);
	});
});
