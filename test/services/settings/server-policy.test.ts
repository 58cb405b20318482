import { expect, test } from "vitest";
import { denialReason } from "../../../src/services/settings/server-policy.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
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

const denialBy = (settings: object, where = channel, who = member) =>
	denialReason(storedSettingsSchema.parse(settings), request, who, where, NOW_MS);

const blocked = (untilMs: number | null, reason = "spam") => ({
	blocks: { "7": { reason, byUserId: "1", atMs: 1, untilMs } },
});
const roles = (lists: object) => ({ access: { roles: lists } });
const channels = (lists: object) => ({ access: { channels: lists } });
const filter = (...patterns: readonly string[]) => ({ filter: { patterns } });

test.each<[string, object, string, typeof channel?]>([
	["no member while generation is paused", { access: { paused: { message: null } } }, "access.paused"],
	["no blocked member", blocked(null), "access.blocked"],
	["no temporarily blocked member", blocked(NOW_MS + 1), "access.blocked"],
	["a member whose block has expired", blocked(NOW_MS), "allowed"],
	["a member with an allowed role", roles({ allowed: ["32"] }), "allowed"],
	["no member without one of the allowed roles", roles({ allowed: ["33"] }), "access.roleNeeded"],
	["no member with a denied role besides", roles({ allowed: ["31"], denied: ["32"] }), "access.roleDenied"],
	["an allowed channel", channels({ allowed: ["50"] }), "allowed"],
	["no channel outside of the allowed ones", channels({ allowed: ["49"] }), "access.channelElsewhere"],
	["no denied channel", channels({ denied: ["50"] }), "access.channelDenied"],
	["a thread of an allowed channel", channels({ allowed: ["50"] }), "allowed", thread],
	["no thread of a denied channel", channels({ denied: ["50"] }), "access.channelDenied", thread],
	["an allowed thread of a denied channel", channels({ allowed: ["51"], denied: ["50"] }), "allowed", thread],
	["no disabled media type", { access: { mediaOff: ["image"] } }, "access.mediaTypeOff"],
	["no disabled model", { access: { modelsOff: ["paint-1"] } }, "access.modelOff"],
	["no filtered word in the prompt", filter("lake"), "access.wordBlocked"],
	["no filtered word in the negative prompt", filter("cloud*"), "access.wordBlockedIn"],
	["no filtered word in the lyrics", filter("la la"), "access.wordBlockedIn"],
	["a filtered word in an option that members choose", filter("1:1"), "allowed"],
])("the settings of a server allow %s", (_what, settings, expected, where) => {
	expect(denialBy(settings, where)?.key ?? "allowed").toBe(expected);
});

test("a member id that is a JavaScript property name is not blocked", () => {
	expect(denialBy({}, channel, { ...member, userId: "constructor" })).toBeUndefined();
});

test("a denial names the allowed alternatives, and quotes texts of members without formatting", () => {
	const allowed = Array.from({ length: 12 }, (_, n) => String(100 + n));
	const elsewhere = denialBy(channels({ allowed }));
	expect(elsewhere && t("en", elsewhere)).toMatch(
		/^You can't generate in this channel\. Use one of these, or ask an admin: <#100>, .*<#109>, and 2 more$/,
	);
	const roleNeeded = denialBy(roles({ allowed }));
	expect(roleNeeded && t("en", roleNeeded)).toMatch(
		/^You need one of these roles to generate here: <@&100>, .*<@&109>, and 2 more\. Ask an admin\.$/,
	);
	const denial = denialBy(blocked(null, "@everyone **spam**"));
	expect(denial && t("en", denial)).toContain(String.raw`\@everyone \*\*spam\*\*`);
});
