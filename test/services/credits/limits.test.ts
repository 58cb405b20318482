import { expect, test } from "vitest";
import { type GuildSettings, storedSettings } from "../../../src/services/settings/settings-schema.ts";
import { allowanceOf, limitsFor } from "../../../src/services/credits/limits.ts";
import { periodAt } from "../../../src/services/credits/period.ts";

const GUILD = "1";
const member = (...roleIds: string[]) => ({ guildId: GUILD, userId: "7", roleIds });
const defaults = storedSettings.parse({});
const withAllowance = (allowance: Partial<GuildSettings["allowance"]>): GuildSettings => ({
	...defaults,
	allowance: { ...defaults.allowance, ...allowance },
});

test.each([
	["unlimited by default", {}, [], null],
	["the server's default", { everyone: 5 }, [], 5],
	["the highest of their roles", { everyone: 5, roles: { a: 25, b: 10 } }, ["a", "b"], 25],
	["the default, where it is higher than their role", { everyone: 50, roles: { a: 25 } }, ["a"], 50],
	["without limit, if one role has none", { everyone: 5, roles: { a: 25, vip: null } }, ["a", "vip"], null],
	["not affected by roles of others", { everyone: 5, roles: { vip: null } }, ["a"], 5],
	["their own exception, above everything", { everyone: 5, roles: { vip: null }, members: { "7": 1 } }, ["vip"], 1],
	["their own exception without limit", { everyone: 0, members: { "7": null } }, [], null],
	["zero if the default is zero", { everyone: 0 }, [], 0],
])("a member's limit is %s", (_what, allowance, roles, expected) => {
	expect(allowanceOf(withAllowance(allowance), member(...roles))).toBe(expected);
});

const nowMs = Date.UTC(2026, 10, 20, 12);

test("the limits of one request are ordered from the narrowest: media type, member, server", () => {
	const settings: GuildSettings = {
		...withAllowance({ everyone: 20, media: { video: 8 } }),
		serverLimit: { credits: 100, per: "month" },
	};
	const resetsAtMs = Date.UTC(2026, 10, 21);
	const by = "member:7";
	expect(limitsFor(settings, member(), ["video"], nowMs)).toStrictEqual([
		{
			kind: "mediaType",
			account: "use:1:7:video:2026-11-20",
			credits: 8,
			per: "day",
			resetsAtMs,
			spender: { by, mediaType: "video" },
		},
		{ kind: "member", account: "use:1:7:2026-11-20", credits: 20, per: "day", resetsAtMs, spender: { by } },
		{
			kind: "server",
			account: "use:1:server:2026-11",
			credits: 100,
			per: "month",
			resetsAtMs: Date.UTC(2026, 11, 1),
			spender: {},
		},
	]);
	const forImages = limitsFor(settings, member(), ["image"], nowMs);
	expect(forImages.map(({ kind }) => kind)).toStrictEqual(["member", "server"]);
});

test.each([
	["a day in New York", "day", "America/New_York", "2026-11-20T03:00Z", "2026-11-19", "2026-11-20T05:00Z"],
	["a day of 23 hours", "day", "Europe/Berlin", "2026-03-29T00:30Z", "2026-03-29", "2026-03-29T22:00Z"],
	["a day before a DST gap", "day", "America/Santiago", "2026-09-05T16:00Z", "2026-09-05", "2026-09-06T04:00Z"],
	["a day from one o'clock", "day", "America/Santiago", "2026-09-06T16:00Z", "2026-09-06", "2026-09-07T03:00Z"],
	["a week, from Monday", "week", "UTC", "2026-11-22T23:59Z", "2026-W47", "2026-11-23T00:00Z"],
	["a week of the year before", "week", "UTC", "2027-01-01T00:00Z", "2026-W53", "2027-01-04T00:00Z"],
	["a month", "month", "Asia/Tokyo", "2026-12-31T15:00Z", "2027-01", "2027-01-31T15:00Z"],
] as const)("%s begins and ends by the clock of the server", (_rule, period, zone, now, id, ends) => {
	const span = periodAt(Date.parse(now), period, zone);
	expect([span.id, new Date(span.endsAtMs).toISOString()]).toStrictEqual([id, ends.replace("Z", ":00.000Z")]);
});
