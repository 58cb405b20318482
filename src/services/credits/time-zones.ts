/** The time zones that admins are offered. */
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

/** The time zones that a server may choose. UTC, the time zone of new servers, comes first. */
export function knownTimeZones(): readonly string[] {
	return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}
