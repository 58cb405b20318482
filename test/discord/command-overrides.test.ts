import { REST } from "discord.js";
import { describe, expect, test } from "vitest";
import { createCommandMentions } from "../../src/discord/command-mentions.ts";
import { createCommandOverrides } from "../../src/discord/command-overrides.ts";
import { DirectoryUnavailableError } from "../../src/services/access/guild-directory.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const command = { applicationId: "1000000000000000001", guildId: "1000000000000000002", commandName: "filter" };
const registered = [{ id: "1000000000000000003", name: "filter" }];
const COMMANDS = "/api/v10/applications/1000000000000000001/commands";
const OVERRIDES =
	"/api/v10/applications/1000000000000000001/guilds/1000000000000000002/commands/1000000000000000003/permissions";
const allowed = { permissions: [{ id: "31", type: 1, permission: true }] };

/** A Discord that answers `status` and `body`, and the commands of the bot if they are requested. */
function setup({ isRegistered = true } = {}) {
	const clock = createManualClock();
	const requestedPaths: string[] = [];
	const discord = { status: 200, body: allowed as object };
	const rest = new REST({
		retries: 0,
		makeRequest: async (url) => {
			const path = new URL(url).pathname;
			requestedPaths.push(path);
			const { status, body } = discord;
			return Response.json(path === COMMANDS && status === 200 ? registered : body, { status });
		},
	}).setToken("a-token");
	const commandMentions = createCommandMentions([]);
	if (isRegistered) commandMentions.learn(registered);
	const commandOverrides = createCommandOverrides({ rest, commandMentions, clock });
	const read = (commandName = "filter") => commandOverrides.read({ ...command, commandName });
	return { read, discord, requestedPaths, clock };
}

describe("the permissions that the admins of a server set for a command", () => {
	test("are read from Discord and cached for a minute", async () => {
		const { read, discord, requestedPaths, clock } = setup();
		expect(await read()).toStrictEqual([{ kind: "role", id: "31", isAllowed: true }]);
		expect(requestedPaths).toStrictEqual([OVERRIDES]);
		discord.body = { permissions: [] };
		expect(await read()).toHaveLength(1);
		await clock.advance(60_001);
		expect(await read()).toStrictEqual([]);
		expect(requestedPaths).toHaveLength(2);
	});

	test("are read after a restart that could not register the commands", async () => {
		const { read, requestedPaths } = setup({ isRegistered: false });
		expect(await read()).toHaveLength(1);
		expect(requestedPaths).toStrictEqual([COMMANDS, OVERRIDES]);
	});

	test("of a command that Discord does not list are empty, and the list is read once a minute", async () => {
		const { read, requestedPaths, clock } = setup({ isRegistered: false });
		expect(await Promise.all([read("usage"), read("usage")])).toStrictEqual([[], []]);
		expect(requestedPaths).toStrictEqual([COMMANDS]);
		await clock.advance(60_001);
		await read("usage");
		expect(requestedPaths).toHaveLength(2);
	});

	test("are empty if Discord has none", async () => {
		const { read, discord } = setup();
		Object.assign(discord, { status: 404, body: { code: 10066, message: "Unknown application command permissions" } });
		expect(await read()).toStrictEqual([]);
	});

	test.each([
		[403, true],
		[503, true],
		[503, false],
	])(
		"cannot be read while Discord responds with %i, and are requested again (registered: %s)",
		async (status, isRegistered) => {
			const { read, discord } = setup({ isRegistered });
			Object.assign(discord, { status, body: { code: 50001, message: "Missing Access" } });
			await expect(read()).rejects.toThrow(DirectoryUnavailableError);
			Object.assign(discord, { status: 200, body: allowed });
			expect(await read()).toHaveLength(1);
		},
	);
});
