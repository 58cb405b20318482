/** Moments as people read them. Pure: the current time, the locale and the zone are passed in. */

const DISCORD_EPOCH_MS = 1_420_070_400_000;

/** @typedef {{ nowMs: number, locale?: string | undefined, timeZone?: string | undefined }} Reader */

/** @type {ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]>} */
const UNITS = [
	["year", 31_557_600],
	["month", 2_629_800],
	["day", 86_400],
	["hour", 3_600],
	["minute", 60],
	["second", 1],
];

/** @type {Readonly<Record<string, Intl.DateTimeFormatOptions>>} */
const STYLES = {
	t: { timeStyle: "short" },
	T: { timeStyle: "medium" },
	d: { dateStyle: "short" },
	D: { dateStyle: "long" },
	f: { dateStyle: "long", timeStyle: "short" },
	F: { dateStyle: "full", timeStyle: "short" },
	s: { dateStyle: "short", timeStyle: "short" },
	S: { dateStyle: "short", timeStyle: "medium" },
};

/** When a snowflake was made. @param {string} id */
export function snowflakeTimeMs(id) {
	return Number(BigInt(id) >> 22n) + DISCORD_EPOCH_MS;
}

/**
 * What `<t:seconds:style>` shows.
 *
 * @param {number} seconds
 * @param {string} style
 * @param {Reader} reader
 */
export function timestampText(seconds, style, reader) {
	return style === "R"
		? relativeText(seconds * 1000, reader)
		: formatted(seconds * 1000, STYLES[style] ?? STYLES["f"], reader);
}

/**
 * @param {number} atMs
 * @param {Reader} reader
 */
export function relativeText(atMs, { nowMs, locale }) {
	const seconds = Math.round((atMs - nowMs) / 1000);
	/** @type {readonly [Intl.RelativeTimeFormatUnit, number]} */
	const [unit, size] = UNITS.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? ["second", 1];
	return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/**
 * A message's time: the hour alone today, the day with it before.
 *
 * @param {number} atMs
 * @param {Reader} reader
 */
export function messageTimeText(atMs, reader) {
	const time = formatted(atMs, { timeStyle: "short" }, reader);
	const days = dayNumber(reader.nowMs, reader) - dayNumber(atMs, reader);
	if (days === 0) return time;
	if (days === 1) return `Yesterday at ${time}`;
	return `${formatted(atMs, { dateStyle: "medium" }, reader)}, ${time}`;
}

/**
 * @param {number} atMs
 * @param {Reader} reader
 */
export function dayText(atMs, reader) {
	const days = dayNumber(reader.nowMs, reader) - dayNumber(atMs, reader);
	if (days === 0) return "Today";
	if (days === 1) return "Yesterday";
	return formatted(atMs, { dateStyle: "long" }, reader);
}

/**
 * Which calendar day it is where the reader lives: equal numbers mean the same day.
 *
 * @param {number} atMs
 * @param {Reader} reader
 */
export function dayNumber(atMs, { timeZone }) {
	const [year, month, day] = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" })
		.format(atMs)
		.split("-")
		.map(Number);
	return Math.round(Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1) / 86_400_000);
}

/** @param {number} seconds */
export function durationText(seconds) {
	const whole = Math.max(0, Math.round(seconds));
	return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * @param {number} atMs
 * @param {Intl.DateTimeFormatOptions | undefined} options
 * @param {Reader} reader
 */
function formatted(atMs, options, { locale, timeZone }) {
	return new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(atMs);
}
