/** A usage report in words: the text of the answer, and what its chart says to those who see it and those who do not. */
import { MEDIA_TYPES, type MediaType } from "@atelier/media-protocol/model";
import { languageOf } from "../messages/languages.ts";
import { say, type Saying } from "../messages/messages.ts";
import { quote } from "../messages/quote.ts";
import { toTimestampS } from "../messages/timestamp.ts";
import { COLOUR_MARKS, type ChartWords } from "./usage-chart.ts";
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
	const mediaUses = media
		.filter(({ results }) => results > 0)
		.map((use) => `${COLOUR_MARKS[use.mediaType]} ${words({ key: "usageMedium", params: use })}`);
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
	const most = days.reduce<DayUse | undefined>(
		(best, day) => (best && creditsOf(best) >= creditsOf(day) ? best : day),
		undefined,
	);
	const params = {
		days: days.length,
		totalCredits: total.credits,
		mostCredits: most ? creditsOf(most) : 0,
		mostDate: most ? dateIn(locale, timeZone)(most.day.startsAtMs) : "",
	};
	return {
		description: say(locale, { key: "chartDescription", params }),
		words: wordsDrawn(locale, timeZone),
	};
}

/** What stands in the picture itself. Where its letters do not have the language's, digits alone: the text has the rest. */
function wordsDrawn(locale: string, timeZone: string): ChartWords {
	const { isLatin, tag } = languageOf(locale);
	const medium = (mediaType: MediaType): string => say(locale, { key: "chartMedium", params: { mediaType } });
	if (!isLatin) {
		const digits = new Intl.DateTimeFormat(tag, { month: "numeric", day: "numeric", timeZone });
		return { head: undefined, date: (atMs) => digits.format(atMs), number: axisNumberIn("en-US") };
	}
	return {
		head: {
			title: say(locale, { key: "chartTitle" }),
			media: { image: medium("image"), video: medium("video"), music: medium("music") },
		},
		date: dateIn(locale, timeZone),
		number: axisNumberIn(locale),
	};
}

function dateIn(locale: string, timeZone: string): (atMs: number) => string {
	const dates = new Intl.DateTimeFormat(languageOf(locale).tag, { month: "short", day: "numeric", timeZone });
	return (atMs) => dates.format(atMs);
}

function creditsOf({ media }: DayUse): number {
	return MEDIA_TYPES.reduce((sum, mediaType) => sum + media[mediaType], 0);
}

function axisNumberIn(locale: string): (count: number) => string {
	const { tag } = languageOf(locale);
	const whole = new Intl.NumberFormat(tag);
	const compact = new Intl.NumberFormat(tag, { notation: "compact", maximumFractionDigits: 1 });
	// The fonts have no narrow blanks.
	return (count) => (count < COMPACT_FROM ? whole : compact).format(count).replaceAll(/\s/g, " ");
}
