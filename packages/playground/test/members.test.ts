/** Users, their permissions, and the guild: by default and with settings of the admin API. */
import {
	type APIChatInputApplicationCommandGuildInteraction,
	type APIMessage,
	GatewayIntentBits,
	PermissionFlagsBits,
} from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { UserClient } from "../src/user-client/user-client.ts";
import { IMAGE_COMMAND, openPlayground } from "../testing/setup.ts";

async function openServer() {
	const playground = await openPlayground();
	const bot = await playground.bot({ intents: GatewayIntentBits.Guilds });
	const { guild, channelId, applicationId, admin } = playground;
	/** Denies this permission in #general, to the bot or to all members. */
	const deny = (to: "bot" | "members", permission: bigint) => {
		const target = to === "bot" ? { id: applicationId, type: 1 as const } : { id: guild.id, type: 0 as const };
		return admin.setOverwrites({
			channelId: channelId("general"),
			overwrites: [{ ...target, deny: String(permission) }],
		});
	};
	return {
		...playground,
		deny,
		messages: `/channels/${channelId("general")}/messages`,
		/** Returns the interaction of a user who types a command in this channel. */
		interaction: async (invokerId: string, channel = "general") => {
			await playground.register(IMAGE_COMMAND);
			const user = await playground.user(invokerId);
			const reply = await user.type("/image", { prompt: "a boat" }, { channel });
			return { reply, ...(await bot.interaction(reply.interactionId)) };
		},
		bot,
	};
}

describe("members", () => {
	test("have their own languages and roles", async () => {
		const { interaction, userId, roleId } = await openServer();
		const { payload } = await interaction(userId("lena"));
		expect(payload).toMatchObject({ locale: "de", guild_locale: "en-US", member: { roles: [roleId("Moderators")] } });
		const { permissions } = payload["member"] as { permissions: string };
		expect(BigInt(permissions) & PermissionFlagsBits.ManageMessages).not.toBe(0n);
		expect((await interaction(userId("ada"))).payload).toMatchObject({ locale: "en-US" });
	});

	test("have the permissions of the channel in interactions, with its overwrites; so have resolved members", async () => {
		const { bot, register, user, admin, userId, channelId } = await openServer();
		const { ManageMessages, AttachFiles } = PermissionFlagsBits;
		const [general, ada, grace] = [channelId("general"), userId("ada"), userId("grace")];
		await admin.setOverwrites({
			channelId: general,
			overwrites: [
				{ id: ada, type: 1, allow: ManageMessages.toString() },
				{ id: grace, type: 1, deny: AttachFiles.toString() },
			],
		});
		const options = [
			{ type: 6, name: "who", description: "x" },
			{ type: 7, name: "where", description: "x" },
		];
		await register({ name: "show", description: "Shows", options });
		const held = async (where: string) => {
			const reply = await (await user(ada)).type("/show", { who: grace, where }, { channel: "general" });
			const { payload } = await bot.interaction(reply.interactionId);
			const { member, data } = payload as unknown as APIChatInputApplicationCommandGuildInteraction;
			const { members, channels } = data.resolved ?? {};
			return [
				BigInt(member.permissions) & ManageMessages,
				BigInt(members?.[grace]?.permissions ?? -1) & AttachFiles,
				BigInt(channels?.[where]?.permissions ?? -1) & ManageMessages,
			];
		};
		expect(await held(general)).toStrictEqual([ManageMessages, 0n, ManageMessages]);
		expect(await held(channelId("gallery"))).toStrictEqual([ManageMessages, 0n, 0n]);
	});

	test("have all permissions if they are given Administrator", async () => {
		const { interaction, admin, userId, roleId } = await openServer();
		const grace = userId("grace");
		await admin.setRole({ roleId: roleId("Artists"), permissions: String(PermissionFlagsBits.Administrator) });
		const { member } = (await interaction(grace)).payload as unknown as APIChatInputApplicationCommandGuildInteraction;
		expect(BigInt(member.permissions) & PermissionFlagsBits.ManageGuild).toBe(PermissionFlagsBits.ManageGuild);
	});

	test("have the permissions of their roles and of @everyone, of which the bot learns each change", async () => {
		const { interaction, admin, userId, roleId, guild, bot } = await openServer();
		const held = async () => {
			const { member } = (await interaction(userId("grace"))).payload as { member: { permissions: string } };
			return BigInt(member.permissions);
		};
		const before = await held();
		const { ManageGuild, AttachFiles } = PermissionFlagsBits;
		await admin.setRole({ roleId: roleId("Artists"), permissions: String(ManageGuild) });
		const role = { id: roleId("Artists"), permissions: String(ManageGuild) };
		expect(await bot.event("GUILD_ROLE_UPDATE")).toMatchObject({ guild_id: guild.id, role });
		expect(await held()).toBe(before | ManageGuild);
		await admin.setRole({ roleId: guild.id, permissions: String(before & ~AttachFiles) });
		expect(await held()).toBe((before | ManageGuild) & ~AttachFiles);
		for (const id of [guild.id, roleId("Artists")]) await admin.setRole({ roleId: id, permissions: null });
		expect(await held()).toBe(before);
	});

	test("can be given another locale and other roles; null restores each of them", async () => {
		const { interaction, admin, userId, roleId } = await openServer();
		const grace = userId("grace");
		const roles = [roleId("Patrons")];
		await admin.setMember({ userId: grace, locale: "pt-BR", roleIds: roles });
		expect((await interaction(grace)).payload).toMatchObject({ locale: "pt-BR", member: { roles } });
		const { members } = await admin.setMember({ userId: grace, locale: null, roleIds: null });
		const restored = { locale: "en-US", roleIds: [roleId("Artists")], isAdmin: false };
		expect(members.find(({ user }) => user.id === grace)).toMatchObject(restored);
	});
});

describe("a channel", () => {
	test("that is age-restricted is marked as such, and is the only one for age-restricted commands", async () => {
		const { interaction, register, user: open, rest, channelId, userId } = await openServer();
		expect((await interaction(userId("ada"), "after-dark")).payload).toMatchObject({ channel: { nsfw: true } });
		await register({ name: "nude", description: "A study", nsfw: true });
		const user = await open();
		await expect(user.type("/nude")).rejects.toThrow("age-restricted channels only");
		await user.type("/nude", {}, { channel: "after-dark" });
		const { channels, commands } = await user.state();
		const offering = channels.filter(({ commandIds }) => commandIds?.includes(commands[0]?.id ?? ""));
		expect(offering.map(({ name }) => name)).toStrictEqual(["after-dark"]);
		expect((await rest("GET", `/channels/${channelId("after-dark")}`)).body).toMatchObject({ nsfw: true });
	});

	const { EmbedLinks, ReadMessageHistory, SendPolls, MentionEveryone } = PermissionFlagsBits;
	const poll = { question: { text: "?" }, answers: [{ poll_media: { text: "a" } }] };
	test.each([
		["embeds", EmbedLinks, () => ({ embeds: [{ title: "x" }] }), 50_013],
		["polls", SendPolls, () => ({ poll }), 50_013],
		["replies", ReadMessageHistory, (id: string) => ({ content: "x", message_reference: { message_id: id } }), 160_002],
	])("that denies it to the bot has no %s", async (_, permission, bodyFor, code) => {
		const { rest, send, messages, deny } = await openServer();
		const { id } = await send({ content: "x" });
		const post = (body: object) => rest("POST", messages, body);
		expect(await post(bodyFor(id))).toMatchObject({ status: 200 });
		await deny("bot", permission);
		expect(await post(bodyFor(id))).toMatchObject({ status: 403, body: { code } });
		expect(await post({ content: "x" })).toMatchObject({ status: 200 });
		const hasHistory = permission !== ReadMessageHistory;
		const denied = { status: 403, body: { code: 50_001 } };
		expect((await rest("GET", messages)).body).toHaveLength(hasHistory ? 3 : 0);
		expect(await rest("GET", `${messages}/${id}`)).toMatchObject(hasHistory ? { status: 200 } : denied);
		const reaction = `${messages}/${id}/reactions/${encodeURIComponent("👍")}/@me`;
		expect(await rest("PUT", reaction)).toMatchObject(hasHistory ? { status: 204 } : denied);
	});

	const files = [{ name: "a.txt", bytes: Buffer.from("x") }];
	test.each<[keyof typeof PermissionFlagsBits, string, (ada: UserClient, message: APIMessage) => Promise<unknown>]>([
		["SendMessages", "write in", (ada) => ada.say("x")],
		["AttachFiles", "send files in", (ada) => ada.say("x", { files })],
		["SendPolls", "send polls in", (ada) => ada.say("", { poll })],
		["ReadMessageHistory", "read the history of", (ada, message) => ada.react(message, "👍")],
		["AddReactions", "add reactions in", (ada, message) => ada.react(message, "👍")],
		["CreatePublicThreads", "start threads in", (ada, message) => ada.startThread("x", { message })],
		["CreatePrivateThreads", "start private threads in", (ada) => ada.startThread("x", { isPrivate: true })],
	])("that denies %s to members does not let them %s it", async (permission, refused, attempt) => {
		const { userNamed, deny } = await openServer();
		const ada = await userNamed("ada");
		const message = await ada.say("x");
		await deny("members", PermissionFlagsBits[permission]);
		await expect(attempt(ada, message)).rejects.toThrow(`You may not ${refused} this channel.`);
	});

	test("that denies it to the bot has no mentions of everyone and of roles, not in replies to commands either", async () => {
		const { deny, send, interaction, userId, roleId } = await openServer();
		await deny("bot", MentionEveryone);
		const content = `@everyone <@&${roleId("Artists")}>`;
		const body = { content, allowed_mentions: { parse: ["everyone", "roles"] } };
		const pinged = { content, mention_everyone: false, mention_roles: [] };
		expect(await send(body)).toMatchObject(pinged);
		const { reply, callback } = await interaction(userId("ada"));
		await callback({ type: 4, data: body });
		expect(await reply.until()).toMatchObject(pinged);
	});
});
