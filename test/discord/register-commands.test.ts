import type { REST } from "discord.js";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { definitionsFor } from "../../src/commands/index.ts";
import { registerCommands } from "../../src/discord/register-commands.ts";

const definitions = definitionsFor({ canImprovePrompts: true });

/** Commands as Discord returns them: with ids and explicit defaults. */
const asRegistered = (all: readonly object[]): unknown[] =>
	structuredClone(all).map((each, n) => ({
		id: `100000000000000000${n}`,
		application_id: "1",
		version: "1",
		nsfw: false,
		dm_permission: true,
		name_localizations: null,
		description_localizations: null,
		...each,
	}));

async function countRegistrations(registered: unknown): Promise<number> {
	let count = 0;
	const rest = { get: async () => registered, put: async () => count++ };
	await registerCommands(rest as unknown as REST, "1", definitions, pino({ level: "silent" }));
	return count;
}

describe("command registration", () => {
	test("registers commands if none exist", async () => {
		expect(await countRegistrations([])).toBe(1);
	});

	test("leaves registered commands with explicit defaults unchanged, in any order", async () => {
		expect(await countRegistrations(asRegistered(definitions))).toBe(0);
		expect(await countRegistrations(asRegistered(definitions).toReversed())).toBe(0);
	});

	test.each([
		["one is missing", (all: readonly object[]) => all.slice(1)],
		["one is no longer defined", (all: readonly object[]) => [...all, { name: "old", description: "old" }]],
		["a description differs", ([first, ...rest]: readonly object[]) => [{ ...first, description: "other" }, ...rest]],
		["an option is missing", ([first, ...rest]: readonly object[]) => [{ ...first, options: [] }, ...rest]],
		[
			"the default permission differs",
			([first, ...rest]: readonly object[]) => [{ ...first, default_member_permissions: "8" }, ...rest],
		],
	])("registers again if %s", async (_what, change) => {
		expect(await countRegistrations(asRegistered(change(definitions)))).toBe(1);
	});
});
