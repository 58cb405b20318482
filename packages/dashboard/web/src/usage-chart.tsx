/** Shows the credits per day as stacked bars. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { Usage } from "../../src/schemas/usage.ts";
import { useApp } from "./app-context.ts";
import { ticksUpTo } from "./chart-ticks.ts";

type Day = Usage["days"][number];

/** On a phone, more would overlap. */
const DATES_MAX = 5;

interface UsageChartProps {
	readonly days: readonly Day[];
	/** For screen readers, which do not read the bars. */
	readonly description: string;
}

export function UsageChart({ days, description }: UsageChartProps) {
	const { t, formats } = useApp();
	const ticks = ticksUpTo(Math.max(...days.map((day) => MEDIA_TYPES.reduce((sum, type) => sum + day[type], 0))));
	const shareOf = (credits: number): string => `${(100 * credits) / (ticks.at(-1) ?? 1)}%`;
	const datesEvery = Math.ceil(days.length / DATES_MAX);
	const titleOf = (day: Day): string => {
		const parts = MEDIA_TYPES.map(
			(type) => `${t("mediaType.title", { mediaType: type })}: ${formats.number(day[type])}`,
		);
		return [formats.day(day.day), ...parts].join("\n");
	};
	return (
		<>
			<ul class="facts">
				{MEDIA_TYPES.map((mediaType) => (
					<li key={mediaType} class="row">
						<span class={`chart-bar ${mediaType}`} />
						{t("mediaType.title", { mediaType })}
					</li>
				))}
			</ul>
			<div class="chart" role="img" aria-label={description}>
				{ticks.map((credits) => (
					<span key={credits} class="chart-tick" style={{ bottom: shareOf(credits) }}>
						{formats.number(credits)}
					</span>
				))}
				{days.map((day, at) => (
					<div key={day.day} class="chart-day" title={titleOf(day)}>
						{MEDIA_TYPES.map((mediaType) => (
							<span key={mediaType} class={`chart-bar ${mediaType}`} style={{ height: shareOf(day[mediaType]) }} />
						))}
						{(days.length - 1 - at) % datesEvery === 0 && <span class="chart-date">{formats.day(day.day)}</span>}
					</div>
				))}
			</div>
		</>
	);
}
