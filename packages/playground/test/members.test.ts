/** Users, their permissions, and the guild: by default and with settings of the admin API. */
import {
	type APIChatInputApplicationCommandGuildInteraction,
	type APIMessage,
	PermissionFlagsBits,
} from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { UserClient } from "../src/user-client/user-client.ts";
import { type TestPlayground, IMAGE_COMMAND, openPlayground } from "../testing/setup.ts";

async function openServer() {
	const playground = await openPlayground();
	return { playground, admin: playground.admin, ...(await playground.ids()) };
}

/** Returns the payload of the interaction of a user who types a command in this channel. */
async function interaction(playground: TestPlayground, invokerId: string, channel = "general") {
	const bot = await playground.bot();
	await playground.register(IMAGE_COMMAND);
	const user = await playground.user(invokerId);
	const reply = await user.type("/image", { prompt: "a boat" }, { channel });
	return (await bot.interaction(reply.interactionId)).payload;
}

describe("members", () => {
	test("have their own languages and roles", async () => {
		const { playground, userId, roleId } = await openServer();
		const payload = await interaction(playground, userId("lena"));
		expect(payload).toMatchObject({ locale: "de", guild_locale: "en-US", member: { roles: [roleId("Moderators")] } });
		const { permissions } = payload["member"] as { permissions: string };
		expect(BigInt(permissions) & PermissionFlagsBits.ManageMessages).not.toBe(0n);
		expect((await interaction(playground, userId("ada")))["locale"]).toBe("en-US");
	});

	test("have the permissions of the channel in interactions, with its overwrites; so have resolved members", async () => {
		const { playground, admin, userId, channelId } = await openServer();
		const { ManageMessages, AttachFiles } = PermissionFlagsBits;
		const [general, ada, grace] = [channelId("general"), userId("ada"), userId("grace")];
		await admin.setOverwrites({
			channelId: general,
			overwrites: [
				{ id: ada, type: 1, allow: ManageMessages.toString() },
				{ id: grace, type: 1, deny: AttachFiles.toString() },
			],
		});
		const bot = await playground.bot();
		await playground.register({
			name: "show",
			description: "Shows",
			options: [
				{ type: 6, name: "who", description: "x" },
				{ type: 7, name: "where", description: "x" },
			],
		});
		const user = await playground.user(ada);
		const held = async (where: string) => {
			const reply = await user.type("/show", { who: grace, where }, { channel: "general" });
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

	test("can be given another locale, other roles and permissions; null restores each of them", async () => {
		const { playground, admin, userId, roleId } = await openServer();
		const grace = userId("grace");
		const permissions = PermissionFlagsBits.ManageGuild.toString();
		await admin.setMember({ userId: grace, locale: "pt-BR", roleIds: [roleId("Patrons")], permissions });
		expect(await interaction(playground, grace)).toMatchObject({
			locale: "pt-BR",
			member: { roles: [roleId("Patrons")], permissions },
		});
		await admin.setMember({ userId: grace, permissions: null });
		const after = await admin.setMember({ userId: grace, locale: null, roleIds: null });
		expect(after.members.find(({ user }) => user.id === grace)).toMatchObject({
			locale: "en-US",
			roleIds: [roleId("Artists")],
			isAdmin: false,
		});
	});
});

describe("a channel", () => {
	test("that is age-restricted is marked as such, and is the only one for age-restricted commands", async () => {
		const { playground, channelId, userId } = await openServer();
		await playground.bot();
		expect((await interaction(playground, userId("ada"), "after-dark"))["channel"]).toMatchObject({ nsfw: true });
		await playground.register({ name: "nude", description: "A study", nsfw: true });
		const user = await playground.user();
		await expect(user.type("/nude")).rejects.toThrow("age-restricted channels only");
		await user.type("/nude", {}, { channel: "after-dark" });
		const { channels, commands } = await user.state();
		const offering = channels.filter(({ commandIds }) => commandIds?.includes(commands[0]?.id ?? ""));
		expect(offering.map(({ name }) => name)).toStrictEqual(["after-dark"]);
		expect((await playground.rest("GET", `/channels/${channelId("after-dark")}`)).body).toMatchObject({ nsfw: true });
	});

	const { EmbedLinks, ReadMessageHistory, SendPolls } = PermissionFlagsBits;
	const poll = { question: { text: "?" }, answers: [{ poll_media: { text: "a" } }] };
	test.each([
		["embeds", EmbedLinks, () => ({ embeds: [{ title: "x" }] }), 50_013],
		["polls", SendPolls, () => ({ poll }), 50_013],
		["replies", ReadMessageHistory, (id: string) => ({ content: "x", message_reference: { message_id: id } }), 160_002],
	])("that denies it to the bot has no %s", async (_, permission, bodyFor, code) => {
		const { playground, admin, channelId } = await openServer();
		const channel = `/channels/${channelId("general")}/messages`;
		const { id } = (await playground.rest("POST", channel, { content: "x" })).body as { id: string };
		expect((await playground.rest("POST", channel, bodyFor(id))).status).toBe(200);
		const deny = String(permission);
		await admin.setOverwrites({
			channelId: channelId("general"),
			overwrites: [{ id: playground.applicationId, type: 1, deny }],
		});
		expect(await playground.rest("POST", channel, bodyFor(id))).toMatchObject({ status: 403, body: { code } });
		expect(await playground.rest("POST", channel, { content: "x" })).toMatchObject({ status: 200 });
		const listed = (await playground.rest("GET", channel)).body as unknown[];
		const reactions = `${channel}/${id}/reactions/${encodeURIComponent("👍")}`;
		const [read, reacted] = [
			await playground.rest("GET", `${channel}/${id}`),
			await playground.rest("PUT", `${reactions}/@me`),
		];
		const hasHistory = permission !== ReadMessageHistory;
		expect(listed.length > 0).toBe(hasHistory);
		const denied = { status: 403, body: { code: 50_001 } };
		expect([read, reacted]).toMatchObject(hasHistory ? [{ status: 200 }, { status: 204 }] : [denied, denied]);
	});

	const file = { name: "a.txt", bytes: Buffer.from("x") };
	test.each<[keyof typeof PermissionFlagsBits, string, (ada: UserClient, message: APIMessage) => Promise<unknown>]>([
		["SendMessages", "write in", (ada, { channel_id: channel }) => ada.say("x", { channel })],
		["AttachFiles", "send files in", (ada, { channel_id: channel }) => ada.say("x", { channel, files: [file] })],
		["SendPolls", "send polls in", (ada, { channel_id: channel }) => ada.say("", { channel, poll })],
		["ReadMessageHistory", "read the history of", (ada, replyTo) => ada.say("x", { replyTo })],
		["ReadMessageHistory", "read the history of", (ada, message) => ada.react(message, "👍")],
		["AddReactions", "add reactions in", (ada, message) => ada.react(message, "👍")],
		["CreatePublicThreads", "start threads in", (ada, message) => ada.startThread("x", { message })],
		["CreatePrivateThreads", "start private threads in", (ada) => ada.startThread("x", { isPrivate: true })],
	])("that denies %s to members does not let them %s it", async (permission, refused, attempt) => {
		const { playground, admin, channelId } = await openServer();
		const ada = await playground.userNamed("ada");
		const { guild } = await ada.state();
		const message = await ada.say("x");
		const deny = String(PermissionFlagsBits[permission]);
		await admin.setOverwrites({ channelId: channelId("general"), overwrites: [{ id: guild.id, type: 0, deny }] });
		await expect(attempt(ada, message)).rejects.toThrow(`You may not ${refused} this channel.`);
	});

	test("that denies it to the bot has no mentions of everyone and of roles, not in replies to commands either", async () => {
		const { playground, admin, channelId, roleId } = await openServer();
		const deny = String(PermissionFlagsBits.MentionEveryone);
		await admin.setOverwrites({
			channelId: channelId("general"),
			overwrites: [{ id: playground.applicationId, type: 1, deny }],
		});
		const content = `@everyone <@&${roleId("Artists")}>`;
		const body = { content, allowed_mentions: { parse: ["everyone", "roles"] } };
		const path = `/channels/${channelId("general")}/messages`;
		const pinged = { content, mention_everyone: false, mention_roles: [] };
		expect((await playground.rest("POST", path, body)).body).toMatchObject(pinged);
		const bot = await playground.bot();
		await playground.register(IMAGE_COMMAND);
		const user = await playground.user();
		const reply = await user.type("/image", { prompt: "a boat" });
		await (await bot.interaction(reply.interactionId)).callback({ type: 4, data: body });
		expect(await reply.until()).toMatchObject(pinged);
	});
});
