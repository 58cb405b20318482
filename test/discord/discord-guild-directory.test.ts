import { ChannelType, type APIGuild, type REST } from "discord.js";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createDiscordGuildDirectory } from "../../src/discord/discord-guild-directory.ts";
import type { ListedChannel } from "../../src/discord/guild-reader.ts";

const { GuildAnnouncement, GuildCategory, GuildDirectory, GuildMedia, GuildText, GuildVoice } = ChannelType;

const channel = (id: string, type: ChannelType, position: number, parentId: string | null = null) =>
	({ id, name: `name-${id}`, type, position, parent_id: parentId }) as ListedChannel;

test("channels are in Discord's order and have the names of their categories", async () => {
	const channels = [
		channel("1", GuildText, 1, "9"),
		channel("2", GuildVoice, 0, "9"),
		channel("3", GuildText, 0, "8"),
		channel("4", GuildMedia, 1, "8"),
		channel("6", GuildDirectory, 0, "8"),
		channel("5", GuildAnnouncement, 7),
		channel("8", GuildCategory, 2),
		channel("9", GuildCategory, 1),
	];
	const guild = { name: "Guild", owner_id: "1", roles: [] } as unknown as APIGuild;
	const directory = createDiscordGuildDirectory({
		rest: {} as never,
		readGuild: Object.assign(async () => ({ guild, channels }), { forget: () => {} }),
		clock: createManualClock(),
		botUserId: () => "2",
	});
	expect((await directory.readGuild("7"))?.channels).toStrictEqual([
		{ id: "5", name: "name-5", category: null, canBePostedTo: true },
		{ id: "2", name: "name-2", category: "name-9", canBePostedTo: false },
		{ id: "1", name: "name-1", category: "name-9", canBePostedTo: true },
		{ id: "3", name: "name-3", category: "name-8", canBePostedTo: true },
		{ id: "4", name: "name-4", category: "name-8", canBePostedTo: false },
	]);
});

test("a search for members finds as many as asked for although bots come first", async () => {
	const members = Array.from({ length: 20 }, (_, at) => ({
		user: { id: String(at), username: `ada${at}`, avatar: null, bot: at < 10 },
		roles: [],
	}));
	const get = async (route: string) =>
		members.slice(0, Number(new URL(route, "http://discord").searchParams.get("limit")));
	const directory = createDiscordGuildDirectory({
		rest: { get } as unknown as REST,
		readGuild: Object.assign(async () => undefined, { forget: () => {} }),
		clock: createManualClock(),
		botUserId: () => "2",
	});
	const found = await directory.searchMembers("7", "ada", 5);
	expect(found.map(({ userId }) => userId)).toStrictEqual(["10", "11", "12", "13", "14"]);
});
