import { describe, expect, test } from "vitest";
import { denialReason } from "../../../src/services/moderation/policy.ts";
import { storedSettings } from "../../../src/services/settings/settings-schema.ts";
import { t } from "../../../src/i18n/messages.ts";

const NOW_MS = 1_000_000;
const request = {
	mediaType: "image",
	model: "paint-1",
	modelName: "Paint",
	prompt: "a boat on a lake",
	options: { aspect_ratio: "1:1", negative_prompt: "clouds", lyrics: "la la" },
} as const;
const member = { guildId: "1", userId: "7", roleIds: ["31", "32"] };
const channel = { channelIds: ["50"], isAgeRestricted: false };
const thread = { channelIds: ["51", "50"], isAgeRestricted: false };

interface VerdictInput {
	readonly settings?: object;
	readonly request?: object;
	readonly member?: typeof member;
	readonly channel?: { channelIds: readonly string[]; isAgeRestricted: boolean };
}

/** Returns the message key of the denial, or "allowed". */
function verdict({ settings = {}, request: change = {}, ...by }: VerdictInput): string {
	const requested = { ...request, ...change };
	const guildSettings = storedSettings.parse(settings);
	const denial = denialReason(guildSettings, requested, by.member ?? member, by.channel ?? channel, NOW_MS);
	return denial?.key ?? "allowed";
}
const channels = (lists: object): VerdictInput => ({ settings: { access: { channels: lists } } });
const roles = (lists: object): VerdictInput => ({ settings: { access: { roles: lists } } });
const blocked = (untilMs: number | null) => ({ blocks: { "7": { reason: "spam", byUserId: "1", atMs: 1, untilMs } } });

describe("the settings of a server allow", () => {
	test.each<[string, VerdictInput, string]>([
		["no member while generation is paused", { settings: { access: { paused: { message: null } } } }, "access.paused"],
		["no blocked member", { settings: blocked(null) }, "access.blocked"],
		["no temporarily blocked member", { settings: blocked(NOW_MS + 1) }, "access.blocked"],
		["a member whose block has expired", { settings: blocked(NOW_MS) }, "allowed"],
		["a member with an allowed role", roles({ allowed: ["32"] }), "allowed"],
		["no member without one of the allowed roles", roles({ allowed: ["33"] }), "access.roleNeeded"],
		[
			"no member with a denied role, whatever other roles they have",
			roles({ allowed: ["31"], denied: ["32"] }),
			"access.roleDenied",
		],
		["an allowed channel", channels({ allowed: ["50"] }), "allowed"],
		["no channel outside of the allowed ones", channels({ allowed: ["49"] }), "access.channelElsewhere"],
		["no denied channel", channels({ denied: ["50"] }), "access.channelDenied"],
		["a thread of an allowed channel", { ...channels({ allowed: ["50"] }), channel: thread }, "allowed"],
		["no thread of a denied channel", { ...channels({ denied: ["50"] }), channel: thread }, "access.channelDenied"],
		[
			"a thread that is allowed in a channel that is not",
			{ ...channels({ allowed: ["51"], denied: ["50"] }), channel: thread },
			"allowed",
		],
		["no disabled media type", { settings: { access: { mediaOff: ["image"] } } }, "access.mediaTypeOff"],
		["no disabled model", { settings: { access: { modelsOff: ["paint-1"] } } }, "access.modelOff"],
		["no filtered word in the prompt", { settings: { filter: { patterns: ["lake"] } } }, "access.wordBlocked"],
		[
			"no filtered word in the negative prompt",
			{ settings: { filter: { patterns: ["cloud*"] } } },
			"access.wordBlockedIn",
		],
		["a filtered word in an option that members choose", { settings: { filter: { patterns: ["1:1"] } } }, "allowed"],
		["no filtered word in the lyrics", { settings: { filter: { patterns: ["la la"] } } }, "access.wordBlockedIn"],
	])("%s", (_what, input, expected) => {
		expect(verdict(input)).toBe(expected);
	});

	test("a member id that is a JavaScript property name is not blocked", () => {
		expect(verdict({ member: { ...member, userId: "constructor" } })).toBe("allowed");
	});
});

test("a denial names the allowed alternatives, and quotes texts of members without formatting", () => {
	const settings = storedSettings.parse({
		access: { channels: { allowed: Array.from({ length: 12 }, (_, n) => String(100 + n)) } },
		filter: { patterns: ["lake"] },
	});
	const elsewhere = denialReason(settings, request, member, channel, NOW_MS);
	expect(elsewhere && t("en", elsewhere)).toMatch(
		/^You can't generate in this channel\. Use one of these, or ask an admin: <#100>, .*<#109>, and 2 more$/,
	);
	const block = storedSettings.parse({
		blocks: { "7": { reason: "@everyone **spam**", byUserId: "1", atMs: 1, untilMs: null } },
	});
	const denial = denialReason(block, request, member, channel, NOW_MS);
	expect(denial && t("en", denial)).toContain(String.raw`\@everyone \*\*spam\*\*`);
});
