import { describe, expect, test } from "vitest";
import type { GuildSettings } from "../../../src/services/settings/guild-settings.ts";
import { isModelEnabled, denialReason } from "../../../src/services/moderation/policy.ts";
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
const member = { userId: "7", roleIds: ["31", "32"] };
const where = { channelIds: ["50"], isAgeRestricted: false };
const thread = { channelIds: ["51", "50"], isAgeRestricted: false };

interface Asked {
	readonly settings?: object;
	readonly request?: object;
	readonly member?: { userId: string; roleIds: readonly string[] };
	readonly where?: { channelIds: readonly string[]; isAgeRestricted: boolean };
}

/** The message key of the denial, or "allowed". */
function verdict({ settings = {}, request: change = {}, ...asked }: Asked): string {
	const decided: GuildSettings = storedSettings.parse(settings);
	const denial = denialReason(decided, { ...request, ...change }, asked.member ?? member, asked.where ?? where, NOW_MS);
	return denial?.key ?? "allowed";
}
const channels = (lists: object): Asked => ({ settings: { access: { channels: lists } } });
const roles = (lists: object): Asked => ({ settings: { access: { roles: lists } } });
const blocked = (untilMs: number | null) => ({ blocks: { "7": { reason: "spam", byUserId: "1", atMs: 1, untilMs } } });

describe("the settings of a server allow", () => {
	test.each<[string, Asked, string]>([
		["a member by default", {}, "allowed"],
		["no member while generation is paused", { settings: { access: { paused: { message: null } } } }, "access.paused"],
		["no blocked member", { settings: blocked(null) }, "access.blocked"],
		["no temporarily blocked member", { settings: blocked(NOW_MS + 1) }, "access.blocked"],
		["a member whose block has expired", { settings: blocked(NOW_MS) }, "allowed"],
		[
			"other members than the blocked one",
			{ settings: blocked(null), member: { userId: "8", roleIds: [] } },
			"allowed",
		],
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
		["a thread of an allowed channel", { ...channels({ allowed: ["50"] }), where: thread }, "allowed"],
		["no thread of a denied channel", { ...channels({ denied: ["50"] }), where: thread }, "access.channelDenied"],
		[
			"a thread that is allowed in a channel that is not",
			{ ...channels({ allowed: ["51"], denied: ["50"] }), where: thread },
			"allowed",
		],
		["no disabled media type", { settings: { access: { mediaOff: ["image"] } } }, "access.mediaTypeOff"],
		["another media type", { settings: { access: { mediaOff: ["video"] } } }, "allowed"],
		["no disabled model", { settings: { access: { modelsOff: ["paint-1"] } } }, "access.modelOff"],
		[
			"no age-restricted model in other channels",
			{ request: { needsAgeRestrictedChannel: true } },
			"access.modelAgeRestricted",
		],
		[
			"one in an age-restricted channel",
			{ request: { needsAgeRestrictedChannel: true }, where: { ...where, isAgeRestricted: true } },
			"allowed",
		],
		["no filtered word in the prompt", { settings: { filter: { patterns: ["lake"] } } }, "access.wordBlocked"],
		[
			"no filtered word in the negative prompt",
			{ settings: { filter: { patterns: ["cloud*"] } } },
			"access.wordBlocked",
		],
		["no filtered word in the lyrics", { settings: { filter: { patterns: ["la la"] } } }, "access.wordBlocked"],
	])("%s", (_what, asked, expected) => {
		expect(verdict(asked)).toBe(expected);
	});

	test("a member id that is a JavaScript property name is not blocked", () => {
		expect(verdict({ member: { userId: "constructor", roleIds: [] } })).toBe("allowed");
	});
});

test("a denial names the way out, and quotes what members wrote", () => {
	const decided = storedSettings.parse({
		access: { channels: { allowed: Array.from({ length: 12 }, (_, n) => String(100 + n)) } },
		filter: { patterns: ["lake"] },
	});
	const elsewhere = denialReason(decided, request, member, where, NOW_MS);
	expect(elsewhere && t("en", elsewhere)).toMatch(
		/^You can't generate in this channel\. Use one of these: <#100>, .*<#109>, and 2 more$/,
	);
	const block = storedSettings.parse({
		blocks: { "7": { reason: "@everyone **spam**", byUserId: "1", atMs: 1, untilMs: null } },
	});
	const denial = denialReason(block, request, member, where, NOW_MS);
	expect(denial && t("en", denial)).toContain(String.raw`\@everyone \*\*spam\*\*`);
});

test("a model is offered where it can be used", () => {
	const decided = storedSettings.parse({ access: { modelsOff: ["paint-1"] } });
	expect(isModelEnabled(decided, { id: "paint-1", ageRestricted: false }, true)).toBe(false);
	expect(isModelEnabled(decided, { id: "paint-2", ageRestricted: true }, false)).toBe(false);
	expect(isModelEnabled(decided, { id: "paint-2", ageRestricted: true }, true)).toBe(true);
});
