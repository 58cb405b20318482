/** What the runtime knows of a language: how it counts, lists and tells the time. Nothing of that is made by hand. */

/** The forms of a word that a language tells apart by a count; most have fewer than Unicode names. */
interface Forms {
	readonly one?: string;
	/** From a million on, where a language says "a million of them". */
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
		/** The word alone, as it stands with this count. */
		form,
		/** The count and its word: "1 credit", "1,000 credits". */
		counted: (count: number, forms: Forms): string => `${numbers().format(count)} ${form(count, forms)}`,
		/** In plain text, where Discord's timestamps are not shown. */
		ago: (minutes: number): string => {
			if (minutes < MINUTES_AN_HOUR) return times().format(-minutes, "minute");
			if (minutes < 2 * MINUTES_A_DAY) return times().format(-Math.floor(minutes / MINUTES_AN_HOUR), "hour");
			return times().format(-Math.floor(minutes / MINUTES_A_DAY), "day");
		},
	};
}

/** What a language takes of the runtime is a megabyte and more, and of most languages nobody here ever reads a word. */
function whenNeeded<T>(make: () => T): () => T {
	let made: T | undefined;
	return () => (made ??= make());
}
