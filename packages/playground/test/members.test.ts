/** Users, their permissions, and the guild: by default and with overrides. */
import { PermissionFlagsBits } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openAdminClient } from "../src/admin/admin-client.ts";
import { type Ground, IMAGE_COMMAND, openGround, refusal } from "../testing/setup.ts";

async function openServer() {
	const ground = await openGround();
	const controls = openAdminClient(ground.origin);
	const first = await ground.person();
	const { members, channels, roles } = await first.state();
	const idOf = (name: string): string => members.find(({ user }) => user.username === name)?.user.id ?? "none";
	const channelId = (name: string): string => channels.find((channel) => channel.name === name)?.id ?? "none";
	const roleId = (name: string): string => roles.find((role) => role.name === name)?.id ?? "none";
	return { ground, controls, idOf, channelId, roleId };
}

/** The member in the interaction of a user who types in this channel. */
async function told(ground: Ground, userId: string, channel = "general") {
	const bot = await ground.bot();
	await ground.register(IMAGE_COMMAND);
	const person = await ground.person(userId);
	const reply = await person.type("/image", { prompt: "a boat" }, { channel });
	return (await bot.interaction(reply.interactionId)).payload;
}

describe("people", () => {
	test("have languages and roles of their own", async () => {
		const { ground, idOf, roleId } = await openServer();
		const payload = await told(ground, idOf("lena"));
		expect(payload).toMatchObject({ locale: "de", guild_locale: "en-US", member: { roles: [roleId("Moderators")] } });
		const { permissions } = payload["member"] as { permissions: string };
		expect(BigInt(permissions) & PermissionFlagsBits.ManageMessages).not.toBe(0n);
		expect((await told(ground, idOf("ada")))["locale"]).toBe("en-US");
	});

	test("get another locale, other roles and other permissions, and every page is updated", async () => {
		const { ground, controls, idOf, roleId } = await openServer();
		const grace = idOf("grace");
		const permissions = PermissionFlagsBits.ManageGuild.toString();
		await controls.setMember(grace, { locale: "pt-BR", roleIds: [roleId("Patrons")], permissions });
		expect(await told(ground, grace)).toMatchObject({
			locale: "pt-BR",
			member: { roles: [roleId("Patrons")], permissions },
		});
		await controls.setMember(grace, { permissions: null });
		const after = await controls.setMember(grace, { locale: null, roleIds: null });
		expect(after.members.find(({ user }) => user.id === grace)).toMatchObject({
			locale: "en-US",
			roleIds: [roleId("Artists")],
			isAdmin: false,
		});
	});

	test("members with the required permissions may use a command", async () => {
		const { ground, controls, idOf } = await openServer();
		const required = PermissionFlagsBits.ManageGuild.toString();
		await ground.register({ name: "budget", description: "For managers", default_member_permissions: required });
		const ada = await ground.person(idOf("ada"));
		expect((await ada.state()).commands).toStrictEqual([]);
		await controls.setMember(idOf("ada"), { permissions: required });
		expect((await ada.state()).commands).toMatchObject([{ name: "budget" }]);
	});

	test.each([
		[{ locale: "klingon" }, "locale"],
		[{ permissions: "lots" }, "permissions"],
		[{ roleIds: ["1"] }, "Unknown role"],
	])("are not changed by %o", async (change, words) => {
		const { controls, idOf } = await openServer();
		await expect(controls.setMember(idOf("ada"), change)).rejects.toThrow(words);
	});
});

describe("a channel", () => {
	test("for adults is known as one, and the only place for their commands", async () => {
		const { ground, channelId, idOf } = await openServer();
		await ground.bot();
		expect((await told(ground, idOf("ada"), "after-dark"))["channel"]).toMatchObject({ nsfw: true });
		await ground.register({ name: "nude", description: "A study", nsfw: true });
		const person = await ground.person();
		await expect(person.type("/nude")).rejects.toThrow("age-restricted channels only");
		await person.type("/nude", {}, { channel: "after-dark" });
		expect((await ground.rest("GET", `/channels/${channelId("after-dark")}`)).body).toMatchObject({ nsfw: true });
	});

	test("in which the bot may not post takes its replies, and nothing of its own", async () => {
		const { ground, channelId, idOf } = await openServer();
		const payload = await told(ground, idOf("ada"), "notices");
		expect(BigInt(String(payload["app_permissions"])) & PermissionFlagsBits.SendMessages).toBe(0n);
		const post = await ground.rest("POST", `/channels/${channelId("notices")}/messages`, { content: "hello" });
		expect(post).toMatchObject(refusal(403, 50013));
	});

	test("without files takes words", async () => {
		const { ground, controls, channelId } = await openServer();
		await controls.setAccess(channelId("gallery"), "noFiles");
		const path = `/channels/${channelId("gallery")}/messages`;
		const files = [{ name: "a.png", bytes: Buffer.alloc(10) }];
		expect(await ground.rest("POST", path, { content: "x" }, { files })).toMatchObject({ body: { code: 50_013 } });
		expect((await ground.rest("POST", path, { content: "x" })).status).toBe(200);
	});
});

describe("the server", () => {
	test("that is boosted takes larger files, and says so", async () => {
		const { ground, controls, channelId, idOf } = await openServer();
		const bot = await ground.bot({ intents: 1 });
		const path = `/channels/${channelId("general")}/messages`;
		const files = [{ name: "a.bin", bytes: Buffer.alloc(11 * 1024 * 1024) }];
		expect(await ground.rest("POST", path, {}, { files })).toMatchObject(refusal(400, 50045));
		await controls.setGuild({ boostLevel: 2 });
		expect((await bot.wire.until(({ t }) => t === "GUILD_UPDATE")).d).toMatchObject({ premium_tier: 2 });
		expect((await ground.rest("POST", path, {}, { files })).status).toBe(200);
		expect((await told(ground, idOf("ada")))["attachment_size_limit"]).toBe(50 * 1024 * 1024);
		expect((await controls.setGuild({ boostLevel: 0 })).files.bytesMax).toBe(10 * 1024 * 1024);
	});
});
