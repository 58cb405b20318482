/** Finds time zones by name, for `/quota server`. */
import { isTimeZone } from "./period.ts";

const CHOICES_MAX = 25;

/** Finds time zones by part of their name. Zones with a part that begins with the text come first. */
export function searchTimeZones(typed: string): readonly string[] {
	const searchText = typed.trim().toLowerCase().replaceAll(" ", "_");
	const found = knownTimeZones().filter((zone) => zone.toLowerCase().includes(searchText));
	const hasPartWithPrefix = (zone: string): boolean =>
		zone
			.toLowerCase()
			.split("/")
			.some((part) => part.startsWith(searchText));
	return [
		...found.filter((zone) => hasPartWithPrefix(zone)),
		...found.filter((zone) => !hasPartWithPrefix(zone)),
	].slice(0, CHOICES_MAX);
}

/** Returns the IANA spelling of a known zone; another valid name, such as an older one, as typed; `undefined` for an invalid name. */
export function findTimeZone(typed: string): string | undefined {
	const name = typed.trim();
	const known = knownTimeZones().find((zone) => zone.toLowerCase() === name.toLowerCase());
	if (known !== undefined) return known;
	return /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(name) && isTimeZone(name) ? name : undefined;
}

function knownTimeZones(): readonly string[] {
	return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}
