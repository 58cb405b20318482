import { GlobalFonts } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { formatUsage } from "../../../src/services/credits/format-usage.ts";
import { lastDays } from "../../../src/services/credits/period.ts";
import { drawUsageChart, niceCeiling } from "../../../src/services/credits/usage-chart.ts";
import { formatUsageCsv } from "../../../src/services/credits/credits-csv.ts";
import { readUsage, readUsageAndBefore, type UsageReport } from "../../../src/services/credits/usage-report.ts";
import { TRANSLATED_LOCALES } from "../../../src/i18n/languages.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const ACCOUNT = "guild:1";
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

async function setup() {
	const clock = createManualClock(Date.UTC(2026, 10, 18, 12));
	const ledger = createLedger({ store: await openStore("memory:"), clock });
	await ledger.grant(ACCOUNT, "grant:1", 1000, { by: "operator", reason: "test" });
	let taskCount = 0;
	const recordUse = async (userId: string, mediaType: string, model: string, credits: number): Promise<void> => {
		const note = { by: `member:${userId}`, reason: mediaType, mediaType, model };
		const holdId = `t${++taskCount}`;
		await ledger.reserve(ACCOUNT, holdId, credits, note);
		await ledger.post(ACCOUNT, holdId, credits, note);
	};
	return { clock, ledger, recordUse };
}

describe("a usage report", () => {
	test("sums by day, media type, model and member, largest first", async () => {
		const { clock, ledger, recordUse } = await setup();
		await recordUse("1", "image", "Paint", 4);
		await clock.advance(DAY_MS);
		await recordUse("2", "video", "Film", 30);
		await recordUse("1", "image", "Paint", 4);
		const report = await readUsage(ledger, ACCOUNT, lastDays(clock.nowMs(), 3, "UTC"));
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
		const { days, before, ...rest } = await readUsageAndBefore(ledger, ACCOUNT, lastDays(clock.nowMs(), 6, "UTC"));
		expect({ days, ...rest }).toStrictEqual(report);
		expect(before).toStrictEqual({ credits: 0, results: 0 });
		const cut = await readUsageAndBefore(ledger, ACCOUNT, lastDays(clock.nowMs(), 2, "UTC"), { entriesMax: 4 });
		expect(cut).toMatchObject({ total: { credits: 34 }, before: null, completeAfterMs: undefined });
		const today = await readUsageAndBefore(ledger, ACCOUNT, lastDays(clock.nowMs(), 2, "UTC"));
		expect(today).toMatchObject({ total: { credits: 34, results: 2 }, before: { credits: 4, results: 1 } });
		expect(report.days.map(({ day, media }) => [day.id, media])).toStrictEqual([
			["2026-11-17", { image: 0, video: 0, music: 0 }],
			["2026-11-18", { image: 4, video: 0, music: 0 }],
			["2026-11-19", { image: 4, video: 30, music: 0 }],
		]);
	});

	test("groups days by the server's time zone", async () => {
		const { clock, ledger, recordUse } = await setup();
		await clock.advance(5 * HOUR_MS);
		await recordUse("1", "image", "Paint", 4);
		const { days } = await readUsage(ledger, ACCOUNT, lastDays(clock.nowMs(), 2, "Asia/Tokyo"));
		expect(days.map(({ day, media }) => [day.id, media.image])).toStrictEqual([
			["2026-11-18", 0],
			["2026-11-19", 4],
		]);
	});

	test("omits entries before its range, and voided holds", async () => {
		const { clock, ledger, recordUse } = await setup();
		await recordUse("1", "image", "Paint", 4);
		await clock.advance(7 * DAY_MS);
		await ledger.reserve(ACCOUNT, "failed", 9, { by: "member:1", reason: "image", mediaType: "image", model: "Paint" });
		await ledger.void(ACCOUNT, "failed", { by: "member:1", reason: "service.failed" });
		const report = await readUsage(ledger, ACCOUNT, lastDays(clock.nowMs(), 7, "UTC"));
		expect(report.total).toStrictEqual({ credits: 0, results: 0 });
	});

	test("that reads only a part of the journal names the time of the newest entry that it left out", async () => {
		const { clock, ledger, recordUse } = await setup();
		await recordUse("1", "image", "Paint", 4);
		const firstAtMs = clock.nowMs();
		await clock.advance(HOUR_MS);
		await recordUse("1", "image", "Paint", 5);
		const report = await readUsage(ledger, ACCOUNT, lastDays(clock.nowMs(), 7, "UTC"), { entriesMax: 2 });
		expect([report.total.credits, report.completeAfterMs]).toStrictEqual([5, firstAtMs]);
		expect(formatUsageCsv(report)).toContain(
			`cut,charges until ${new Date(firstAtMs).toISOString()} are missing,,\r\n`,
		);
	});
});

describe("a formatted usage report", () => {
	test("shows no zero usage for days that it did not read", async () => {
		const { clock, ledger, recordUse } = await setup();
		await recordUse("1", "image", "Paint", 4);
		await clock.advance(HOUR_MS);
		const failed = { by: "member:1", reason: "image" };
		for (const holdId of ["a", "b"]) {
			await ledger.reserve(ACCOUNT, holdId, 1, failed);
			await ledger.void(ACCOUNT, holdId, failed);
		}
		const failedAtS = clock.nowMs() / 1000;
		const report = await readUsage(ledger, ACCOUNT, lastDays(clock.nowMs(), 7, "UTC"), { entriesMax: 3 });
		expect(formatUsage(report, "UTC", "en")).toStrictEqual({
			text: `No credits have been used here since <t:${failedAtS}:f>. This report doesn't reach further back.`,
			chart: undefined,
		});
	});

	test.each(["en-US", ...TRANSLATED_LOCALES])(
		"fits into one message and one image description in %s at its longest",
		(locale) => {
			const use = { credits: 1_000_000_000, results: 1_000_000_000 };
			const days = lastDays(Date.UTC(2099, 11, 30, 12), 90, "UTC");
			const media = { image: use.credits, video: use.credits, music: use.credits };
			const report: UsageReport = {
				total: use,
				days: days.map((day) => ({ day, media })),
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
		const { clock, ledger, recordUse } = await setup();
		await recordUse("1", "video", "Film", 40);
		const days = lastDays(clock.nowMs(), 7, "UTC");
		const report = await readUsage(ledger, ACCOUNT, days);
		for (const locale of ["ja", "ko", "zh-CN", "zh-TW"]) {
			const { text, chart } = formatUsage(report, "UTC", locale);
			expect(text).toContain("🟦 ");
			expect(chart?.labels.head).toBeUndefined();
			const drawn = [chart?.labels.number(20_000), ...days.map((day) => chart?.labels.date(day.startsAtMs))].join("");
			expect(drawn).toMatch(/^[\d./ K-]+$/);
		}
		expect(formatUsage(report, "UTC", "de").chart?.labels.head?.title).toBe("Credits pro Tag");
	});
});

describe("the usage chart", () => {
	const words = {
		head: { title: "Credits per day", media: { image: "Images", video: "Videos", music: "Songs" } },
		date: () => "Nov 20",
		number: String,
	};
	const days = lastDays(Date.UTC(2026, 10, 20), 7, "UTC").map((day, n) => ({
		day,
		media: { image: n * 3, video: 5, music: 0 },
	}));

	test.each([
		[0, 4],
		[5, 8],
		[41, 60],
		[1_000_000_000, 1_000_000_000],
	])("with at most %i a day has an axis up to %i", (most, ceiling) => {
		expect(niceCeiling(most)).toBe(ceiling);
	});

	test("is drawn with its own font", async () => {
		expect((await drawUsageChart(days, words)).length).toBeGreaterThan(1_000);
		expect(GlobalFonts.has("Atelier Chart")).toBe(true);
	});
});
