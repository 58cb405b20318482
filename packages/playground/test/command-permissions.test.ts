import { describe, expect, test } from "vitest";
import { type APIApplicationCommand, PermissionFlagsBits } from "discord-api-types/v10";
import { openPlayground, refusal } from "../testing/setup.ts";

const MANAGE_GUILD = "32";
const secret = { name: "secret", description: "For managers", default_member_permissions: MANAGE_GUILD };

/** A guild with its owner Robin as the admin, Ada as an artist and a patron, and Grace as an artist. */
async function setup() {
	const playground = await openPlayground();
	const base = `/applications/${playground.applicationId}`;
	const [command] = (await playground.rest("PUT", `${base}/commands`, [secret])).body as APIApplicationCommand[];
	const admin = await playground.user();
	const { guild } = await admin.state();
	const [ada, grace] = [await playground.userNamed("ada"), await playground.userNamed("grace")];
	const { roleId, channelId } = await playground.ids();
	const path = `${base}/guilds/${guild.id}/commands/${command?.id}/permissions`;
	const { setOverwrites, setBotMembership } = playground.admin;
	return { ...playground, setOverwrites, setBotMembership, path, command, guild, admin, ada, grace, roleId, channelId };
}

type Member = Awaited<ReturnType<typeof setup>>["ada"];
/** True if the page offers and sends the command. That its reply fails without a bot does not matter here. */
const isUsable = async (user: Member, channel = "general"): Promise<boolean> => {
	const words = await user.type("/secret", {}, { channel }).catch((error: Error) => error.message);
	const { channels } = await user.state();
	const open = channels.find(({ id, name }) => id === channel || name === channel);
	const { commandIds } = channels.find(({ id }) => id === (open?.parentId ?? open?.id)) ?? {};
	expect(commandIds?.length).toBe(typeof words === "string" ? 0 : 1);
	return typeof words !== "string";
};

describe("the permissions of a command", () => {
	test("are 404 / 10066 until admins set them", async () => {
		const { rest, path, admin, roleId, command, guild, applicationId, bot } = await setup();
		const all = path.replace(`${command?.id}/`, "");
		expect(await rest("GET", path)).toMatchObject(refusal(404, 10066));
		expect(await rest("GET", all)).toMatchObject({ status: 200, body: [] });
		const permissions = [{ id: roleId("Patrons"), type: 1, permission: true }] as const;
		const { gateway } = await bot();
		await admin.permit("/secret", permissions);
		const { d: changed } = await gateway.until(({ t }) => t === "APPLICATION_COMMAND_PERMISSIONS_UPDATE");
		expect(await rest("GET", path)).toMatchObject({
			status: 200,
			body: { id: command?.id, application_id: applicationId, guild_id: guild.id, permissions },
		});
		expect((await rest("GET", path)).body).toStrictEqual(changed);
		expect((await rest("GET", all)).body).toStrictEqual([changed]);
		await admin.permit("/secret", []);
		expect(await rest("GET", path)).toMatchObject(refusal(404, 10066));
	});

	test("are 404 / 10063 for an unknown command", async () => {
		const { rest, path } = await setup();
		const other = path.replace(/\d+\/permissions$/, "1000000000000000001/permissions");
		expect(await rest("GET", other)).toMatchObject(refusal(404, 10063));
	});

	test("allow a role, override it for a single member, and leave others unchanged", async () => {
		const { admin, ada, grace, roleId } = await setup();
		expect(await Promise.all([isUsable(admin), isUsable(ada), isUsable(grace)])).toStrictEqual([true, false, false]);
		await admin.permit("/secret", [
			{ id: roleId("Artists"), type: 1, permission: true },
			{ id: grace.me.user.id, type: 2, permission: false },
		]);
		expect(await Promise.all([isUsable(admin), isUsable(ada), isUsable(grace)])).toStrictEqual([true, true, false]);
	});

	test("can deny a channel, except to administrators", async () => {
		const { admin, ada, channelId, roleId } = await setup();
		const gallery = channelId("gallery");
		await admin.permit("/secret", [
			{ id: roleId("Patrons"), type: 1, permission: true },
			{ id: gallery, type: 3, permission: false },
		]);
		expect([await isUsable(ada), await isUsable(ada, "gallery")]).toStrictEqual([true, false]);
		expect(await isUsable(ada, await ada.startThread("Boats", { channel: "gallery" }))).toBe(false);
		expect(await isUsable(admin, "gallery")).toBe(true);
	});

	test("include those of the channel: to use commands at all, and the command's own", async () => {
		const { admin: owner, ada, grace, roleId, channelId, setOverwrites } = await setup();
		await setOverwrites({
			channelId: channelId("general"),
			overwrites: [
				{ id: roleId("Artists"), type: 0, allow: MANAGE_GUILD },
				{ id: ada.me.user.id, type: 1, deny: PermissionFlagsBits.UseApplicationCommands.toString() },
			],
		});
		expect(await Promise.all([isUsable(owner), isUsable(ada), isUsable(grace)])).toStrictEqual([true, false, true]);
		expect(await isUsable(grace, "gallery")).toBe(false);
	});

	test("belong to a command of one type: others may have the same name", async () => {
		const { admin, ada, rest, applicationId, guild } = await setup();
		const commands = `/applications/${applicationId}/commands`;
		const context = (await rest("POST", commands, { name: "secret", type: 2 })).body as APIApplicationCommand;
		await admin.permit("secret", [{ id: ada.me.user.id, type: 2, permission: false }], { type: 2 });
		const all = await rest("GET", `/applications/${applicationId}/guilds/${guild.id}/commands/permissions`);
		expect(all.body).toMatchObject([{ id: context.id }]);
		await expect(admin.permit("secret", [], { type: 3 })).rejects.toThrow("Unknown command: secret.");
	});

	test("can allow one channel where all others are denied", async () => {
		const { admin, ada, channelId, guild } = await setup();
		const gallery = channelId("gallery");
		await admin.permit("/secret", [
			{ id: guild.id, type: 1, permission: true },
			// Discord's id for all channels of a guild.
			{ id: String(BigInt(guild.id) - 1n), type: 3, permission: false },
			{ id: gallery, type: 3, permission: true },
		]);
		expect([await isUsable(ada), await isUsable(ada, "gallery")]).toStrictEqual([false, true]);
	});
});
