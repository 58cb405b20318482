import { expect, test } from "vitest";
import { mediaKind } from "../../web/src/display-names.ts";
import { messageTimeText, relativeText, timeLeftText, timestampText } from "../../web/src/time.ts";

const nowMs = new Date(2026, 10, 20, 12).getTime();
const reader = { nowMs, locale: "en-GB" };
const HOUR_MS = 3_600_000;

test.each([
	[5_000, "in 5 seconds"],
	[-90_000, "1 minute ago"],
	[3 * HOUR_MS, "in 3 hours"],
	[3 * 24 * HOUR_MS - 1_000, "in 3 days"],
	[-24 * HOUR_MS, "yesterday"],
	[0, "now"],
])("%d ms from now is %s", (offsetMs, text) => {
	expect(relativeText(nowMs + offsetMs, reader)).toBe(text);
});

test("every timestamp style has its own format", () => {
	const shapes = ["t", "T", "d", "D", "f", "F", "R"].map((style) => timestampText(nowMs / 1000, style, reader));
	expect(new Set(shapes).size).toBe(7);
	expect(shapes).toContain("20 November 2026 at 12:00");
});

test("a message of today shows the time, an older one the date", () => {
	expect(messageTimeText(nowMs - HOUR_MS, reader)).toBe("11:00");
	expect(messageTimeText(nowMs - 13 * HOUR_MS, reader)).toBe("Yesterday, 23:00");
	expect(messageTimeText(nowMs - 13 * HOUR_MS, { ...reader, locale: "de" })).toBe("Gestern, 23:00");
	expect(messageTimeText(nowMs - 72 * HOUR_MS, reader)).toBe("17 Nov 2026, 12:00");
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

test.each([
	[20_000, "less than a minute left"],
	[59 * 60_000, "59m left"],
	[24 * 3_600_000, "24h left"],
	[168 * 3_600_000, "7d left"],
])("%i ms are %s", (leftMs, text) => {
	expect(timeLeftText(leftMs)).toBe(text);
});
