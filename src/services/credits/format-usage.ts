/** Formats a usage report: the text of the reply, and the labels and alt text of its chart. */
import { moneyOf, type Money } from "../../i18n/money.ts";
import { shortList, toTimestampS } from "../../i18n/message-param-values.ts";
import type { MediaType } from "@atelier/media-protocol/model";
import { languageOf } from "../../i18n/languages.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { quote } from "../../i18n/quote.ts";
import { COLOR_MARKS, type ChartLabels } from "./usage-chart.ts";
import { creditsOfDay, type DayUsage, type UsageReport } from "./usage-report.ts";

/** A message has room for so many members, whatever the length of their names. */
const MEMBERS_SHOWN = 10;
const MODELS_SHOWN = 5;
const MODEL_CHARS_SHOWN = 40;
/** From this number of credits on, the axis uses compact notation, such as `10K`. */
const COMPACT_FROM = 10_000;

interface FormattedUsage {
	readonly text: string;
	/** `undefined` without usage. */
	readonly chart: { readonly labels: ChartLabels; readonly description: string } | undefined;
}

export function formatUsage(
	report: UsageReport,
	timeZone: string,
	locale: string,
	creditPrice?: Money,
): FormattedUsage {
	const { days, total, members, models, media, completeAfterMs } = report;
	if (total.results === 0) {
		return { text: t(locale, emptyUsage(report)), chart: undefined };
	}

	const memberUses = members.map(({ name, credits, results }): MessageDescriptor => ({
		key: "usage.member",
		params: { userId: name, credits, results },
	}));
	const modelUses = models.map(({ name, credits, results }): MessageDescriptor => {
		return { key: "usage.model", params: { model: quote(name, MODEL_CHARS_SHOWN), credits, results } };
	});
	const mediaUses = media
		.filter(({ results }) => results > 0)
		.map(({ mediaType, credits, results }): MessageDescriptor => {
			return { key: "usage.mediaType", params: { mark: COLOR_MARKS[mediaType], mediaType, credits, results } };
		});
	const totals = {
		days: days.length,
		totalCredits: total.credits,
		money: moneyOf(total.credits, creditPrice),
		results: total.results,
	};
	const averageCredits = Math.round(total.credits / days.length);
	const lines: MessageDescriptor[] = [
		total.credits < days.length
			? { key: "usage.head", params: totals }
			: { key: "usage.headAverage", params: { ...totals, averageCredits } },
		{ key: "usage.media", params: { uses: mediaUses } },
		{ key: "usage.models", params: { uses: shortList(modelUses, MODELS_SHOWN) } },
		{ key: "usage.members", params: { uses: shortList(memberUses, MEMBERS_SHOWN) } },
	];
	if (completeAfterMs !== undefined) {
		lines.push({ key: "usage.completeFrom", params: { fromS: toTimestampS(completeAfterMs) } });
	}
	return { text: lines.map((line) => t(locale, line)).join("\n"), chart: formatChart(report, timeZone, locale) };
}

/** Reports that no usage was found. If older entries were not read, the message names the start of the period that was read. */
function emptyUsage({ days, completeAfterMs }: UsageReport): MessageDescriptor {
	if (completeAfterMs === undefined) return { key: "usage.empty", params: { days: days.length } };
	return { key: "usage.emptySince", params: { fromS: toTimestampS(completeAfterMs) } };
}

function formatChart({ days, total }: UsageReport, timeZone: string, locale: string) {
	const busiestDay = days.reduce<DayUsage | undefined>(
		(busiest, day) => (busiest && creditsOfDay(busiest) >= creditsOfDay(day) ? busiest : day),
		undefined,
	);
	const params = {
		days: days.length,
		totalCredits: total.credits,
		mostCredits: busiestDay ? creditsOfDay(busiestDay) : 0,
		mostDate: busiestDay ? dateFormatter(locale, timeZone)(busiestDay.day.startsAtMs) : "",
	};
	return {
		description: t(locale, { key: "usage.chartDescription", params }),
		labels: chartLabels(locale, timeZone),
	};
}

/** Returns the labels inside the image. The font is Latin only: other languages get digits, and the message explains them. */
function chartLabels(locale: string, timeZone: string): ChartLabels {
	const { isLatin, tag } = languageOf(locale);
	const nameOf = (mediaType: MediaType): string => t(locale, { key: "mediaType.title", params: { mediaType } });
	if (!isLatin) {
		const digits = new Intl.DateTimeFormat(tag, { month: "numeric", day: "numeric", timeZone });
		return { head: undefined, date: (atMs) => digits.format(atMs), number: axisNumberFormatter("en-US") };
	}
	return {
		head: {
			title: t(locale, { key: "usage.chartTitle" }),
			media: { image: nameOf("image"), video: nameOf("video"), music: nameOf("music") },
		},
		date: dateFormatter(locale, timeZone),
		number: axisNumberFormatter(locale),
	};
}

function dateFormatter(locale: string, timeZone: string): (atMs: number) => string {
	const dates = new Intl.DateTimeFormat(languageOf(locale).tag, { month: "short", day: "numeric", timeZone });
	return (atMs) => dates.format(atMs);
}

function axisNumberFormatter(locale: string): (count: number) => string {
	const { tag } = languageOf(locale);
	const whole = new Intl.NumberFormat(tag);
	const compact = new Intl.NumberFormat(tag, { notation: "compact", maximumFractionDigits: 1 });
	// The font has no narrow spaces.
	return (count) => (count < COMPACT_FROM ? whole : compact).format(count).replaceAll(/\s/g, " ");
}
