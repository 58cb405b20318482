import { describe, expect, test } from "vitest";
import { differenceOf } from "../../web/src/spending-difference.ts";
import { ticksUpTo } from "../../web/src/chart-ticks.ts";
import { createFormats, formatLocale } from "../../web/src/language.ts";
import { LIMIT_CREDITS_MAX } from "../../src/limits.ts";
import { parseTimeZone, parseWholeNumber } from "../../src/parse-typed.ts";
import { parseMentions } from "../../web/src/mentions.ts";

test.each([
	["", null],
	["  ", null],
	["0", 0],
	["20", 20],
	["1,000", 1000],
	["1.000.000", 1_000_000],
	["12 500", 12_500],
	["10_000", 10_000],
	["　１，０００", 1000],
	["1000000000", 1_000_000_000],
	["1000000001", undefined],
	["1,5", undefined],
	["-3", undefined],
	["many", undefined],
])("a limit of %j is %j", (text, limit) => {
	expect(parseWholeNumber(text, LIMIT_CREDITS_MAX)).toBe(limit);
});

test.each([
	["europe/berlin", "Europe/Berlin"],
	[" UTC ", "UTC"],
	["US/Pacific", "US/Pacific"],
	["EST", undefined],
	["local", undefined],
	["system", undefined],
	["Mars/Olympus", undefined],
	["", undefined],
])("the time zone of %j is %s", (text, zone) => {
	expect(parseTimeZone(text, ["UTC", "Europe/Berlin"])).toBe(zone);
});

test.each([
	[1, [0, 1]],
	[4, [0, 1, 2, 3, 4]],
	[7, [0, 2, 4, 6, 8]],
	[23, [0, 5, 10, 15, 20, 25]],
	[1_000, [0, 200, 400, 600, 800, 1_000]],
	[3_900, [0, 1_000, 2_000, 3_000, 4_000]],
])("the lines of a chart up to %d are at %j", (max, ticks) => {
	expect(ticksUpTo(max)).toStrictEqual(ticks);
});

test.each([
	[12, 10, "more", 0.2],
	[5, 10, "less", 0.5],
	[10, 10, "same", 0],
	[1_004, 1_000, "same", 0],
	[1_005, 1_000, "more", 0.005],
	[0, 0, "same", 0],
	[3, 0, "first", 0],
])("the difference of %d to an earlier %d is of the kind %s", (now, before, kind, share) => {
	expect(differenceOf(now, before)).toStrictEqual({ kind, share });
});

describe("a text of Discord", () => {
	test("is split at mentions, times, code and bold text", () => {
		expect(parseMentions("**Limit** of <@&3> by <@!1> in <#2> at <t:5:f>, <t:6:R>`/job`")).toStrictEqual([
			{ type: "text", text: "Limit", isBold: true },
			{ type: "text", text: " of ", isBold: false },
			{ type: "role", id: "3" },
			{ type: "text", text: " by ", isBold: false },
			{ type: "member", id: "1" },
			{ type: "text", text: " in ", isBold: false },
			{ type: "channel", id: "2" },
			{ type: "text", text: " at ", isBold: false },
			{ type: "time", atMs: 5000, isRelative: false },
			{ type: "text", text: ", ", isBold: false },
			{ type: "time", atMs: 6000, isRelative: true },
			{ type: "code", text: "/job" },
		]);
	});

	test("keeps escaped characters and everything else", () => {
		expect(parseMentions(String.raw`dragon\* a\_b <script> <@x> \<@1> <t:9999999999999>`)).toStrictEqual([
			{ type: "text", text: "dragon* a_b <script> <@x> <@1> <t:9999999999999>", isBold: false },
		]);
	});
});

test("numbers and dates are formatted for the reader if the messages are in the same language", () => {
	expect(formatLocale("en-GB", "en-US")).toBe("en-GB");
	expect(formatLocale("nl", "en-US")).toBe("en-US");
	expect(formatLocale("de_", "de")).toBe("de");
});

test("changes of credits have a sign, as in Discord's replies", () => {
	expect([-20, 0, 1_000].map(createFormats("en-GB").signed)).toStrictEqual(["−20", "±0", "+1,000"]);
});

test("near times are relative, and far ones are dates", () => {
	// Noon in the time zone of this machine, in which dates are shown.
	const nowMs = new Date(2026, 10, 20, 12).getTime();
	const { age } = createFormats("en-GB", () => nowMs);
	const hourMs = 3_600_000;
	const offsets = [0, -5 / 60, 2, 47, -25, -48, -30 * 24];
	const ages = offsets.map((hours) => age(nowMs + hours * hourMs));
	const near = ["now", "5 minutes ago", "in 2 hours", "in 47 hours", "25 hours ago", "2 days ago"];
	expect(ages).toStrictEqual([...near, "21 Oct 2026"]);
});
