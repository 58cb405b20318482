/** The place of a value inside a JSON document. */
export type JsonPath = readonly (string | number)[];

export type JsonObject = { readonly [key: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns a copy with each value replaced by `replace`, which gets objects and lists before their contents. The contents
 * of a replaced value are not visited. Fields that become `undefined` are removed.
 */
export function mapJson(
	value: unknown,
	replace: (value: unknown, path: JsonPath) => unknown,
	path: JsonPath = [],
): unknown {
	const replaced = replace(value, path);
	if (replaced !== value) return replaced;
	if (Array.isArray(value)) return value.map((item, index) => mapJson(item, replace, [...path, index]));
	if (!isJsonObject(value)) return value;
	const entries = Object.entries(value).map(([key, inner]) => [key, mapJson(inner, replace, [...path, key])] as const);
	return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

/** The name of the field that contains this place, also of a list. */
export function fieldAt(path: JsonPath): string {
	return path.findLast((part) => typeof part === "string") ?? "";
}
