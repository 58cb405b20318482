/** Parses the values that admins type, in Discord and on the page. Pure. */

/** Groups of three digits, with the separators of all languages: 2.5 is not 25. */
const WHOLE_NUMBER = /^(?:\d+|\d{1,3}(?:[\s.,'’_]\d{3})+)$/;

/** Returns `null` for an empty text, and `undefined` for a text that is no whole number up to `max`. */
export function parseWholeNumber(typed: string, max: number): number | null | undefined {
	// Digits of East Asian keyboards may be wide.
	const text = typed.normalize("NFKC").trim();
	if (text === "") return null;
	const number = WHOLE_NUMBER.test(text) ? Number(text.replaceAll(/\D/g, "")) : Number.NaN;
	return number <= max ? number : undefined;
}

/**
 * Returns the spelling of a known time zone. Also accepts other names of the IANA database, such as an older one, but no
 * abbreviations. Returns `undefined` for another text.
 */
export function parseTimeZone(typed: string, known: readonly string[]): string | undefined {
	const name = typed.trim();
	const found = known.find((zone) => zone.toLowerCase() === name.toLowerCase());
	if (found !== undefined) return found;
	return /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(name) && isTimeZone(name) ? name : undefined;
}

/** Returns whether dates can be shown in this time zone. */
export function isTimeZone(timeZone: string): boolean {
	try {
		new Intl.DateTimeFormat("en", { timeZone }).format(0);
		return true;
	} catch {
		return false;
	}
}
