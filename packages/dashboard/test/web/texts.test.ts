import { describe, expect, test } from "vitest";
import { differenceOf, forecastMessage } from "../../web/src/spending-text.ts";
import { createFormats, createTranslate, formatLocale } from "../../web/src/language.ts";
import { parseLimit } from "../../web/src/parse-limit.ts";
import { parseMentions } from "../../web/src/mentions.ts";

describe("a limit", () => {
	test.each([
		["", null],
		["  ", null],
		["0", 0],
		["20", 20],
		["1,000", 1000],
		["1.000.000", 1_000_000],
		["12 500", 12_500],
		["1000000000", 1_000_000_000],
		["1000000001", undefined],
		["1,5", undefined],
		["-3", undefined],
		["many", undefined],
	])("of %j is %j", (text, limit) => {
		expect(parseLimit(text)).toBe(limit);
	});
});

describe("a forecast", () => {
	const month = { spentCredits: 10, forecastCredits: 300 };

	test("above the monthly credits names both numbers", () => {
		expect(forecastMessage(month, 200)).toStrictEqual({
			key: "dashboard.forecastOver",
			params: { credits: 300, monthlyCredits: 200 },
		});
	});

	test("within the monthly credits, or without monthly credits, names the forecast alone", () => {
		expect([300, 0].map((monthly) => forecastMessage(month, monthly).key)).toStrictEqual([
			"dashboard.forecast",
			"dashboard.forecast",
		]);
	});

	test("is missing on the first day", () => {
		expect(forecastMessage({ ...month, forecastCredits: null }, 200).key).toBe("dashboard.forecastNone");
	});
});

test.each([
	[12, 10, "more", 0.2],
	[5, 10, "less", 0.5],
	[10, 10, "same", 0],
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
		expect(parseMentions(String.raw`dragon\* a\_b <script> <@x> \<@1>`)).toStrictEqual([
			{ type: "text", text: "dragon* a_b <script> <@x> <@1>", isBold: false },
		]);
	});
});

describe("the language", () => {
	test("of numbers and dates is the reader's if the messages have the same language", () => {
		expect(formatLocale("en-GB", "en-US")).toBe("en-GB");
		expect(formatLocale("nl", "en-US")).toBe("en-US");
		expect(formatLocale("de_", "de")).toBe("de");
	});

	test("formats messages, and shows the key of a missing one", () => {
		const t = createTranslate({ "dashboard.credits": "{credits, plural, one {# credit} other {# credits}}" }, "en");
		expect(t("dashboard.credits", { credits: 1000 })).toBe("1,000 credits");
		expect(t("dashboard.save")).toBe("dashboard.save");
	});

	test("shows near times relatively, and far ones as dates", () => {
		const nowMs = Date.UTC(2026, 10, 20, 12);
		const { age, day, signed } = createFormats("en-GB", () => nowMs);
		const hourMs = 3_600_000;
		expect([0, -5 * 60_000, 2 * hourMs, -25 * hourMs].map((offset) => age(nowMs + offset))).toStrictEqual([
			"now",
			"5 minutes ago",
			"in 2 hours",
			"yesterday",
		]);
		expect(age(nowMs - 30 * 24 * hourMs)).toBe("21 Oct 2026");
		expect(day("2026-11-20")).toBe("20 Nov");
		expect([5, 0, -5].map(signed)).toStrictEqual(["+5", "0", "-5"]);
	});
});
