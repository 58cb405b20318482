/** The place of a value inside a JSON document. */
export type JsonPath = readonly (string | number)[];

/** The body of a request: Discord also accepts `null` for fields that may be missing. */
export type Nullable<Body> = { readonly [Field in keyof Body]?: Body[Field] | null };

export type JsonObject = { readonly [key: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns a copy with each value replaced by `replace`, which gets objects and lists before their contents. The contents
 * of a replaced value are not visited. Fields that become `undefined` are removed. The path is valid only during the call.
 */
export function mapJson(
	value: unknown,
	replace: (value: unknown, path: JsonPath) => unknown,
	path: (string | number)[] = [],
): unknown {
	const replaced = replace(value, path);
	if (replaced !== value || typeof value !== "object" || value === null) return replaced;
	const mapAt = (key: string | number, inner: unknown): unknown => {
		path.push(key);
		const mapped = mapJson(inner, replace, path);
		path.pop();
		return mapped;
	};
	if (Array.isArray(value)) return value.map((item, index) => mapAt(index, item));
	const entries: [string, unknown][] = [];
	for (const [key, inner] of Object.entries(value)) {
		const mapped = mapAt(key, inner);
		if (mapped !== undefined) entries.push([key, mapped]);
	}
	return Object.fromEntries(entries);
}

/** The name of the field that contains this place, also of a list. */
export function fieldAt(path: JsonPath): string {
	return path.findLast((part) => typeof part === "string") ?? "";
}
