import { expect, test } from "vitest";
import { t } from "../../../src/i18n/messages.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { formatMemberLimits } from "../../../src/services/credits/format-balance.ts";
import type { GuildBalance, LimitBalance } from "../../../src/services/credits/guild-accounts.ts";
import { allowanceOf, limitsFor } from "../../../src/services/credits/limits.ts";
import { previewLimits } from "../../../src/services/credits/preview-limits.ts";

const GUILD = "1";
const member = (...roleIds: string[]) => ({ guildId: GUILD, userId: "7", roleIds });
const withAllowance = (allowance: object) => storedSettingsSchema.parse({ allowance });

test.each([
	["unlimited by default", {}, [], null],
	["the server's default", { everyone: 5 }, [], 5],
	["the highest of their roles", { everyone: 5, roles: { "31": 25, "32": 10 } }, ["31", "32"], 25],
	["the default, where it is higher than their role", { everyone: 50, roles: { "31": 25 } }, ["31"], 50],
	["without limit, if one role has none", { everyone: 5, roles: { "31": 25, "32": null } }, ["31", "32"], null],
	["not affected by roles of others", { everyone: 5, roles: { "32": null } }, ["31"], 5],
	["their own exception, above everything", { everyone: 5, roles: { "32": null }, members: { "7": 1 } }, ["32"], 1],
	["their own exception without limit", { everyone: 0, members: { "7": null } }, [], null],
	["zero if the default is zero", { everyone: 0 }, [], 0],
])("a member's limit is %s", (_what, allowance, roles, expected) => {
	expect(allowanceOf(withAllowance(allowance), member(...roles))).toBe(expected);
});

test("the limits of one request are ordered from the narrowest: media type, member, server", () => {
	const allowance = { everyone: 20, media: { video: 8 } };
	const settings = storedSettingsSchema.parse({ allowance, serverLimit: { credits: 100, per: "month" } });
	const nowMs = Date.UTC(2026, 10, 20, 12);
	const daily = { per: "day", startsAtMs: Date.UTC(2026, 10, 20), resetsAtMs: Date.UTC(2026, 10, 21) };
	const monthly = { per: "month", startsAtMs: Date.UTC(2026, 10, 1), resetsAtMs: Date.UTC(2026, 11, 1) };
	const by = "member:7";
	const limits = [
		{
			kind: "mediaType",
			account: "use:1:7:video:2026-11-20",
			credits: 8,
			...daily,
			spender: { by, mediaType: "video" },
		},
		{ kind: "member", account: "use:1:7:2026-11-20", credits: 20, ...daily, spender: { by } },
		{ kind: "server", account: "use:1:server:2026-11", credits: 100, ...monthly, spender: {} },
	];
	expect(limitsFor(settings, member(), ["video"], nowMs)).toStrictEqual(limits);
	expect(limitsFor(settings, member(), ["image"], nowMs)).toStrictEqual(limits.slice(1));
});

const limitOf = (amount: number) => ({ leftCredits: amount, credits: amount, per: "day", resetsAtMs: 0 });

test.each<[string, number | undefined, Readonly<Record<string, number>>, readonly string[]]>([
	["no limit", undefined, {}, ["You have no personal limit."]],
	["a limit of 0, whatever the others", 0, { music: 5 }, ["You don't have any credits in this server. Ask an admin."]],
	[
		"limits by media type",
		undefined,
		{ video: 0, music: 5 },
		[
			"You have no personal limit, except:",
			"You don't have any credits for videos in this server. Ask an admin.",
			"You have **5** of 5 credits for songs left today. This limit resets <t:0:R>.",
		],
	],
])("a member reads about %s", (_what, credits, media, lines) => {
	const balance = {
		memberLimit: credits === undefined ? undefined : limitOf(credits),
		mediaLimits: new Map(Object.entries(media).map(([type, amount]) => [type, limitOf(amount) as LimitBalance])),
	};
	const shown = formatMemberLimits(balance as unknown as GuildBalance).map((line) => t("en", line));
	expect(shown).toStrictEqual(lines);
});

test("a preview of limits reads the roles of 20 members at most, and says how many it does not know", async () => {
	const asked: string[] = [];
	const deps = {
		clock: createManualClock(0),
		accounts: {
			readSpending: async () => ({
				members: new Set(Array.from({ length: 25 }, (_, at) => `member:${at + 1}`)),
				spentCredits: () => 5,
			}),
		},
		directory: {
			readMember: async (_guildId: string, userId: string) => {
				asked.push(userId);
				return { userId, name: userId, avatarUrl: null, roleIds: Number(userId) % 2 === 0 ? ["9"] : [] };
			},
		},
	};
	const preview = (roles: object, members: object = {}) =>
		previewLimits(GUILD, withAllowance({ everyone: 1, roles, members }), deps);
	expect(await preview({ "9": null })).toEqual({ membersOver: 10, membersUnknown: 5 });
	expect(asked).toHaveLength(20);
	// A role that is too low for everyone needs no roles of members, and neither does an exception.
	expect(await preview({ "9": 2 })).toEqual({ membersOver: 25, membersUnknown: 0 });
	expect(await preview({}, { "1": null })).toEqual({ membersOver: 24, membersUnknown: 0 });
	expect(asked).toHaveLength(20);
});
