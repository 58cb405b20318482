import { describe, expect, test } from "vitest";
import { isCommandAllowed, type CommandOverride } from "../../../src/services/settings/command-access.ts";

const GUILD = "1000000000000000010";
const ALL_CHANNELS = "1000000000000000009";
const asker = { guildId: GUILD, userId: "7", roleIds: ["31", "32"], channelIds: ["50"] };
const yes = (kind: CommandOverride["kind"], id: string): CommandOverride => ({ kind, id, isAllowed: true });
const no = (kind: CommandOverride["kind"], id: string): CommandOverride => ({ kind, id, isAllowed: false });

describe("a member without the permission to manage the server", () => {
	test.each<[string, readonly CommandOverride[], boolean]>([
		["is denied by default", [], false],
		["is allowed by name", [yes("user", "7")], true],
		["is not allowed by another member's name", [yes("user", "8")], false],
		["is allowed by a role", [yes("role", "31")], true],
		["is not allowed by a role that they do not have", [yes("role", "33")], false],
		["is allowed by one role although another is denied", [no("role", "31"), yes("role", "32")], true],
		["is denied by name although a role is allowed", [no("user", "7"), yes("role", "31")], false],
		["is allowed by name although a role is denied", [yes("user", "7"), no("role", "31")], true],
		["is allowed with everyone", [yes("role", GUILD)], true],
		["is denied by a role although everyone is allowed", [no("role", "31"), yes("role", GUILD)], false],
		["is not allowed by a channel alone", [yes("channel", "50")], false],
		["is denied in a denied channel", [yes("user", "7"), no("channel", "50")], false],
		["is kept out where all channels are denied", [yes("user", "7"), no("channel", ALL_CHANNELS)], false],
		[
			"is allowed in the only channel that is not denied",
			[yes("user", "7"), no("channel", ALL_CHANNELS), yes("channel", "50")],
			true,
		],
		["is allowed if another channel is denied", [yes("user", "7"), no("channel", "51")], true],
		["is not allowed by a user's id given as a role", [yes("role", "7")], false],
	])("%s", (_rule, overrides, expected) => {
		expect(isCommandAllowed(overrides, asker)).toBe(expected);
	});
});
