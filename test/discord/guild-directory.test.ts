import { ChannelType, REST } from "discord.js";
import { expect, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createGuildDirectory } from "../../src/discord/guild-directory.ts";
import type { GuildReader } from "../../src/discord/guild-reader.ts";

test("every channel where members can use commands is listed, and those for posts of the bot are marked", async () => {
	const { GuildText, GuildVoice, GuildForum, GuildCategory } = ChannelType;
	const channels = [GuildText, GuildVoice, GuildForum, GuildCategory].map((type) => ({
		id: `${type}`,
		name: "c",
		type,
	}));
	const found = { guild: { name: "g", owner_id: "1", roles: [] }, channels };
	const readGuild: GuildReader = async () =>
		await Promise.resolve(found as unknown as Awaited<ReturnType<GuildReader>>);
	const directory = createGuildDirectory({ rest: new REST(), readGuild, clock: systemClock, botUserId: () => "2" });
	expect((await directory.readGuild("3"))?.channels).toEqual([
		{ id: `${GuildText}`, name: "c", canBePostedTo: true },
		{ id: `${GuildVoice}`, name: "c", canBePostedTo: false },
		{ id: `${GuildForum}`, name: "c", canBePostedTo: false },
	]);
});
