import { REST } from "discord.js";
import { describe, expect, test } from "vitest";
import { createCommandMentions } from "../../src/discord/command-mentions.ts";
import { createCommandOverrides } from "../../src/discord/command-overrides.ts";
import { DirectoryUnavailableError } from "../../src/services/access/guild-directory.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const command = { applicationId: "1000000000000000001", guildId: "1000000000000000002", commandName: "filter" };
const COMMAND_ID = "1000000000000000003";
const COMMANDS_PATH = "/api/v10/applications/1000000000000000001/commands";
const OVERRIDES_PATH = `/api/v10/applications/1000000000000000001/guilds/1000000000000000002/commands/${COMMAND_ID}/permissions`;

/** A Discord that responds with `answer`, or with the commands of the bot if they are requested. */
function setup({ isRegistered = true } = {}) {
	const clock = createManualClock();
	const requestedPaths: string[] = [];
	const discord = { answer: { status: 200, body: {} as unknown }, registered: [{ id: COMMAND_ID, name: "filter" }] };
	const rest = new REST({
		retries: 0,
		makeRequest: async (url) => {
			const path = new URL(url).pathname;
			requestedPaths.push(path);
			const { status, body } = discord.answer;
			const isListOfCommands = path === COMMANDS_PATH && status === 200;
			return new Response(JSON.stringify(isListOfCommands ? discord.registered : body), {
				status,
				headers: { "content-type": "application/json" },
			});
		},
	}).setToken("a-token");
	const commandMentions = createCommandMentions([]);
	if (isRegistered) commandMentions.learn(discord.registered);
	const commandOverrides = createCommandOverrides({ rest, commandMentions, clock });
	return { commandOverrides, discord, requestedPaths, clock };
}

const allowed = { permissions: [{ id: "31", type: 1, permission: true }] };

describe("the permissions that the admins of a server set for a command", () => {
	test("are read from Discord and cached for a minute", async () => {
		const { commandOverrides, discord, requestedPaths, clock } = setup();
		discord.answer = { status: 200, body: allowed };
		expect(await commandOverrides.read(command)).toStrictEqual([{ kind: "role", id: "31", isAllowed: true }]);
		expect(requestedPaths).toStrictEqual([OVERRIDES_PATH]);
		discord.answer = { status: 200, body: { permissions: [] } };
		expect(await commandOverrides.read(command)).toHaveLength(1);
		await clock.advance(60_001);
		expect(await commandOverrides.read(command)).toStrictEqual([]);
		expect(requestedPaths).toHaveLength(2);
	});

	test("are read after a restart that could not register the commands", async () => {
		const { commandOverrides, discord, requestedPaths } = setup({ isRegistered: false });
		discord.answer = { status: 200, body: allowed };
		expect(await commandOverrides.read(command)).toHaveLength(1);
		expect(requestedPaths).toStrictEqual([COMMANDS_PATH, OVERRIDES_PATH]);
	});

	test("of a command that Discord does not list are empty, and the list is read once a minute", async () => {
		const { commandOverrides, requestedPaths, clock } = setup({ isRegistered: false });
		const readUnlisted = () => commandOverrides.read({ ...command, commandName: "usage" });
		expect(await Promise.all([readUnlisted(), readUnlisted()])).toStrictEqual([[], []]);
		expect(requestedPaths).toStrictEqual([COMMANDS_PATH]);
		await clock.advance(60_001);
		await readUnlisted();
		expect(requestedPaths).toHaveLength(2);
	});

	test("are empty if Discord has none", async () => {
		const { commandOverrides, discord } = setup();
		discord.answer = { status: 404, body: { code: 10066, message: "Unknown application command permissions" } };
		expect(await commandOverrides.read(command)).toStrictEqual([]);
	});

	test.each([
		[403, { code: 50001, message: "Missing Access" }, true],
		[503, {}, true],
		[503, {}, false],
	])(
		"cannot be read while Discord responds with %i, and are requested again at the next read",
		async (status, body, isRegistered) => {
			const { commandOverrides, discord } = setup({ isRegistered });
			discord.answer = { status, body };
			await expect(commandOverrides.read(command)).rejects.toThrow(DirectoryUnavailableError);
			discord.answer = { status: 200, body: allowed };
			expect(await commandOverrides.read(command)).toHaveLength(1);
		},
	);
});
