/** Several guilds are separate, for users and for the bot. */
import { GatewayIntentBits, PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openAdminClient } from "../src/admin/admin-client.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { IMAGE_COMMAND, openPlayground, refusal, temporaryFolder } from "../testing/setup.ts";

const { Guilds, GuildMessages } = GatewayIntentBits;

async function openTwo(options: Parameters<typeof openPlayground>[0] = {}) {
	const playground = await openPlayground(options);
	const you = await playground.user();
	const [here, there] = (await you.state()).guilds;
	if (!here || !there) throw new Error("there are not two servers");
	const inThere = (username: string) => playground.started.openUser({ username, guild: there.name });
	const ownCommands = `/applications/${playground.applicationId}/guilds/${there.id}/commands`;
	return {
		...playground,
		you,
		here,
		there,
		adminThere: openAdminClient(playground.origin, there.id),
		inThere,
		ownCommands,
		/** Registers a command of the second guild. */
		registerThere: () =>
			playground.rest("PUT", ownCommands, [{ name: "werkzeug", description: "Of this server alone" }]),
		post: ({ channelIds }: typeof here, body: object, more = {}) =>
			playground.rest("POST", `/channels/${channelIds[0]}/messages`, body, more),
	};
}

const shardOf = (id: string, count: number): number => Number((BigInt(id) >> 22n) % BigInt(count));

const idsOf = ({ body }: { readonly body: unknown }): readonly string[] =>
	(body as { user: { id: string } }[]).map(({ user }) => user.id);

describe("two guilds", () => {
	test("have their own owners, languages, members, channels and boosts", async () => {
		const { rest, you, here, there, userId, inThere } = await openTwo();
		expect((await rest("GET", `/guilds/${here.id}`)).body).toMatchObject({
			name: "Atelier Playground",
			owner_id: userId("robin"),
			premium_tier: 0,
		});
		expect((await rest("GET", `/guilds/${there.id}?with_counts=true`)).body).toMatchObject({
			name: "Werkstatt Nord",
			owner_id: userId("lena"),
			preferred_locale: "de",
			premium_tier: 2,
			approximate_member_count: 5,
		});
		expect((await you.state()).me.isAdmin).toBe(true);
		expect((await (await inThere("robin")).state()).me.isAdmin).toBe(false);
		expect(await (await inThere("lena")).state()).toMatchObject({
			guild: { id: there.id },
			me: { isAdmin: true },
			channels: [{ name: "werkbank" }, { name: "nachtschicht", isAgeRestricted: true }, { name: "aushang" }],
			guilds: [{ id: here.id }, { id: there.id }],
		});
	});

	test("are visible to their members only", async () => {
		const { post, here, there, userNamed } = await openTwo();
		const { guild, guilds } = await (await userNamed("emil")).state();
		expect([guild.id, guilds.map(({ id }) => id)]).toStrictEqual([there.id, [there.id]]);
		await post(there, { content: "unter uns" });
		await post(here, { content: "among us" });
		for (const [name, contents] of [
			["emil", ["unter uns"]],
			["ada", ["among us"]],
			["robin", ["unter uns", "among us"]],
		] as const)
			expect((await (await userNamed(name)).messages()).map(({ content }) => content)).toStrictEqual(contents);
	});

	test("do not share members, channels or roles", async () => {
		const { bot: openBot, register, rest, you, here, there, inThere, userNamed, userId } = await openTwo();
		const bot = await openBot();
		const options = [
			{ type: 6, name: "who", description: "A user" },
			{ type: 7, name: "where", description: "A channel" },
			{ type: 8, name: "role", description: "A role" },
		];
		await register({ name: "about", description: "About", options });
		const { roles } = await (await inThere("robin")).state();
		const role = roles.find(({ name }) => name === "Meister")?.id ?? "none";
		const [where = ""] = there.channelIds;
		// As on Discord, an option takes the id of any user.
		const who = userId("emil");
		const { interactionId } = await you.type("/about", { who });
		const { payload } = await bot.interaction(interactionId);
		expect(payload["data"]).toMatchObject({ resolved: { users: { [who]: { username: "emil" } } } });
		expect(payload["data"]).not.toHaveProperty("resolved.members");
		await expect(you.type("/about", { who: "123" })).rejects.toThrow("must be a user");
		await expect(you.type("/about", { where })).rejects.toThrow("a channel of this server");
		await expect(you.type("/about", { role })).rejects.toThrow("a role of this server");
		const ada = await userNamed("ada");
		await expect(ada.type("/about", {}, { channel: where })).rejects.toThrow("Unknown channel");
		for (const [path, answer] of [
			[`/guilds/${there.id}/roles/${role}`, { body: { name: "Meister" } }],
			[`/guilds/${here.id}/roles/${role}`, refusal(404, 10011)],
			[`/guilds/${here.id}/members/${who}`, refusal(404, 10007)],
			[`/guilds/1/members/${who}`, refusal(404, 10004)],
		] as const)
			expect(await rest("GET", path)).toMatchObject(answer);
	});

	test("find their own members by the beginning of a name, and return one by default", async () => {
		const { rest, here, there, userId, applicationId } = await openTwo();
		const search = async ({ id }: typeof here, query: string) =>
			idsOf(await rest("GET", `/guilds/${id}/members/search?query=${query}`));
		expect(await search(here, "GR&limit=5")).toStrictEqual([userId("grace")]);
		expect(await search(there, "gr&limit=5")).toStrictEqual([]);
		// The bot's name begins with an A, too.
		expect(await search(here, "a&limit=1000")).toStrictEqual([applicationId, userId("ada")]);
		expect(await search(here, "a")).toHaveLength(1);
		await rest("PATCH", `/guilds/${here.id}/members/@me`, { nick: "Zed" });
		expect(await search(here, "ze")).toStrictEqual([applicationId]);
	});

	test("have their own commands, and their own permissions for global commands", async () => {
		const { bot, register, rest, you, inThere, userId, registerThere, here } = await openTwo();
		await bot();
		await register(IMAGE_COMMAND);
		await registerThere();
		const robin = await inThere("robin");
		const names = () =>
			Promise.all([you, robin].map(async (user) => (await user.state()).commands.map(({ name }) => name)));
		expect(await names()).toStrictEqual([["image"], ["werkzeug", "image"]]);
		await expect(you.type("/werkzeug")).rejects.toThrow("Unknown command /werkzeug");
		await (await inThere("lena")).permit("image", [{ id: userId("robin"), type: 2, permission: false }]);
		expect(await names()).toStrictEqual([["image"], ["werkzeug"]]);
		await expect(robin.permit("image", [])).rejects.toThrow("Only an admin");
		expect((await rest("GET", `/applications/1/guilds/${here.id}/commands`)).status).toBe(404);
	});

	test("have their own settings", async () => {
		const { admin, adminThere, here, there, inThere, userId, post } = await openTwo();
		const files = [{ name: "a.bin", bytes: Buffer.alloc(11 * 1024 * 1024) }];
		const upload = async (guild: typeof here) => (await post(guild, {}, { files })).status;
		expect([await upload(here), await upload(there)]).toStrictEqual([400, 200]);
		await adminThere.setGuild({ boostLevel: 0, locale: "ko" });
		expect(await upload(there)).toBe(400);
		expect((await admin.state()).guildSettings).toStrictEqual({ locale: "en-US", boostLevel: 0 });
		const robin = await inThere("robin");
		await expect(robin.setBotInstalled(false)).rejects.toThrow("may manage the server");
		const apprentices = (await adminThere.state()).roles.find(({ name }) => name === "Lehrlinge");
		const permissions = PermissionFlagsBits.ManageGuild.toString();
		await adminThere.setRole({ roleId: apprentices?.id ?? "", permissions });
		await robin.setBotInstalled(false);
		await expect(adminThere.setMember({ userId: userId("ada"), locale: "ko" })).rejects.toThrow("Unknown user");
		await expect(admin.setRole({ roleId: apprentices?.id ?? "", permissions })).rejects.toThrow("Unknown role");
		expect((await adminThere.reset()).guildSettings).toStrictEqual({ locale: "de", boostLevel: 2 });
	});
});

test("shards each receive their own guilds and no events of others", async () => {
	const { register, bot, you, here, there, inThere, post, adminThere } = await openTwo();
	await register(IMAGE_COMMAND);
	const intents = Guilds | GuildMessages;
	const shards = [await bot({ shard: [0, 2], intents }), await bot({ shard: [1, 2], intents })] as const;
	const [ofHere, ofThere] = [shards[shardOf(here.id, 2) as 0 | 1], shards[shardOf(there.id, 2) as 0 | 1]];
	expect(ofHere).not.toBe(ofThere);
	expect(await ofThere.event("GUILD_CREATE")).toMatchObject({
		id: there.id,
		channels: [{ name: "werkbank" }, { name: "nachtschicht" }, { name: "aushang" }],
		member_count: 5,
	});
	await ofHere.event("GUILD_CREATE", here.id);
	await ofHere.interaction((await you.type("/image", { prompt: "x" })).interactionId);
	await ofThere.interaction((await (await inThere("emil")).type("/image", { prompt: "y" })).interactionId);
	await post(there, { content: "unter uns" });
	await ofThere.event("MESSAGE_CREATE");
	await adminThere.setGuild({ locale: "fr" });
	await ofThere.event("GUILD_UPDATE");
	const received = ofHere.gateway.received.map(({ t }) => t);
	expect(received).toStrictEqual([null, "READY", "GUILD_CREATE", "INTERACTION_CREATE"]);
});

describe("a guild that the bot left", () => {
	test("is deleted for the bot, and created again when it rejoins", async () => {
		const {
			bot: openBot,
			register,
			rest,
			you,
			here,
			there,
			inThere,
			userId,
			ownCommands,
			registerThere,
		} = await openTwo();
		const [bot, quiet] = [await openBot({ intents: Guilds }), await openBot()];
		await register(IMAGE_COMMAND);
		await registerThere();
		const lena = await inThere("lena");
		const type = (user: typeof you) => user.type("/image", { prompt: "x" });
		const before = await bot.interaction((await type(lena)).interactionId);
		await before.callback({ type: 5 });
		await lena.setBotInstalled(false);
		expect(await bot.event("GUILD_DELETE")).toStrictEqual({ id: there.id });
		expect((await openBot()).ready["guilds"]).toStrictEqual([{ id: here.id, unavailable: true }]);
		expect(await lena.state()).toMatchObject({ commands: [], guilds: [{ hasBot: true }, { hasBot: false }] });
		await expect(type(lena)).rejects.toThrow("The bot is not in this server.");
		for (const [path, code] of [
			[`/guilds/${there.id}`, 10_004],
			[`/guilds/${there.id}/members/${userId("lena")}`, 10_004],
			[`/channels/${there.channelIds[0]}`, 50_001],
			[ownCommands, 50_001],
		] as const)
			expect((await rest("GET", path)).body).toMatchObject({ code });
		expect((await before.webhook("PATCH", { content: "here it is" })).status).toBe(200);
		// Other guilds are not affected.
		await bot.interaction((await type(you)).interactionId);

		await lena.setBotInstalled(true);
		// READY and the first two GUILD_CREATE have the sequence numbers 1 to 3.
		const back = await bot.gateway.until(({ t, s }) => t === "GUILD_CREATE" && (s ?? 0) > 3);
		expect(back.d).toMatchObject({ id: there.id, name: "Werkstatt Nord" });
		// The guild's own commands disappeared with the bot.
		expect((await lena.state()).commands.map(({ name }) => name)).toStrictEqual(["image"]);
		for (const name of ["GUILD_CREATE", "GUILD_DELETE"]) expect(quiet.events(name)).toStrictEqual([]);
	});

	test("forgets the bot's nickname, roles and threads", async () => {
		const { rest, setBotPermissions, channel, bot, you, here, applicationId, roleId } = await openTwo();
		await setBotPermissions(PermissionFlagsBits.ManageRoles);
		const members = `/guilds/${here.id}/members`;
		await rest("PATCH", `${members}/@me`, { nick: "Painter" });
		await rest("PUT", `${members}/${applicationId}/roles/${roleId("Artists")}`);
		await rest("POST", `${await channel()}/threads`, { name: "Boats", type: 11 });
		for (const isInstalled of [false, true]) await you.setBotInstalled(isInstalled);
		const guild = await (await bot({ intents: Guilds })).event("GUILD_CREATE", here.id);
		const member = { nick: null, roles: [expect.any(String)], joined_at: guild["joined_at"] };
		expect(guild).toMatchObject({ members: [member], threads: [{ name: "Boats", member_count: 0 }] });
		expect(guild).not.toHaveProperty("threads.0.member");
	});

	test("has a later join time of the bot, also after a restart", async () => {
		const options = { clock: createManualClock(), dataDir: await temporaryFolder() };
		const { rest, admin, close, you, here, applicationId } = await openTwo(options);
		const member = `/guilds/${here.id}/members/${applicationId}`;
		const joinedAt = async (get = rest) => ((await get("GET", member)).body as { joined_at: string }).joined_at;
		const times = [await joinedAt()];
		for (const isInstalled of [false, true]) await you.setBotInstalled(isInstalled);
		times.push(await joinedAt());
		for (const isMember of [false, true]) await admin.setBotMembership({ isMember });
		times.push(await joinedAt());
		expect(times).toStrictEqual([...new Set(times)].toSorted());
		await close();
		expect(await joinedAt((await openPlayground(options)).rest)).toBe(times.at(-1));
	});
});

test("a guild shows its own command and the global one of the same name; typing selects one that the member may use", async () => {
	const { rest, bot, inThere, there, ownCommands, register } = await openTwo();
	const { interaction } = await bot();
	const [everywhere] = (await register({ name: "werkzeug", description: "Everywhere" })).body as { id: string }[];
	const made = { name: "werkzeug", description: "Of this server", default_member_permissions: "0" };
	const [own] = (await rest("PUT", ownCommands, [made])).body as { id: string }[];
	const [lena, robin] = [await inThere("lena"), await inThere("robin")];
	const shown = (await lena.state()).channels.find(({ id }) => id === there.channelIds[0])?.commandIds;
	expect(shown).toStrictEqual([own?.id, everywhere?.id]);
	for (const [user, command] of [
		[lena, own],
		[robin, everywhere],
	] as const) {
		const { interactionId } = await user.type("/werkzeug", {}, { channel: there.channelIds[0] ?? "" });
		expect((await interaction(interactionId)).payload).toMatchObject({ data: { id: command?.id } });
	}
});

describe("many guilds", () => {
	test("are created by one request, ten thousand at once, and distributed evenly over the shards", async () => {
		const { register, admin, rest, bot, user } = await openPlayground();
		await register(IMAGE_COMMAND);
		expect((await admin.setGuildCount({ count: 10_000 })).guildCount).toBe(10_000);
		expect((await rest("GET", "/gateway/bot")).body).toMatchObject({ shards: 10 });
		const shards = await Promise.all([0, 1, 2, 3].map((id) => bot({ shard: [id, 4] })));
		const lists = shards.map(({ ready }) => (ready["guilds"] as { id: string }[]).map(({ id }) => id));
		expect(new Set(lists.flat()).size).toBe(10_000);
		for (const list of lists) expect(Math.abs(list.length - 2_500)).toBeLessThanOrEqual(2);

		const { guilds } = await admin.guilds({ from: 9_998, limit: 10 });
		expect(guilds).toHaveLength(2);
		const { id, memberIds, channelIds } = guilds[0] ?? { id: "0", memberIds: [], channelIds: [] };
		const [owner, you] = memberIds;
		for (const userId of [owner, you]) {
			const reply = await (await user(userId)).type("/image", { prompt: "x" }, { channel: channelIds[0] ?? "" });
			const interaction = await shards[shardOf(id, 4)]?.interaction(reply.interactionId);
			expect(interaction?.payload).toMatchObject({ guild_id: id });
		}
		const state = await (await user(you)).state();
		expect(state.guilds.length + state.hiddenGuildCount).toBe(10_000);
		expect(state.guilds.length).toBeLessThan(20);
		expect((await rest("GET", `/guilds/${id}/channels`)).body).toHaveLength(2);
		expect((await admin.setGuildCount({ count: 2 })).guildCount).toBe(2);
		expect(await rest("GET", `/guilds/${id}`)).toMatchObject(refusal(404, 10_004));
	});

	test("are too many for one shard above 2,500: 4011", async () => {
		const { admin, connect, identify } = await openPlayground();
		await admin.setGuildCount({ count: 2_501 });
		const gateway = await connect();
		gateway.send(identify());
		expect(await gateway.closed).toBe(4011);
	});

	test("count only while the bot is a member", async () => {
		const { admin, you, rest, connect, identify } = await openTwo();
		await admin.setGuildCount({ count: 2_501 });
		await you.setBotInstalled(false);
		expect(await rest("GET", "/applications/@me")).toMatchObject({
			body: { approximate_guild_count: 2_500 },
		});
		const gateway = await connect();
		gateway.send(identify());
		await gateway.until(({ t }) => t === "READY");
		await admin.setGuildCount({ count: 1_001 });
		expect(await rest("GET", "/gateway/bot")).toMatchObject({ body: { shards: 1 } });
	});
});
