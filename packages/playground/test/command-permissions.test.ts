import { describe, expect, test } from "vitest";
import { type APIApplicationCommand, PermissionFlagsBits } from "discord-api-types/v10";
import type { UserClient } from "../src/user-client/user-client.ts";
import { openPlayground, refusal } from "../testing/setup.ts";

const MANAGE_GUILD = "32";

/** A guild with its owner Robin as the admin, Ada as an artist and a patron, and Grace as an artist. */
async function setup() {
	const playground = await openPlayground();
	const secret = { name: "secret", description: "For managers", default_member_permissions: MANAGE_GUILD };
	const [command] = (await playground.register(secret)).body as APIApplicationCommand[];
	const { userNamed, applicationId, guild } = playground;
	const [owner, ada, grace] = [await userNamed("robin"), await userNamed("ada"), await userNamed("grace")];
	return {
		...playground,
		commandId: command?.id ?? "",
		all: `/applications/${applicationId}/guilds/${guild.id}/commands`,
		owner,
		ada,
		grace,
		permit: (...permissions: Parameters<UserClient["permit"]>[1]) => owner.permit("/secret", permissions),
	};
}

/** True if the page offers and sends the command. That its reply fails without a bot does not matter here. */
async function isUsable(user: UserClient, channel = "general"): Promise<boolean> {
	const words = await user.type("/secret", {}, { channel }).catch((error: Error) => error.message);
	const { channels } = await user.state();
	const open = channels.find(({ id, name }) => id === channel || name === channel);
	const { commandIds } = channels.find(({ id }) => id === (open?.parentId ?? open?.id)) ?? {};
	expect(commandIds?.length).toBe(typeof words === "string" ? 0 : 1);
	return typeof words !== "string";
}

describe("the permissions of a command", () => {
	test("are 404 / 10066 until admins set them, and 404 / 10063 for an unknown command", async () => {
		const { rest, all, permit, roleId, commandId, guild, applicationId, bot } = await setup();
		const own = `${all}/${commandId}/permissions`;
		expect(await rest("GET", own)).toMatchObject(refusal(404, 10066));
		expect(await rest("GET", `${all}/permissions`)).toMatchObject({ status: 200, body: [] });
		const permission = { id: roleId("Patrons"), type: 1, permission: true } as const;
		const { event } = await bot();
		await permit(permission);
		const changed = await event("APPLICATION_COMMAND_PERMISSIONS_UPDATE");
		const ids = { id: commandId, application_id: applicationId, guild_id: guild.id };
		expect(changed).toStrictEqual({ ...ids, permissions: [permission] });
		expect((await rest("GET", own)).body).toStrictEqual(changed);
		expect((await rest("GET", `${all}/permissions`)).body).toStrictEqual([changed]);
		await permit();
		expect(await rest("GET", own)).toMatchObject(refusal(404, 10066));
		expect(await rest("GET", `${all}/1000000000000000001/permissions`)).toMatchObject(refusal(404, 10063));
	});

	test("allow a role, override it for a single member, and leave others unchanged", async () => {
		const { permit, owner, ada, grace, roleId } = await setup();
		const usable = () => Promise.all([owner, ada, grace].map((user) => isUsable(user)));
		expect(await usable()).toStrictEqual([true, false, false]);
		await permit(
			{ id: roleId("Artists"), type: 1, permission: true },
			{ id: grace.me.user.id, type: 2, permission: false },
		);
		expect(await usable()).toStrictEqual([true, true, false]);
	});

	test("can deny a channel, except to administrators", async () => {
		const { permit, owner, ada, channelId, roleId } = await setup();
		await permit(
			{ id: roleId("Patrons"), type: 1, permission: true },
			{ id: channelId("gallery"), type: 3, permission: false },
		);
		expect([await isUsable(ada), await isUsable(ada, "gallery")]).toStrictEqual([true, false]);
		expect(await isUsable(ada, await ada.startThread("Boats", { channel: "gallery" }))).toBe(false);
		expect(await isUsable(owner, "gallery")).toBe(true);
	});

	test("include those of the channel: to use commands at all, and the command's own", async () => {
		const { admin, owner, ada, grace, roleId, channelId } = await setup();
		await admin.setOverwrites({
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
		const { owner, ada, rest, applicationId, all } = await setup();
		const created = await rest("POST", `/applications/${applicationId}/commands`, { name: "secret", type: 2 });
		const { id } = created.body as APIApplicationCommand;
		await owner.permit("secret", [{ id: ada.me.user.id, type: 2, permission: false }], { type: 2 });
		expect((await rest("GET", `${all}/permissions`)).body).toMatchObject([{ id }]);
		await expect(owner.permit("secret", [], { type: 3 })).rejects.toThrow("Unknown command: secret.");
	});

	test("can allow one channel where all others are denied", async () => {
		const { permit, ada, channelId, guild } = await setup();
		await permit(
			{ id: guild.id, type: 1, permission: true },
			// Discord's id for all channels of a guild.
			{ id: String(BigInt(guild.id) - 1n), type: 3, permission: false },
			{ id: channelId("gallery"), type: 3, permission: true },
		);
		expect([await isUsable(ada), await isUsable(ada, "gallery")]).toStrictEqual([false, true]);
	});
});
