import { describe, expect, test } from "vitest";
import { mediaKind } from "../../web/src/display-names.ts";
import { plainText, pollResultText } from "../../web/src/message-text.ts";
import { discordTarget, safeUrl } from "../../web/src/safe-urls.ts";
import { messageTimeText, relativeText, timestampText } from "../../web/src/time.ts";

test("the text of a message has no markdown, no line breaks, and shows no spoiler", () => {
	const nowMs = Date.UTC(2026, 0, 2);
	const content =
		"### Title\n**bold** ||secret|| <@1> in <#2>\n> quoted `code`\n- item <:boat:3> </image:4> <t:1767225600:R>";
	const channels = [{ id: "2", type: 0, name: "general", topic: "" }];
	expect(plainText({ content }, { members: [], channels, roles: [] }, { nowMs, locale: "en-GB" })).toBe(
		"Title bold (spoiler) @unknown in #general quoted code item :boat: /image yesterday",
	);
});

test.each([
	[{ victor_answer_votes: "2", total_votes: "3", victor_answer_text: "Harbor" }, "Harbor won with 2 of 3 votes."],
	[{ victor_answer_votes: "1", total_votes: "2" }, "No answer won, with 2 votes."],
])("the result %o of a poll is told in words", (result, outcome) => {
	const texts = { poll_question_text: "*Where* to?", ...result };
	const fields = Object.entries(texts).map(([name, value]) => ({ name, value }));
	expect(pollResultText({ fields })).toBe(`The poll “*Where* to?” has ended. ${outcome}`);
});

test.each([
	["https://example.com/a", true],
	["http://example.com/", true],
	["javascript:alert(1)", false],
	["data:text/html,a", false],
	["file:///etc/passwd", false],
	["//example.com", false],
	["attachment://a.png", false],
	["", false],
	[undefined, false],
])("%s may be a link: %s", (url, isSafe) => {
	expect(safeUrl(url)).toBe(isSafe ? url : null);
});

test.each([
	["https://discord.com/channels/1/2/3", { guildId: "1", channelId: "2", messageId: "3" }],
	["https://discord.com/channels/1/2", { guildId: "1", channelId: "2", messageId: null }],
	["https://canary.discord.com/channels/@me/2/3", { guildId: "@me", channelId: "2", messageId: "3" }],
	["https://discord.com/channels/1/2/3/4", null],
	["https://example.com/?https://discord.com/channels/1/2/3", null],
])("%s leads to %o", (url, target) => {
	expect(discordTarget(url)).toStrictEqual(target);
});

test.each([
	["image/png", "image"],
	["video/mp4", "video"],
	["audio/mpeg", "audio"],
	["image/svg+xml", "file"],
	[undefined, "file"],
] as const)("a file of type %s is shown as %s", (contentType, kind) => {
	expect(mediaKind({ ...(contentType && { content_type: contentType }) })).toBe(kind);
});

describe("a time", () => {
	const nowMs = new Date(2026, 10, 20, 12).getTime();
	const timeFormat = { nowMs, locale: "en-GB" };
	const HOUR_MS = 3_600_000;

	test.each([
		[5_000, "in 5 seconds"],
		[-90_000, "1 minute ago"],
		[3 * HOUR_MS, "in 3 hours"],
		[3 * 24 * HOUR_MS - 1_000, "in 3 days"],
		[-24 * HOUR_MS, "yesterday"],
		[0, "now"],
	])("%d ms from now is %s", (offsetMs, text) => {
		expect(relativeText(nowMs + offsetMs, timeFormat)).toBe(text);
	});

	test("has its own format for every timestamp style", () => {
		const shapes = ["t", "T", "d", "D", "f", "F", "R"].map((style) => timestampText(nowMs / 1000, style, timeFormat));
		expect(new Set(shapes).size).toBe(7);
		expect(shapes).toContain("20 November 2026 at 12:00");
	});

	test.each([
		[1, "en-GB", "11:00"],
		[13, "en-GB", "Yesterday, 23:00"],
		[13, "de", "Gestern, 23:00"],
		[72, "en-GB", "17 Nov 2026, 12:00"],
	])("of a message %i hours ago is shown in %s as %s", (hours, locale, text) => {
		expect(messageTimeText(nowMs - hours * HOUR_MS, { nowMs, locale })).toBe(text);
	});
});
