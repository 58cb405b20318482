import { DiscordAPIError, REST } from "discord.js";
import { describe, expect, test } from "vitest";
import { createCommandOverrides } from "../../src/discord/command-overrides.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const command = {
	applicationId: "1000000000000000001",
	guildId: "1000000000000000002",
	commandName: "filter",
	commandId: "1000000000000000003",
};

const commandIdOf = (name: string) => (name === "filter" ? command.commandId : undefined);

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
	return { commandOverrides: createCommandOverrides({ rest, commandIdOf, clock }), discord, requestedPaths, clock };
}

const allowed = { permissions: [{ id: "31", type: 1, permission: true }] };

describe("the permissions that the admins of a server set for a command", () => {
	test("are read from Discord and cached for a minute", async () => {
		const { commandOverrides, discord, requestedPaths, clock } = setup();
		discord.answer = { status: 200, body: allowed };
		expect(await commandOverrides.read(command)).toStrictEqual([{ kind: "role", id: "31", isAllowed: true }]);
		expect(requestedPaths).toStrictEqual([
			"/api/v10/applications/1000000000000000001/guilds/1000000000000000002/commands/1000000000000000003/permissions",
		]);
		discord.answer = { status: 200, body: { permissions: [] } };
		expect(await commandOverrides.read(command)).toHaveLength(1);
		await clock.advance(60_001);
		expect(await commandOverrides.read(command)).toStrictEqual([]);
		expect(requestedPaths).toHaveLength(2);
	});

	test("are read for the registered command of a button, and are empty while its id is unknown", async () => {
		const { commandOverrides, discord, requestedPaths } = setup();
		discord.answer = { status: 200, body: allowed };
		const { commandId, ...named } = command;
		expect(await commandOverrides.read(named)).toHaveLength(1);
		expect(requestedPaths[0]).toContain(commandId);
		expect(await commandOverrides.read({ ...named, commandName: "usage" })).toStrictEqual([]);
	});

	test("are empty if Discord has none", async () => {
		const { commandOverrides, discord } = setup();
		discord.answer = { status: 404, body: { code: 10066, message: "Unknown application command permissions" } };
		expect(await commandOverrides.read(command)).toStrictEqual([]);
	});

	test("cannot be read while Discord rejects the request, and are requested again at the next read", async () => {
		const { commandOverrides, discord } = setup();
		discord.answer = { status: 403, body: { code: 50001, message: "Missing Access" } };
		await expect(commandOverrides.read(command)).rejects.toThrow(DiscordAPIError);
		discord.answer = { status: 200, body: allowed };
		expect(await commandOverrides.read(command)).toHaveLength(1);
	});
});
