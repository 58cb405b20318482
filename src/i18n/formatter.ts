/** Formats the messages of one language: ICU MessageFormat, with the plurals, numbers and lists of CLDR. */
import { IntlMessageFormat, type Formatters } from "intl-messageformat";
import { formatMoney } from "./money.ts";
import type { MessageKey, MessageDescriptor, MessageValue } from "./message-descriptor.ts";

/** The patterns of one language by key. */
export type Patterns = Readonly<Record<MessageKey, string>>;

export interface Formatter {
	format(descriptor: MessageDescriptor): string;
	/** "5 minutes ago", "now". For plain text, where Discord's timestamps do not render. */
	formatAge(minutes: number): string;
}

const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR;

/** `tag`: a BCP 47 tag such as `pt-BR`. */
export function createFormatter(tag: string, patterns: Patterns): Formatter {
	const formatters = createFormatters();
	const lists = lazy(() => new Intl.ListFormat(tag));
	const ages = lazy(() => new Intl.RelativeTimeFormat(tag, { style: "short", numeric: "auto" }));
	/** Compiled at first use: most messages are never used in a process. */
	const compiled = new Map<MessageKey, IntlMessageFormat>();

	function compile(key: MessageKey): IntlMessageFormat {
		let message = compiled.get(key);
		if (!message) {
			const pattern = insertNames(patterns[key], patterns);
			message = new IntlMessageFormat(pattern, tag, undefined, { ignoreTag: true, formatters });
			compiled.set(key, message);
		}
		return message;
	}

	function format(descriptor: MessageDescriptor): string {
		const pattern: string | undefined = patterns[descriptor.key];
		// The message of a stored task may be one of another version.
		if (pattern === undefined) return patterns["error.messageGone"];
		// Skips compilation for plain text, such as the hundreds of names and descriptions of commands.
		if (!pattern.includes("{")) return pattern;
		const params: Readonly<Record<string, MessageValue>> = "params" in descriptor ? descriptor.params : {};
		const values = Object.entries(params).map(([name, value]) => [name, formatValue(value)] as const);
		return String(compile(descriptor.key).format(Object.fromEntries(values)));
	}

	function formatValue(value: MessageValue): string | number | boolean | null {
		if (typeof value !== "object" || value === null) return value;
		if ("key" in value) return format(value);
		if ("currency" in value) return formatMoney(value, tag);
		return lists().format(value.map((item) => String(formatValue(item))));
	}

	return {
		format,
		formatAge: (minutes) => {
			if (minutes < 1) return ages().format(0, "second");
			if (minutes < MINUTES_PER_HOUR) return ages().format(-minutes, "minute");
			if (minutes < 2 * MINUTES_PER_DAY) return ages().format(-Math.floor(minutes / MINUTES_PER_HOUR), "hour");
			return ages().format(-Math.floor(minutes / MINUTES_PER_DAY), "day");
		},
	};
}

/** Replaces `{command_job_get}` with "/job get" and `{option_member}` with "member", in the language of the message. */
function insertNames(pattern: string, patterns: Patterns): string {
	const nameOf = (word: string): string => patterns[`name.${word}` as MessageKey];
	return pattern.replaceAll(/\{(command|option)_(\w+)\}/g, (_placeholder, kind: string, words: string) =>
		kind === "option" ? nameOf(words) : `/${words.split("_").map(nameOf).join(" ")}`,
	);
}

/** Shares the `Intl` objects of a language between its messages: each takes tens of kilobytes. */
function createFormatters(): Formatters {
	const numbers = new Map<string, Intl.NumberFormat>();
	const plurals = new Map<string, Intl.PluralRules>();
	return {
		getNumberFormat: (tags, options) =>
			cached(numbers, options, () => new Intl.NumberFormat(tags, options as Intl.NumberFormatOptions)),
		getPluralRules: (tags, options) => cached(plurals, options, () => new Intl.PluralRules(tags, options)),
		getDateTimeFormat: (tags, options) => new Intl.DateTimeFormat(tags, options),
	};
}

function cached<T>(cache: Map<string, T>, options: object | undefined, create: () => T): T {
	const key = JSON.stringify(options ?? {});
	let value = cache.get(key);
	if (!value) {
		value = create();
		cache.set(key, value);
	}
	return value;
}

/** Creates `Intl` objects at first use: they take over a megabyte, and most languages are never used in a process. */
function lazy<T>(create: () => T): () => T {
	let value: T | undefined;
	return () => (value ??= create());
}
