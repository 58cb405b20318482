/**
 * Fields that a schema does not know, wherever they stand: zod drops them, so they are what was sent and is not in what
 * was parsed. (The schemas' own switch to strict objects comes too late to close any of them.)
 */
export function unknownPaths(sent: unknown, parsed: unknown, path: readonly string[] = []): (readonly string[])[] {
	if (typeof sent !== "object" || sent === null) return [];
	const kept = new Map(Object.entries(parsed ?? {}));
	return Object.entries(sent).flatMap(([key, value]) =>
		kept.has(key) ? unknownPaths(value, kept.get(key), [...path, key]) : [[...path, key]],
	);
}
