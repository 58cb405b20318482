import { DiscordAPIError, REST } from "discord.js";
import { describe, expect, test } from "vitest";
import { createCommandPermissions } from "../../src/discord/command-permissions.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const command = {
	applicationId: "1000000000000000001",
	guildId: "1000000000000000002",
	commandId: "1000000000000000003",
};

/** A Discord with one route, which returns `answer`. */
function setup() {
	const clock = createManualClock();
	const requestedPaths: string[] = [];
	const discord = { answer: { status: 200, body: {} as unknown } };
	const rest = new REST({
		retries: 0,
		makeRequest: async (url) => {
			requestedPaths.push(new URL(url).pathname);
			const { status, body } = discord.answer;
			return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
		},
	}).setToken("a-token");
	return { overrides: createCommandPermissions({ rest, clock }), discord, asked: requestedPaths, clock };
}

const allowed = { permissions: [{ id: "31", type: 1, permission: true }] };

describe("admin permissions of a command", () => {
	test("are read from Discord and cached for a minute", async () => {
		const { overrides, discord, asked, clock } = setup();
		discord.answer = { status: 200, body: allowed };
		expect(await overrides.read(command)).toStrictEqual([{ kind: "role", id: "31", isAllowed: true }]);
		expect(asked).toStrictEqual([
			"/api/v10/applications/1000000000000000001/guilds/1000000000000000002/commands/1000000000000000003/permissions",
		]);
		discord.answer = { status: 200, body: { permissions: [] } };
		expect(await overrides.read(command)).toHaveLength(1);
		await clock.advance(60_001);
		expect(await overrides.read(command)).toStrictEqual([]);
		expect(asked).toHaveLength(2);
	});

	test("are empty if Discord has none", async () => {
		const { overrides, discord } = setup();
		discord.answer = { status: 404, body: { code: 10066, message: "Unknown application command permissions" } };
		expect(await overrides.read(command)).toStrictEqual([]);
	});

	test("are an error if they cannot be read, and requested again the next time", async () => {
		const { overrides, discord } = setup();
		discord.answer = { status: 403, body: { code: 50001, message: "Missing Access" } };
		await expect(overrides.read(command)).rejects.toThrow(DiscordAPIError);
		discord.answer = { status: 200, body: allowed };
		expect(await overrides.read(command)).toHaveLength(1);
	});
});
