import { createCanvas, loadImage } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { formatUsage } from "../../../src/services/credits/format-usage.ts";
import { lastDays } from "../../../src/services/period.ts";
import { drawUsageChart, niceCeiling } from "../../../src/services/credits/usage-chart.ts";
import { formatUsageCsv } from "../../../src/services/credits/credits-csv.ts";
import { readUsage, readUsageAndBefore, type UsageReport } from "../../../src/services/credits/usage-report.ts";
import { TRANSLATED_LOCALES } from "../../../src/i18n/languages.ts";
import type { Entry } from "@atelier/ledger/ledger";

const ACCOUNT = "guild:1";
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const NOON_MS = Date.UTC(2026, 10, 19, 12);
const image = { by: "member:1", mediaType: "image", model: "Paint", amountCredits: 4, atMs: NOON_MS };
const video = { by: "member:2", mediaType: "video", model: "Film", amountCredits: 30, atMs: NOON_MS };
const days = (count: number, timeZone = "UTC") => lastDays(NOON_MS, count, timeZone);

/** A journal with these charges, oldest first. */
function journalOf(...entries: readonly Partial<Entry>[]) {
	const all = entries.map((entry, n) => ({ kind: "post", ...entry, seq: n + 1 }) as Entry);
	return {
		history: async (_account: string, { beforeSeq = Number.POSITIVE_INFINITY }) =>
			all.filter(({ seq }) => seq < beforeSeq).toReversed(),
	};
}

describe("a usage report", () => {
	test("sums by day, media type, model and member, largest first", async () => {
		const journal = journalOf({ ...image, atMs: NOON_MS - DAY_MS }, video, image);
		const report = await readUsage(journal, ACCOUNT, days(3));
		expect(report).toMatchObject({
			total: { credits: 38, results: 3 },
			members: [
				{ name: "2", credits: 30, results: 1 },
				{ name: "1", credits: 8, results: 2 },
			],
			models: [{ name: "Film" }, { name: "Paint", credits: 8 }],
			media: [
				{ mediaType: "image", credits: 8, results: 2 },
				{ mediaType: "video", credits: 30, results: 1 },
				{ mediaType: "music", credits: 0, results: 0 },
			],
			completeAfterMs: undefined,
		});
		expect(report.days.map(({ day, media }) => [day.id, media])).toStrictEqual([
			["2026-11-17", { image: 0, video: 0, music: 0 }],
			["2026-11-18", { image: 4, video: 0, music: 0 }],
			["2026-11-19", { image: 4, video: 30, music: 0 }],
		]);
		const { before, ...halved } = await readUsageAndBefore(journal, ACCOUNT, days(6));
		expect([halved, before]).toStrictEqual([report, { credits: 0, results: 0 }]);
		expect(await readUsageAndBefore(journal, ACCOUNT, days(2))).toMatchObject({
			total: { credits: 34, results: 2 },
			before: { credits: 4, results: 1 },
		});
		expect(await readUsageAndBefore(journal, ACCOUNT, days(2), { entriesMax: 2 })).toMatchObject({
			total: { credits: 34 },
			before: null,
			completeAfterMs: undefined,
		});
	});

	test("groups days by the server's time zone", async () => {
		const report = await readUsage(
			journalOf({ ...image, atMs: NOON_MS + 5 * HOUR_MS }),
			ACCOUNT,
			days(2, "Asia/Tokyo"),
		);
		expect(report.days.map(({ day, media }) => [day.id, media.image])).toStrictEqual([
			["2026-11-18", 0],
			["2026-11-19", 4],
		]);
	});

	test("omits entries before its range, and voided holds", async () => {
		const journal = journalOf(
			{ ...image, atMs: NOON_MS - 7 * DAY_MS },
			{ ...image, kind: "reserve" },
			{ kind: "void" },
		);
		expect((await readUsage(journal, ACCOUNT, days(7))).total).toStrictEqual({ credits: 0, results: 0 });
	});

	test("that reads only a part of the journal names the time of the newest entry that it left out", async () => {
		const firstAtMs = NOON_MS - HOUR_MS;
		const journal = journalOf({ ...image, atMs: firstAtMs }, video);
		const report = await readUsage(journal, ACCOUNT, days(7), { entriesMax: 1 });
		expect([report.total.credits, report.completeAfterMs]).toStrictEqual([30, firstAtMs]);
		expect(formatUsageCsv(report)).toContain(
			`cut,charges until ${new Date(firstAtMs).toISOString()} are missing,,\r\n`,
		);
	});
});

describe("a formatted usage report", () => {
	test("shows no zero usage for days that it did not read", async () => {
		const failed = { kind: "void", atMs: NOON_MS } as const;
		const report = await readUsage(journalOf(image, failed, failed), ACCOUNT, days(7), { entriesMax: 2 });
		expect(formatUsage(report, "UTC", "en")).toStrictEqual({
			text: `No credits have been used here since <t:${NOON_MS / 1000}:f>. This report doesn't reach further back.`,
			chart: undefined,
		});
	});

	test.each(["en-US", ...TRANSLATED_LOCALES])(
		"fits into one message and one image description in %s at its longest",
		(locale) => {
			const use = { credits: 1_000_000_000, results: 1_000_000_000 };
			const media = { image: use.credits, video: use.credits, music: use.credits };
			const report: UsageReport = {
				total: use,
				days: lastDays(Date.UTC(2099, 11, 30, 12), 90, "UTC").map((day) => ({ day, media })),
				members: Array.from({ length: 1000 }, (_, n) => ({ name: String(2n ** 64n - 1n - BigInt(n)), ...use })),
				models: Array.from({ length: 1000 }, () => ({ name: "*".repeat(100), ...use })),
				media: (["image", "video", "music"] as const).map((mediaType) => ({ mediaType, ...use })),
				completeAfterMs: Date.UTC(2099, 11, 1),
			};
			const { text, chart } = formatUsage(report, "America/Argentina/ComodRivadavia", locale);
			expect(text.length).toBeLessThanOrEqual(2000);
			expect(chart?.description.length).toBeLessThanOrEqual(1024);
		},
	);

	test("uses only characters of its font in the image, and names the colors in the text", async () => {
		const report = await readUsage(journalOf(video), ACCOUNT, days(7));
		for (const locale of ["ja", "ko", "zh-CN", "zh-TW"]) {
			const { text, chart } = formatUsage(report, "UTC", locale);
			expect(text).toContain("🟦 ");
			expect(chart?.labels.head).toBeUndefined();
			const dates = days(7).map((day) => chart?.labels.date(day.startsAtMs));
			expect([chart?.labels.number(20_000), ...dates].join("")).toMatch(/^[\d./ K-]+$/);
		}
		expect(formatUsage(report, "UTC", "de").chart?.labels.head?.title).toBe("Credits pro Tag");
	});
});

test.each([
	[0, 4],
	[5, 8],
	[41, 60],
	[1_000_000_000, 1_000_000_000],
])("a chart with at most %i a day has an axis up to %i", (most, ceiling) => {
	expect(niceCeiling(most)).toBe(ceiling);
});

test("the usage chart shows the credits as areas of their colors, and its texts in its own font", async () => {
	const words = { head: undefined, date: () => "Nov 20", number: String };
	const used = days(7).map((day) => ({ day, media: { image: 20, video: 10, music: 0 } }));
	const pixels = await pixelsOf(await drawUsageChart(used, words));
	const countOf = (rgb: string): number => {
		const color = Buffer.from(`${rgb}ff`, "hex").readUInt32LE();
		return pixels.filter((each) => each === color).length;
	};
	expect(countOf("ffb454") / countOf("5ea6ff")).toBeCloseTo(2, 0);
	const withoutTexts = await pixelsOf(await drawUsageChart(used, { ...words, date: () => "", number: () => "" }));
	expect(pixels.filter((color, at) => color !== withoutTexts[at]).length).toBeGreaterThan(1_000);

	const context = createCanvas(1, 1).getContext("2d");
	const widths = ['500 14px "Atelier Chart"', "500 14px sans-serif"].map((font) => {
		context.font = font;
		return context.measureText("Nov 20").width;
	});
	expect(new Set(widths).size).toBe(2);
});

/** Each pixel as one number: red, green, blue and alpha, from the lowest byte. */
async function pixelsOf(png: Buffer): Promise<Uint32Array> {
	const chart = await loadImage(png);
	const context = createCanvas(chart.width, chart.height).getContext("2d");
	context.drawImage(chart, 0, 0);
	return new Uint32Array(context.getImageData(0, 0, chart.width, chart.height).data.buffer);
}
