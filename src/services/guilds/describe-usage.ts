/** A usage report in words: the text of the answer, and what its chart says to those who see it and those who do not. */
import { MEDIA_TYPES } from "../generation/model.ts";
import { say, type Saying } from "../messages/messages.ts";
import { quote } from "../messages/quote.ts";
import { toTimestampS } from "../messages/timestamp.ts";
import type { ChartWords } from "./usage-chart.ts";
import type { DayUse, UsageReport } from "./usage-report.ts";

/** As many as a message has room for, however long their names are. */
const MEMBERS_SHOWN = 10;
const MODELS_SHOWN = 5;
const MODEL_CHARS_SHOWN = 40;
/** From here on the axis says thousands. */
const COMPACT_FROM = 10_000;

interface DescribedUsage {
	readonly text: string;
	/** None where there is nothing to see. */
	readonly chart: { readonly words: ChartWords; readonly description: string } | undefined;
}

export function describeUsage(report: UsageReport, timeZone: string, locale: string): DescribedUsage {
	const { days, total, members, models, media, completeFromMs } = report;
	const words = (saying: Saying): string => say(locale, saying);
	if (total.results === 0) {
		return { text: words(nothingOf(report)), chart: undefined };
	}

	const memberUses = members
		.slice(0, MEMBERS_SHOWN)
		.map(({ name, ...use }) => words({ key: "usageMember", params: { userId: name, ...use } }));
	const modelUses = models
		.slice(0, MODELS_SHOWN)
		.map(({ name, ...use }) => words({ key: "usageModel", params: { model: quote(name, MODEL_CHARS_SHOWN), ...use } }));
	const mediaUses = media.filter(({ results }) => results > 0).map((use) => words({ key: "usageMedium", params: use }));
	const head = { days: days.length, totalCredits: total.credits, results: total.results };
	const lines: Saying[] = [
		{ key: "usageHead", params: head },
		{ key: "usageMedia", params: { uses: mediaUses.join(" · ") } },
		{ key: "usageModels", params: { uses: modelUses.join(" · "), more: models.length - modelUses.length } },
		{ key: "usageMembers", params: { uses: memberUses.join(" · "), more: members.length - memberUses.length } },
	];
	if (completeFromMs !== undefined) {
		lines.push({ key: "usageCompleteFrom", params: { fromS: toTimestampS(completeFromMs) } });
	}
	return { text: lines.map((line) => words(line)).join("\n"), chart: describeChart(report, timeZone, locale) };
}

/** What was not read may hold some use: only what was read is said to hold none. */
function nothingOf({ days, completeFromMs }: UsageReport): Saying {
	if (completeFromMs === undefined) return { key: "usageNothing", params: { days: days.length } };
	return { key: "usageNothingSince", params: { fromS: toTimestampS(completeFromMs) } };
}

function describeChart({ days, total }: UsageReport, timeZone: string, locale: string) {
	const words = (saying: Saying): string => say(locale, saying);
	const dates = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone });
	const date = (startsAtMs: number): string => dates.format(startsAtMs);
	const most = days.reduce<DayUse | undefined>(
		(best, day) => (best && creditsOf(best) >= creditsOf(day) ? best : day),
		undefined,
	);
	const params = {
		days: days.length,
		totalCredits: total.credits,
		mostCredits: most ? creditsOf(most) : 0,
		mostDate: most ? date(most.day.startsAtMs) : "",
	};
	const media = {
		image: words({ key: "chartMedium", params: { mediaType: "image" } }),
		video: words({ key: "chartMedium", params: { mediaType: "video" } }),
		music: words({ key: "chartMedium", params: { mediaType: "music" } }),
	};
	const title = words({ key: "chartTitle" });
	return { description: words({ key: "chartDescription", params }), words: { title, media, date, number: axisNumber } };
}

function creditsOf({ media }: DayUse): number {
	return MEDIA_TYPES.reduce((sum, mediaType) => sum + media[mediaType], 0);
}

function axisNumber(count: number): string {
	return count < COMPACT_FROM
		? count.toLocaleString("en")
		: new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(count);
}
