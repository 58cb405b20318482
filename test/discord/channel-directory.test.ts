import { REST } from "discord.js";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createChannelDirectory } from "../../src/discord/channel-directory.ts";
import { createGuildReader } from "../../src/discord/guild-reader.ts";
import { DirectoryUnavailableError } from "../../src/services/access/guild-directory.ts";

/** A directory of a bot in guild 10, whose channels are `ids`; every other guild is forbidden. Records the paths of its requests. */
function setup({ ids = ["50"], status = 200 } = {}) {
	const asked: string[] = [];
	const makeRequest = async (url: string) => {
		const path = new URL(url).pathname.replace(/^\/api\/v\d+/, "");
		asked.push(path);
		if (status !== 200) return Response.json({ code: 0, message: "" }, { status });
		if (path === "/guilds/10") return Response.json({ id: "10", roles: [] });
		if (path === "/guilds/10/channels") return Response.json(ids.map((id) => ({ id, type: 0 })));
		return Response.json({ code: 50_001, message: "Missing Access" }, { status: 403 });
	};
	const rest = new REST({ retries: 0, makeRequest }).setToken("a-token");
	const readGuild = createGuildReader({ rest, clock: createManualClock() });
	return { asked, ids, channels: createChannelDirectory({ rest, readGuild }) };
}

test("a channel is in the guild that lists it, also if it was created after the list was cached", async () => {
	const { channels, ids, asked } = setup();
	expect(await channels.isInGuild("10", "50")).toBe(true);
	expect(await channels.isInGuild("10", "50")).toBe(true);
	expect(asked).toHaveLength(2);
	ids.push("51");
	expect(await channels.isInGuild("10", "51")).toBe(true);
});

test("Discord is asked about no other id than that of the guild, and about no channels of a guild without the bot", async () => {
	const { channels, asked } = setup();
	expect(await channels.isInGuild("10", "60")).toBe(false);
	expect(new Set(asked)).toStrictEqual(new Set(["/guilds/10", "/guilds/10/channels"]));
	asked.length = 0;
	expect(await channels.isInGuild("11", "50")).toBe(false);
	expect(new Set(asked)).toStrictEqual(new Set(["/guilds/11"]));
});

test("a failed request of a channel or a guild is an error", async () => {
	const { channels } = setup({ status: 500 });
	await expect(channels.isInGuild("10", "50")).rejects.toThrow(DirectoryUnavailableError);
	await expect(channels.isAgeRestricted("50")).rejects.toThrow(DirectoryUnavailableError);
});
