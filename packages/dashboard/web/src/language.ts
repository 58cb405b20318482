/** Formats messages, numbers and dates in the reader's language. */
import { IntlMessageFormat } from "intl-messageformat";
import type { MessageParams, PlainKey } from "./message-params.ts";

type Text = string | number;
type Params = MessageParams<Text>;
type MessageKey = PlainKey | keyof Params;
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

const SECOND_MS = 1_000;
const UNITS = [
	["day", 86_400 * SECOND_MS],
	["hour", 3_600 * SECOND_MS],
	["minute", 60 * SECOND_MS],
] as const;
/** Times further away, in the past or the future, are shown as dates. */
const AGE_DAYS_MAX = 6;

export function createFormats(locale: string, now: () => number = Date.now) {
	const numbers = new Intl.NumberFormat(locale);
	const signed = new Intl.NumberFormat(locale, { signDisplay: "always" });
	const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
	const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
	const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
	const days = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
	const ages = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
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
		moment: (atMs: number) => moments.format(atMs),
		/** A day such as `2026-11-20`, without the year. */
		day: (day: string) => days.format(Date.parse(`${day}T00:00:00Z`)),
		/** "5 minutes ago", "in 2 hours"; the date of times that are further away. */
		age: (atMs: number) => {
			const offsetMs = atMs - now();
			if (Math.abs(offsetMs) > AGE_DAYS_MAX * UNITS[0][1]) return dates.format(atMs);
			const [unit, unitMs] = UNITS.find(([, each]) => Math.abs(offsetMs) >= each) ?? (["second", SECOND_MS] as const);
			return unit === "second" ? ages.format(0, "second") : ages.format(Math.trunc(offsetMs / unitMs), unit);
		},
	};
}
