import { HTTPError, REST } from "discord.js";
import { expect, test } from "vitest";
import { createChannelDirectory } from "../../src/discord/channel-directory.ts";

/** A directory whose requests all get this response from Discord. */
function channelsWhere(status: number, body: object) {
	const makeRequest = async () =>
		new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
	return createChannelDirectory({ rest: new REST({ retries: 0, makeRequest }).setToken("a-token") });
}

test("a channel belongs to the guild that Discord names", async () => {
	const channels = channelsWhere(200, { id: "50", guild_id: "10" });
	expect(await channels.isInGuild("10", "50")).toBe(true);
	expect(await channels.isInGuild("11", "50")).toBe(false);
	expect(await channelsWhere(200, { id: "50" }).isInGuild("10", "50")).toBe(false);
});

test("a missing or invisible channel belongs to no guild, and a failed request is an error", async () => {
	expect(await channelsWhere(404, { code: 10_003, message: "Unknown Channel" }).isInGuild("10", "50")).toBe(false);
	expect(await channelsWhere(403, { code: 50_001, message: "Missing Access" }).isInGuild("10", "50")).toBe(false);
	await expect(channelsWhere(500, { code: 0, message: "" }).isInGuild("10", "50")).rejects.toThrow(HTTPError);
});
