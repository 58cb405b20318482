/** Finds time zones by name, for `/quota server`. */
import { isTimeZone } from "./period.ts";

const CHOICES_MAX = 25;

/** Finds time zones by part of their name. Zones with a part that begins with the text come first. */
export function searchTimeZones(typed: string): readonly string[] {
	const words = typed.trim().toLowerCase().replaceAll(" ", "_");
	const found = knownTimeZones().filter((zone) => zone.toLowerCase().includes(words));
	const begins = (zone: string): boolean =>
		zone
			.toLowerCase()
			.split("/")
			.some((part) => part.startsWith(words));
	return [...found.filter((zone) => begins(zone)), ...found.filter((zone) => !begins(zone))].slice(0, CHOICES_MAX);
}

/** Returns the IANA spelling of a known zone. Another valid name, such as an older one, is returned as typed. */
export function findTimeZone(typed: string): string | undefined {
	const word = typed.trim();
	const known = knownTimeZones().find((zone) => zone.toLowerCase() === word.toLowerCase());
	if (known !== undefined) return known;
	return /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(word) && isTimeZone(word) ? word : undefined;
}

function knownTimeZones(): readonly string[] {
	return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}
