import { PermissionFlagsBits, PermissionsBitField, type ButtonInteraction } from "discord.js";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { bind } from "../../src/commands/framework/bind-commands.ts";
import { definePrivateCommand } from "../../src/commands/framework/command.ts";
import { createDispatch } from "../../src/commands/framework/dispatch.ts";
import { isModerator, MANAGERS_OR_ALLOWED } from "../../src/commands/framework/invoking-member.ts";
import { DirectoryUnavailableError } from "../../src/services/access/guild-directory.ts";
import type { CommandOverride, CommandOverrides } from "../../src/services/settings/command-access.ts";
import { storedSettings } from "../../src/services/settings/settings-schema.ts";
import { dispatchDeps } from "./bind-all.ts";
import { linesOf, type Answer } from "./credit-command-setup.ts";
import { fakeInteraction } from "./fake-interaction.ts";

interface Asker {
	readonly overrides?: readonly CommandOverride[] | Error;
	readonly parentId?: string;
}

/** Types a command with an authorization check, past Discord's own check; resolves to the reply. */
async function answerToCommand({ overrides = [], parentId }: Asker): Promise<string> {
	const answers: string[] = [];
	const interaction = fakeInteraction(["isChatInputCommand"], {
		commandName: "settings",
		channel: { isThread: () => parentId !== undefined, parentId: parentId ?? "a category" },
		member: { roles: ["31"] },
		reply: async (reply: Answer) => void answers.push(linesOf(reply).join("\n")),
	});
	const read = async (): Promise<readonly CommandOverride[]> => {
		if (overrides instanceof Error) throw overrides;
		return overrides;
	};
	const secret = definePrivateCommand<{ readonly commandOverrides: CommandOverrides }>("settings", "command.settings", {
		audience: MANAGERS_OR_ALLOWED,
		async execute(each) {
			await each.reply({ content: "the secret" });
		},
	});
	const commands = bind({ commands: [secret] }, { commandOverrides: { read } });
	const dispatch = createDispatch({ ...dispatchDeps({}, commands), logger: pino({ level: "silent" }) });
	await dispatch(interaction);
	return answers.join();
}

describe("a managers' command that Discord let through", () => {
	test("counts a thread as part of its channel", async () => {
		const overrides: readonly CommandOverride[] = [
			{ kind: "role", id: "31", isAllowed: true },
			{ kind: "channel", id: "49", isAllowed: false },
		];
		expect(await answerToCommand({ overrides })).toBe("the secret");
		expect(await answerToCommand({ overrides, parentId: "49" })).toContain("You need the Manage Server permission");
	});

	test("is denied while the overrides cannot be read", async () => {
		expect(await answerToCommand({ overrides: new DirectoryUnavailableError() })).toMatch(/^Discord isn't responding/);
	});
});

/** Types part of a pattern to remove, past Discord's own check; resolves to the offered choices. */
async function offeredChoices(permissions: bigint): Promise<readonly string[]> {
	const names: string[] = [];
	const interaction = fakeInteraction(["isAutocomplete"], {
		commandName: "filter",
		memberPermissions: new PermissionsBitField(permissions),
		options: { getFocused: () => "a" },
		respond: async (choices: readonly { name: string }[]) => void names.push(...choices.map(({ name }) => name)),
	});
	const settings = { read: async () => storedSettings.parse({ filter: { patterns: ["bad word"] } }) };
	const services = { settings, commandOverrides: { read: async () => [] } };
	await createDispatch({ ...dispatchDeps(services), logger: pino({ level: "silent" }) })(interaction);
	return names;
}

test("filtered words are suggested only to members who may read them", async () => {
	expect(await offeredChoices(PermissionFlagsBits.ManageGuild)).toStrictEqual(["bad word"]);
	expect(await offeredChoices(0n)).toStrictEqual([]);
});

test.each([
	["a manager", PermissionFlagsBits.ManageGuild, undefined, true],
	["a member whose role has Manage Messages", PermissionFlagsBits.ManageMessages, true, true],
	["a member with Manage Messages in one channel only", PermissionFlagsBits.ManageMessages, false, false],
	["another member", 0n, undefined, false],
])(
	"%s, with the permissions %s and by role %s, moderates the server: %s",
	async (_who, permissions, isModeratorByRole, expected) => {
		const directory = {
			async readAccess() {
				if (isModeratorByRole === undefined) throw new Error("not asked");
				const byRole = { isAdministrator: false, isManager: false, isModerator: isModeratorByRole };
				return { roleIds: [], permissions: byRole };
			},
		};
		const interaction = fakeInteraction(["isButton"], { memberPermissions: new PermissionsBitField(permissions) });
		expect(await isModerator(interaction as ButtonInteraction, { directory })).toBe(expected);
	},
);

test.each([
	"1:blocks:0:0:1",
	"1:moderate:block:1000000000000000001:1000000000000000002",
	"1:withheld:show:1000000000000000001",
])("the button %s is acknowledged before Discord is asked for the member's permissions", async (customId) => {
	const order: string[] = [];
	const interaction = fakeInteraction(["isMessageComponent", "isButton"], {
		customId,
		memberPermissions: new PermissionsBitField(PermissionFlagsBits.ManageMessages),
		deferUpdate: async () => void order.push("acknowledged"),
		reply: async () => void order.push("denied"),
	});
	const directory = { readAccess: async () => void order.push("asked") };
	await createDispatch({ ...dispatchDeps({ directory }), logger: pino({ level: "silent" }) })(interaction);
	expect(order).toStrictEqual(["acknowledged", "asked", "denied"]);
});
