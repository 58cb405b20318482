/**
 * Finds fields that a schema does not know: zod drops them, so they are in the input but not in the output. (Strict
 * objects cannot be enabled for the package's schemas.)
 */
export function unknownPaths(sent: unknown, parsed: unknown, path: readonly string[] = []): (readonly string[])[] {
	if (typeof sent !== "object" || sent === null) return [];
	const kept = new Map(Object.entries(parsed ?? {}));
	return Object.entries(sent).flatMap(([key, value]) =>
		kept.has(key) ? unknownPaths(value, kept.get(key), [...path, key]) : [[...path, key]],
	);
}
