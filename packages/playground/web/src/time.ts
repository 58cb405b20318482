/** Dates and durations as text. Pure: the current time and the locale are parameters. */

const DISCORD_EPOCH_MS = 1_420_070_400_000;

export interface TimeFormat {
	readonly nowMs: number;
	readonly locale?: string | undefined;
}

const UNITS: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
	["year", 31_557_600],
	["month", 2_629_800],
	["day", 86_400],
	["hour", 3_600],
	["minute", 60],
	["second", 1],
];

const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
	t: { timeStyle: "short" },
	T: { timeStyle: "medium" },
	d: { dateStyle: "short" },
	D: { dateStyle: "long" },
	f: { dateStyle: "long", timeStyle: "short" },
	F: { dateStyle: "full", timeStyle: "short" },
	s: { dateStyle: "short", timeStyle: "short" },
	S: { dateStyle: "short", timeStyle: "medium" },
};

/** The creation time of a snowflake. */
export function snowflakeTimeMs(id: string): number {
	return Number(BigInt(id) >> 22n) + DISCORD_EPOCH_MS;
}

/** The text of `<t:seconds:style>`. */
export function timestampText(seconds: number, style: string, timeFormat: TimeFormat): string {
	return style === "R"
		? relativeText(seconds * 1000, timeFormat)
		: formatted(seconds * 1000, STYLES[style] ?? STYLES["f"], timeFormat);
}

export function relativeText(atMs: number, { nowMs, locale }: TimeFormat): string {
	const seconds = Math.round((atMs - nowMs) / 1000);
	const [unit, size] = UNITS.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? (["second", 1] as const);
	return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/** The time of a message: the hour alone today, with the day before it otherwise. */
export function messageTimeText(atMs: number, timeFormat: TimeFormat): string {
	const time = formatted(atMs, { timeStyle: "short" }, timeFormat);
	const days = dayNumber(timeFormat.nowMs) - dayNumber(atMs);
	if (days === 0) return time;
	if (days === 1) return `${relativeDay(days, timeFormat)}, ${time}`;
	return `${formatted(atMs, { dateStyle: "medium" }, timeFormat)}, ${time}`;
}

/** Today or yesterday, as the beginning of a text. */
function relativeDay(daysAgo: number, { locale }: TimeFormat): string {
	const text = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-daysAgo, "day");
	return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}

export function dayText(atMs: number, timeFormat: TimeFormat): string {
	const days = dayNumber(timeFormat.nowMs) - dayNumber(atMs);
	if (days === 0 || days === 1) return relativeDay(days, timeFormat);
	return formatted(atMs, { dateStyle: "long" }, timeFormat);
}

/** The calendar day in the user's time zone: equal numbers are the same day. */
export function dayNumber(atMs: number): number {
	return Math.floor((atMs - new Date(atMs).getTimezoneOffset() * 60_000) / 86_400_000);
}

function formatted(atMs: number, options: Intl.DateTimeFormatOptions | undefined, timeFormat: TimeFormat): string {
	return new Intl.DateTimeFormat(timeFormat.locale, options).format(atMs);
}
