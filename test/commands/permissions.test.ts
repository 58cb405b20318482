import { ApplicationCommandOptionType, PermissionFlagsBits, PermissionsBitField } from "discord.js";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createDispatch } from "../../src/commands/framework/dispatch.ts";
import type { CommandOverrides } from "../../src/services/settings/command-access.ts";
import { storedSettings } from "../../src/services/settings/settings-schema.ts";
import { components, dispatchDeps, messageCommands, slashCommands } from "./bind-all.ts";
import { linesOf, type Answer } from "./credit-command-setup.ts";
import { fakeInteraction } from "./fake-interaction.ts";

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
	modal: names("edit input report delete gallery-delete edit-draft"),
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
	["button audit", "managers", "settings", "1:audit:0:0:1"],
	["button filter", "managers", "filter", "1:filter:0:0:1"],
	["modal style", "managers", null, "1:style:1000000000000000001"],
	["button setup", "managers", null, "1:setup:limits"],
	["button setup-field", "managers", null, "1:setup-field:roles:0"],
	["modal setup-field", "managers", null, "1:setup-field:roles:0"],
	["button blocks", "moderators", "blocks", "1:blocks:0:0:1"],
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
	const defaults = storedSettings.parse({});
	const reads: Readonly<Record<string, unknown>> = {
		"commandOverrides.read": (command: Parameters<CommandOverrides["read"]>[0]) => {
			checkedCommands.push(command.commandName);
			return readOverrides(command);
		},
		"settings.read": async () => defaults,
		"languages.record": () => undefined,
		"languages.localeOf": () => "en-US",
		// In memory: the next form of the member starts with them.
		"deniedForms.set": () => undefined,
		"clock.nowMs": () => clock.nowMs(),
		"clock.sleep": async (...given: Parameters<typeof clock.sleep>) => await clock.sleep(...given),
	};
	const services = new Proxy<Readonly<Record<string, unknown>>>(
		{},
		{
			get: (_services, service) =>
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
				),
		},
	);
	const replies: string[] = [];
	const acknowledgements: string[] = [];
	const reply = async (answer: Answer) => void replies.push(linesOf(answer).join("\n"));
	const dispatch = createDispatch({
		...dispatchDeps(services),
		logger: pino({ level: "silent" }),
	});
	const interaction = fakeInteraction(is, {
		// Other permissions do not matter.
		memberPermissions: new PermissionsBitField(PermissionFlagsBits.SendMessages | PermissionFlagsBits.ManageRoles),
		deferred: false,
		reply,
		editReply: reply,
		followUp: reply,
		deferUpdate: async () => void acknowledgements.push("update"),
		showModal: async () => void replies.push("a form"),
		...asked,
	});
	return { done: dispatch(interaction), clock, acknowledgements, result: { calledServices, checkedCommands, replies } };
}

const KINDS = {
	button: ["isMessageComponent", "isButton"],
	stringSelect: ["isMessageComponent", "isStringSelectMenu"],
	channelSelect: ["isMessageComponent", "isChannelSelectMenu"],
	modal: ["isModalSubmit"],
} as const;

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

function pressComponent(name: string, customId: string, readOverrides?: CommandOverrides["read"]) {
	const kind = name.split(" ")[0] as keyof typeof KINDS;
	const fields = { fields: new Map(), getTextInputValue: () => "5", getStringSelectValues: () => [] };
	const message = { id: "5", attachments: new Map(), flags: { has: () => false } };
	const values = ["1000000000000000050"];
	return pressAsOutsider(KINDS[kind], { customId, values, fields, message }, readOverrides);
}

describe("a forged interaction without permission changes nothing, and its reply names those with permission", () => {
	test.each(RESTRICTED_COMMANDS)("/%s is for %s", async (path, audience) => {
		const [commandName = "", subcommand = null] = path.split(" ");
		const id = { id: "1000000000000000009" };
		const options = {
			getSubcommand: () => subcommand,
			getString: () => "0123",
			getInteger: () => 5,
			getNumber: () => 5,
			getBoolean: () => true,
			getUser: () => id,
			getMember: () => null,
			getRole: () => id,
			getChannel: () => id,
			getAttachment: () => ({ url: "https://cdn.example.com/a.json", size: 10 }),
		};
		const { done, result } = pressAsOutsider(["isChatInputCommand"], { commandName, options });
		await done;
		expect(result).toStrictEqual(denialFor(audience, MANAGERS_ONLY.includes(path) ? null : commandName));
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

	test.each(COMMAND_COMPONENTS)(
		"the %s is denied to a member who is denied the command",
		async (name, audience, command, customId) => {
			const { done, result } = pressComponent(name, customId, async ({ guildId }) => [
				{ kind: "role", id: guildId, isAllowed: true },
				{ kind: "user", id: "7", isAllowed: false },
			]);
			await done;
			expect(result).toStrictEqual(denialFor(audience, command));
		},
	);
});

test.each(COMMAND_COMPONENTS)(
	"the %s responds within Discord's three seconds while the permissions are not read",
	async (name, _audience, _command, customId) => {
		const { clock, acknowledgements, result } = pressComponent(name, customId, () => new Promise(() => {}));
		await clock.advance(2_500);
		const { replies } = result;
		expect([...acknowledgements, ...replies]).toStrictEqual([
			expect.stringMatching(/^(update|Discord isn't responding)/),
		]);
	},
);

test("the button Delete of the gallery opens its form without a request to Discord", async () => {
	const { done, result } = pressComponent("button", "1:gallery-delete:mine:0:1000000000000000001");
	await done;
	expect(result).toMatchObject({ calledServices: [], replies: ["a form"] });
});
