import { expect, test } from "vitest";
import { isCommandAllowed, type CommandOverride } from "../../../src/services/access/command-overrides.ts";

const GUILD = "1000000000000000010";
const ALL_CHANNELS = "1000000000000000009";
const member = { guildId: GUILD, userId: "7", roleIds: ["31", "32"] };
const allow = (kind: CommandOverride["kind"], id: string): CommandOverride => ({ kind, id, isAllowed: true });
const deny = (kind: CommandOverride["kind"], id: string): CommandOverride => ({ kind, id, isAllowed: false });

test.each<[string, readonly CommandOverride[], boolean]>([
	["is denied by default", [], false],
	["is allowed by name", [allow("user", "7")], true],
	["is not allowed by another member's name", [allow("user", "8")], false],
	["is allowed by a role", [allow("role", "31")], true],
	["is not allowed by a role that they do not have", [allow("role", "33")], false],
	["is allowed by one role although another is denied", [deny("role", "31"), allow("role", "32")], true],
	["is denied by name although a role is allowed", [deny("user", "7"), allow("role", "31")], false],
	["is allowed by name although a role is denied", [allow("user", "7"), deny("role", "31")], true],
	["is allowed with everyone", [allow("role", GUILD)], true],
	["is denied by a role although everyone is allowed", [deny("role", "31"), allow("role", GUILD)], false],
	["is not allowed by a channel alone", [allow("channel", "50")], false],
	["is denied in a denied channel", [allow("user", "7"), deny("channel", "50")], false],
	["is denied if all channels are denied", [allow("user", "7"), deny("channel", ALL_CHANNELS)], false],
	[
		"is allowed in the only channel that is not denied",
		[allow("user", "7"), deny("channel", ALL_CHANNELS), allow("channel", "50")],
		true,
	],
	["is allowed if another channel is denied", [allow("user", "7"), deny("channel", "51")], true],
	["is not allowed by a user's id given as a role", [allow("role", "7")], false],
])("a member without the permission to manage the server %s", (_rule, overrides, expected) => {
	expect(isCommandAllowed(overrides, member, { channelIds: ["50"] })).toBe(expected);
});
