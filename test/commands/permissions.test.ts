import { ApplicationCommandOptionType, PermissionFlagsBits, type ButtonInteraction } from "discord.js";
import { describe, expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { isModerator } from "../../src/commands/framework/invoking-member.ts";
import { components } from "../../src/commands/index.ts";
import { textsIn } from "../../src/discord/message-contents.ts";
import { DirectoryUnavailableError } from "../../src/services/access/guild-directory.ts";
import type { CommandOverride, CommandOverrides } from "../../src/services/access/command-overrides.ts";
import { storedSettingsSchema } from "../../src/services/settings/guild-settings.ts";
import { dispatchWith, fakeServices, messageCommands, slashCommands, type FakeServices } from "./fake-services.ts";
import { fakeInteraction, fakeOptions } from "./fake-interaction.ts";
import { COMMAND_MENTIONS } from "./longest-content.ts";

/**
 * The members who may use each command, checked in the bot itself. Every command, subcommand and component is listed
 * here, so that none is added without a decision.
 */
type Audience = "everyone" | "managers" | "moderators";
const names = (listed: string): readonly string[] => listed.trim().split(/\s+/);
const COMMANDS: Readonly<Record<Audience, readonly string[]>> = {
	everyone: names("image video music help gallery job credits privacy style"),
	managers: names("balance quota usage settings filter setup"),
	moderators: names("block unblock blocks"),
};
/** Subcommands of commands for everyone. */
const MANAGERS_SUBCOMMANDS = ["style add", "style remove"];
const MESSAGE_COMMANDS: Readonly<Record<string, Audience>> = {
	Animate: "everyone",
	"Make variations": "everyone",
	"Save as style": "managers",
	Report: "everyone",
};
/** Components for every member, by kind. */
const COMPONENTS_FOR_EVERYONE: Readonly<Record<string, readonly string[]>> = {
	button: [
		...names("jobs ping history styles help show-help show-limits report redeem forget"),
		// For those who may see the result: the service checks the member.
		...names("favorite regenerate vary edit improve animate input upscale choose-image"),
		...names("gallery-mine gallery-server gallery-favorites gallery-favorite gallery-show"),
		// For the member of the task and moderators: the service checks them.
		...names("delete cancel gallery-delete"),
		// For moderators: the service checks the member.
		"moderate",
		// For the member of the request alone: the service checks the member.
		...names("confirm edit-draft decline"),
	],
	modal: [
		...names("edit input report delete gallery-delete edit-draft"),
		// For moderators: the service checks the member.
		"moderate",
	],
};
/**
 * The other components by kind and name, with a custom id as the bot writes it. Admins can allow the ones of a command to other members;
 * for `null`, only the permission of the audience counts.
 */
const RESTRICTED_COMPONENTS: readonly (readonly [
	name: string,
	audience: Audience,
	command: string | null,
	customId: string,
])[] = [
	["stringSelect usage-range", "managers", "usage", "1:usage-range"],
	["button limit", "managers", "quota", "1:limit:timeZone:0"],
	["modal limit", "managers", "quota", "1:limit:timeZone:0"],
	["button setting-page", "managers", "settings", "1:setting-page:server"],
	["channelSelect channel-pick", "managers", "settings", "1:channel-pick"],
	["button channel-defaults", "managers", "settings", "1:channel-defaults:1000000000000000001:0"],
	["modal channel-defaults", "managers", "settings", "1:channel-defaults:1000000000000000001:0"],
	["button setting", "managers", "settings", "1:setting:media.spoiler:0"],
	["modal setting", "managers", "settings", "1:setting:confirmAbove:0"],
	["button audit", "managers", null, "1:audit:0:0:1"],
	["button filter", "managers", "filter", "1:filter:0:0:1"],
	["button filter-remove", "managers", "filter", "1:filter-remove:0:1"],
	["button styles-remove", "managers", null, "1:styles-remove:0:1"],
	["modal style", "managers", null, "1:style:1000000000000000001"],
	["button setup", "managers", null, "1:setup:limits"],
	["button setup-done", "managers", null, "1:setup-done"],
	["button setup-field", "managers", null, "1:setup-field:roles:0"],
	["modal setup-field", "managers", null, "1:setup-field:roles:0"],
	["button blocks", "moderators", "blocks", "1:blocks:0:0:1"],
	["button blocks-unblock", "moderators", "unblock", "1:blocks-unblock:0:1"],
	["button withheld", "moderators", null, "1:withheld:show:1000000000000000001"],
];

const audienceOf = (command: string): Audience | undefined =>
	(["everyone", "managers", "moderators"] as const).find((audience) => COMMANDS[audience].includes(command));

test("every command and component has a declared permission", () => {
	expect(Object.values(COMMANDS).flat().toSorted()).toStrictEqual(slashCommands.map(({ name }) => name).toSorted());
	const menus = messageCommands.map(({ name }) => name);
	expect(Object.keys(MESSAGE_COMMANDS).toSorted()).toStrictEqual(menus.toSorted());
	const forEveryone = Object.entries(COMPONENTS_FOR_EVERYONE).flatMap(([kind, each]) =>
		each.map((name) => `${kind} ${name}`),
	);
	const declared = [...forEveryone, ...RESTRICTED_COMPONENTS.map(([name]) => name)];
	expect(declared.toSorted()).toStrictEqual(components.map(({ kind, name }) => `${kind} ${name}`).toSorted());
});

test("Discord shows a command to the members who may use it", () => {
	const { ManageMessages, ManageGuild } = PermissionFlagsBits;
	const permissions = { everyone: null, moderators: String(ManageMessages), managers: String(ManageGuild) };
	for (const { name, default_member_permissions: permission = null } of slashCommands)
		expect([name, permission]).toStrictEqual([name, permissions[audienceOf(name) ?? "everyone"]]);
});

/** The commands without subcommands, and all subcommands, that not every member may use. */
const RESTRICTED_COMMANDS = slashCommands.flatMap(({ name, options = [] }) => {
	const subcommands = options.filter(({ type }) => type === ApplicationCommandOptionType.Subcommand);
	const paths = subcommands.length > 0 ? subcommands.map((each) => `${name} ${each.name}`) : [name];
	return paths.flatMap((path): readonly (readonly [string, Audience])[] => {
		const audience = MANAGERS_SUBCOMMANDS.includes(path) ? "managers" : audienceOf(name);
		return audience === undefined || audience === "everyone" ? [] : [[path, audience]];
	});
});

/** Sends an interaction that Discord would not allow, by a member without relevant permissions. */
function pressAsOutsider(
	is: Parameters<typeof fakeInteraction>[0],
	asked: object,
	readOverrides: CommandOverrides["read"] = async () => [],
) {
	const clock = createManualClock();
	const calledServices: string[] = [];
	/** The commands whose permissions were read. */
	const checkedCommands: string[] = [];
	/** The values of denied forms, with which the next form of the member starts. */
	const keptForms: unknown[] = [];
	const settings = storedSettingsSchema.parse({ filter: { patterns: ["bad word"] } });
	const reads: Readonly<Record<string, unknown>> = {
		"commandOverrides.read": (command: Parameters<CommandOverrides["read"]>[0]) => {
			checkedCommands.push(command.commandName);
			return readOverrides(command);
		},
		"commandMentions.link": COMMAND_MENTIONS.link,
		"commandMentions.say": COMMAND_MENTIONS.say,
		"settings.read": async () => settings,
		"languages.record": () => undefined,
		"languages.localeOf": () => "en-US",
		"deniedForms.set": (_form: unknown, values: unknown) => void keptForms.push(values),
		"clock.nowMs": () => clock.nowMs(),
		"clock.sleep": async (...given: Parameters<typeof clock.sleep>) => await clock.sleep(...given),
	};
	const serviceOf = (_services: object, service: string | symbol) =>
		new Proxy(
			{},
			{
				get: (_service, method) => {
					const path = `${String(service)}.${String(method)}`;
					if (path in reads) return reads[path];
					calledServices.push(path);
					throw new Error(`called ${path}`);
				},
			},
		);
	const services = new Proxy<FakeServices>({}, { get: serviceOf });
	const replies: string[] = [];
	const acknowledgements: string[] = [];
	const reply = async ({ content, components: shown }: { content?: string | null; components?: unknown }) =>
		void replies.push([content ?? "", ...textsIn(shown)].join("\n"));
	const interaction = fakeInteraction(is, {
		// Other permissions do not matter.
		permissions: PermissionFlagsBits.SendMessages | PermissionFlagsBits.ManageRoles,
		deferred: false,
		reply,
		editReply: reply,
		followUp: reply,
		deferUpdate: async () => void acknowledgements.push("update"),
		showModal: async () => void replies.push("a form"),
		...asked,
	});
	const result = { calledServices, checkedCommands, replies };
	return { done: dispatchWith(services)(interaction), clock, acknowledgements, keptForms, result };
}

/** Types a command. Its options are not read before the check. */
function typeCommand(path: string, more: object = {}, readOverrides?: CommandOverrides["read"]) {
	const [commandName = "", subcommand] = path.split(" ");
	const typed = { commandName, options: fakeOptions({}, subcommand), ...more };
	return pressAsOutsider(["isChatInputCommand"], typed, readOverrides);
}

const KINDS = {
	button: ["isMessageComponent", "isButton"],
	stringSelect: ["isMessageComponent", "isStringSelectMenu"],
	channelSelect: ["isMessageComponent", "isChannelSelectMenu"],
	modal: ["isModalSubmit"],
} as const;

function pressComponent(name: string, customId: string, readOverrides?: CommandOverrides["read"]) {
	const kind = name.split(" ")[0] as keyof typeof KINDS;
	const fields = { fields: new Map([["value", { value: "5" }]]) };
	return pressAsOutsider(KINDS[kind], { customId, values: ["1000000000000000050"], fields }, readOverrides);
}

const DENIALS = {
	managers: /manage (the|this) server|Manage Server/i,
	moderators: /look after|moderat|Manage Messages/i,
};

/** The only reply names the members who may do this. Only the permissions of `command` were read, and no other service was called. */
const denialFor = (audience: Audience, command: string | null) => ({
	calledServices: [],
	checkedCommands: command === null ? [] : [command],
	replies: [expect.stringMatching(DENIALS[audience as "managers"])],
});

const COMMAND_COMPONENTS = RESTRICTED_COMPONENTS.filter(([, , command]) => command !== null);
const RESTRICTED_MENUS = Object.entries(MESSAGE_COMMANDS).filter(([, audience]) => audience !== "everyone");
/** Managers only, whatever the admins allow to others. */
const MANAGERS_ONLY = ["setup", "balance grant", "balance revoke", ...MANAGERS_SUBCOMMANDS];

describe("a forged interaction without permission changes nothing, and its reply names those with permission", () => {
	test.each(RESTRICTED_COMMANDS)("/%s is for %s", async (path, audience) => {
		const { done, result } = typeCommand(path);
		await done;
		expect(result).toStrictEqual(denialFor(audience, MANAGERS_ONLY.includes(path) ? null : (path.split(" ")[0] ?? "")));
	});

	test.each(RESTRICTED_MENUS)("the context menu command %s is for %s", async (commandName, audience) => {
		const targetMessage = { author: { id: "1" }, components: [] };
		const { done, result } = pressAsOutsider(["isMessageContextMenuCommand"], { commandName, targetMessage });
		await done;
		expect(result).toStrictEqual(denialFor(audience, null));
	});

	test.each(RESTRICTED_COMPONENTS)("the %s is for %s", async (name, audience, command, customId) => {
		const { done, result } = pressComponent(name, customId);
		await done;
		expect(result).toStrictEqual(denialFor(audience, command));
	});
});

test.each([
	["a channel whose category is denied", false, ["ledger.history"]],
	["a thread whose channel is denied", true, []],
])("an allowed command in %s (a thread: %s) calls %j", async (_where, isThread, calledServices) => {
	const overrides: readonly CommandOverride[] = [
		{ kind: "role", id: "31", isAllowed: true },
		{ kind: "channel", id: "49", isAllowed: false },
	];
	const channel = { isThread: () => isThread, parentId: "49" };
	const { done, result } = typeCommand("usage", { channel, member: { roles: ["31"] } }, async () => overrides);
	await done;
	expect(result.calledServices).toStrictEqual(calledServices);
});

test.each(["settings audit", "settings export", "settings import"])(
	"/%s is for managers, even if the admins allow the command to others",
	async (path) => {
		const { done, result } = typeCommand(path, { member: { roles: ["31"] } }, async () => [
			{ kind: "role", id: "31", isAllowed: true },
		]);
		await done;
		expect(result).toStrictEqual(denialFor("managers", "settings"));
	},
);

test.each(COMMAND_COMPONENTS)(
	"the %s responds within Discord's three seconds while the permissions are not read",
	async (name, _audience, _command, customId) => {
		const { clock, acknowledgements, result } = pressComponent(name, customId, () => new Promise(() => {}));
		await clock.advance(2_500);
		expect([...acknowledgements, ...result.replies]).toStrictEqual([
			expect.stringMatching(/^(update|\n?Discord isn't responding)/),
		]);
	},
);

const failToRead = () => Promise.reject(new DirectoryUnavailableError());

test.each([
	["a typed command", () => typeCommand("usage", {}, failToRead)],
	["a component", () => pressComponent("button filter", "1:filter:0:0:1", failToRead)],
])("%s is denied if the permissions cannot be read", async (_what, use) => {
	const { done, result } = use();
	await done;
	expect(result.calledServices).toStrictEqual([]);
	expect(result.replies).toStrictEqual([expect.stringMatching(/Discord isn't responding/)]);
});

test("a form keeps its values if the permissions cannot be read", async () => {
	const { done, keptForms } = pressComponent("modal setting", "1:setting:confirmAbove:0", failToRead);
	await done;
	expect(keptForms).toStrictEqual([{ value: ["5"] }]);
});

test.each([
	["a manager", PermissionFlagsBits.ManageGuild, ["bad word"]],
	["another member", 0n, []],
])("of the filtered words, %s (%s) is suggested %j", async (_who, permissions, expected) => {
	const suggested: string[] = [];
	const { done } = pressAsOutsider(["isAutocomplete"], {
		commandName: "filter",
		permissions,
		options: { getFocused: () => "a" },
		respond: async (choices: readonly { name: string }[]) => void suggested.push(...choices.map(({ name }) => name)),
	});
	await done;
	expect(suggested).toStrictEqual(expected);
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
		const interaction = fakeInteraction(["isButton"], { permissions });
		expect(await isModerator(interaction as ButtonInteraction, fakeServices({ directory }))).toBe(expected);
	},
);
