/** Plural rules, lists and durations of the runtime's `Intl`. */

/** The plural forms of a word. Most languages use fewer than Unicode names. */
interface Forms {
	readonly one?: string;
	/** For millions, in languages that say "a million of them". */
	readonly many?: string;
	readonly other: string;
}

const MINUTES_AN_HOUR = 60;
const MINUTES_A_DAY = 24 * MINUTES_AN_HOUR;

/** `language`: a tag such as `pt-BR`. */
export function pluralRulesOf(language: string) {
	const numbers = whenNeeded(() => new Intl.NumberFormat(language));
	const plurals = whenNeeded(() => new Intl.PluralRules(language));
	const times = whenNeeded(() => new Intl.RelativeTimeFormat(language, { style: "short" }));

	const form = (count: number, forms: Forms): string => {
		const category = plurals().select(count);
		return (category === "one" || category === "many" ? forms[category] : undefined) ?? forms.other;
	};
	return {
		number: (count: number): string => numbers().format(count),
		/** Returns the word alone, in the form for this count. */
		form,
		/** Returns the count and its word: "1 credit", "1,000 credits". */
		counted: (count: number, forms: Forms): string => `${numbers().format(count)} ${form(count, forms)}`,
		/** For plain text, where Discord's timestamps do not render. */
		ago: (minutes: number): string => {
			if (minutes < MINUTES_AN_HOUR) return times().format(-minutes, "minute");
			if (minutes < 2 * MINUTES_A_DAY) return times().format(-Math.floor(minutes / MINUTES_AN_HOUR), "hour");
			return times().format(-Math.floor(minutes / MINUTES_A_DAY), "day");
		},
	};
}

/** Creates `Intl` objects on first use: they take over a megabyte, and most languages are never used in a process. */
function whenNeeded<T>(make: () => T): () => T {
	let made: T | undefined;
	return () => (made ??= make());
}
