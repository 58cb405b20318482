import { REST } from "discord.js";
import { describe, expect, test } from "vitest";
import { createCommandMentions } from "../../src/discord/command-mentions.ts";
import { createCommandOverrides } from "../../src/discord/command-overrides.ts";
import { DirectoryUnavailableError } from "../../src/services/access/guild-directory.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const command = {
	applicationId: "1000000000000000001",
	guildId: "1000000000000000002",
	commandName: "filter",
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
	const commandMentions = createCommandMentions([]);
	const commandOverrides = createCommandOverrides({ rest, commandMentions, clock });
	return { commandOverrides, commandMentions, discord, requestedPaths, clock };
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

	const { commandId, ...button } = command;

	test("are read for the registered command of a button, and are empty while its id is unknown", async () => {
		const { commandOverrides, commandMentions, discord, requestedPaths } = setup();
		discord.answer = { status: 200, body: allowed };
		expect(await commandOverrides.read(button)).toStrictEqual([]);
		commandMentions.learn([{ id: commandId, name: "filter" }]);
		expect(await commandOverrides.read(button)).toHaveLength(1);
		expect(requestedPaths[0]).toContain(commandId);
	});

	test("are read for a button of a command that was used, even if the registration failed", async () => {
		const { commandOverrides, discord } = setup();
		discord.answer = { status: 200, body: allowed };
		await commandOverrides.read(command);
		expect(await commandOverrides.read(button)).toHaveLength(1);
		expect(await commandOverrides.read({ ...button, commandName: "usage" })).toStrictEqual([]);
	});

	test("are empty if Discord has none", async () => {
		const { commandOverrides, discord } = setup();
		discord.answer = { status: 404, body: { code: 10066, message: "Unknown application command permissions" } };
		expect(await commandOverrides.read(command)).toStrictEqual([]);
	});

	test.each([
		[403, { code: 50001, message: "Missing Access" }],
		[503, {}],
	])(
		"cannot be read while Discord responds with %i, and are requested again at the next read",
		async (status, body) => {
			const { commandOverrides, discord } = setup();
			discord.answer = { status, body };
			await expect(commandOverrides.read(command)).rejects.toThrow(DirectoryUnavailableError);
			discord.answer = { status: 200, body: allowed };
			expect(await commandOverrides.read(command)).toHaveLength(1);
		},
	);
});
