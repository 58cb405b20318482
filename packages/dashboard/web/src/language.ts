/** Formats messages, numbers and dates in the reader's language. */
import { IntlMessageFormat } from "intl-messageformat";
// Types only: the page receives its messages from the bot, and fails to compile if a key or a parameter is not among them.
import type { DASHBOARD_MESSAGES } from "../../../../src/i18n/dashboard-messages.ts";
import type english from "../../../../src/i18n/locales/en.json";
import type { MessageParams } from "../../../../src/i18n/message-params.ts";

type Params = MessageParams<string | number>;
type Shown = (typeof DASHBOARD_MESSAGES)[number];
type MessageKey = Extract<keyof typeof english, Shown | `${Extract<Shown, `${string}.`>}${string}`>;
/** The parameters of a message; none for a plain one. */
type ParamsOf<Key extends MessageKey> = Key extends keyof Params ? [Params[Key]] : [];
export type Translate = <Key extends MessageKey>(key: Key, ...params: ParamsOf<Key>) => string;
/** The reader's locale if the messages are in its language, so that dates follow the reader's region. */
export function formatLocale(reader: string, ofMessages: string): string {
	const isSupported = languageOf(reader) === languageOf(ofMessages) && isLocale(reader);
	return isSupported ? reader : ofMessages;
}

function languageOf(tag: string): string {
	return tag.replace(/-.*/, "").toLowerCase();
}

function isLocale(tag: string): boolean {
	try {
		return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
	} catch {
		return false;
	}
}

/** A key without a message is shown as it is. */
export function createTranslate(messages: Readonly<Record<string, string>>, locale: string): Translate {
	const compiled = new Map<string, IntlMessageFormat>();
	return (key, ...[params]) => {
		let message = compiled.get(key);
		if (!message) {
			message = new IntlMessageFormat(messages[key] ?? key, locale, undefined, { ignoreTag: true });
			compiled.set(key, message);
		}
		return String(message.format(params));
	};
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The units of relative times, with the time from which each is used. */
const UNITS = [
	["day", DAY_MS, 2 * DAY_MS],
	["hour", HOUR_MS, HOUR_MS],
	["minute", MINUTE_MS, MINUTE_MS],
] as const;
/** Times further away, in the past or the future, are shown as dates. */
const AGE_MAX_MS = 6 * DAY_MS;

export function createFormats(locale: string, now: () => number = Date.now) {
	const numbers = new Intl.NumberFormat(locale);
	const signed = new Intl.NumberFormat(locale, { signDisplay: "always" });
	const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
	const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
	const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
	const days = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
	const nows = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
	// Never "yesterday" or "tomorrow": 50 hours ago may be three days ago in the calendar.
	const ages = new Intl.RelativeTimeFormat(locale, { numeric: "always" });
	return {
		/** Begins a choice or a label as the dashboard does; Discord shows some of them within a line. */
		capitalized: (text: string) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1),
		number: (value: number) => numbers.format(value),
		/** Writes a minus sign and `±0`, as Discord's replies do. */
		signed: (value: number) => (value === 0 ? "±0" : signed.format(value).replace("-", "−")),
		percent: (share: number) => percents.format(share),
		money: (amount: number, currency: string) =>
			new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount),
		date: (atMs: number) => dates.format(atMs),
		dateIn: (timeZone: string, atMs: number) =>
			new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone }).format(atMs),
		moment: (atMs: number) => moments.format(atMs),
		/** A day such as `2026-11-20`, without the year. */
		day: (day: string) => days.format(Date.parse(`${day}T00:00:00Z`)),
		/** "5 minutes ago", "in 2 hours"; the date of times that are further away. */
		age: (atMs: number) => {
			const offsetMs = atMs - now();
			if (Math.abs(offsetMs) > AGE_MAX_MS) return dates.format(atMs);
			const found = UNITS.find(([, , fromMs]) => Math.abs(offsetMs) >= fromMs);
			if (!found) return nows.format(0, "second");
			const [unit, unitMs] = found;
			return ages.format(Math.trunc(offsetMs / unitMs), unit);
		},
	};
}
