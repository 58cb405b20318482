import { expect, test } from "vitest";
import { t } from "../../../src/i18n/messages.ts";
import type { GuildBalance } from "../../../src/services/credits/guild-accounts.ts";
import { formatLimits, memberLimitLine } from "../../../src/services/credits/format-limits.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";

const withAllowance = (allowance: object) => storedSettingsSchema.parse({ allowance });
const guildBalance = { balance: { availableCredits: 5, heldCredits: 0, expiring: [] }, refillsAtMs: null } as unknown;

test("a file lists every role and member if the message cannot", () => {
	const roles = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`3${n}`, n]));
	const settings = withAllowance({ roles, members: { "8": 5, "9": null } });
	const use = { guildBalance: guildBalance as GuildBalance, usedCredits: new Map([["8", 3]]) };
	const { exceptions, file } = formatLimits(settings, use, "en");
	expect(exceptions).toStrictEqual([
		expect.stringMatching(/^\*\*Role limits\*\*.*, and 3 more$/),
		expect.stringContaining("<@8> 3 of 5 used"),
		"-# The file lists all roles and members.",
	]);
	expect(file?.split("\n")).toStrictEqual([
		"Role limits (the highest applies)",
		...Array.from({ length: 9 }, (_, n) => `3${n} ${n}`),
		"",
		"Member exceptions",
		"8 3 of 5 used",
		"9 no limit",
		"",
	]);
	expect(formatLimits(withAllowance({ members: { "8": 5 } }), use, "en").file).toBeUndefined();
});

const RESETS = "**Member limit**: none · other limits reset every day";

test.each<[string, string, object]>([
	["no other limit", "**Member limit**: none", {}],
	["an unlimited role", "**Member limit**: none", { roles: { "31": null } }],
	["a limit of a role", RESETS, { roles: { "31": 5 } }],
	["a limit of a member", RESETS, { members: { "9": 5 } }],
	["a limit of a media type", RESETS, { media: { video: 5 } }],
	["another period", "**Member limit**: none · other limits reset every week", { per: "week" }],
])("the member limit of a server without one is, with %s: %s", (_case, line, allowance) => {
	expect(t("en", memberLimitLine(withAllowance(allowance)))).toBe(line);
});
