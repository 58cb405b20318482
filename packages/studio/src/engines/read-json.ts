/** Safe access to unknown JSON. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value at this path; `undefined` if it does not exist. */
export function valueAt(value: unknown, ...names: readonly string[]): unknown {
	return names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

export function textAt(value: unknown, ...names: readonly string[]): string | undefined {
	const found = valueAt(value, ...names);
	return typeof found === "string" && found !== "" ? found : undefined;
}

export function numberAt(value: unknown, ...names: readonly string[]): number | undefined {
	const found = valueAt(value, ...names);
	return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

export function listAt(value: unknown, ...names: readonly string[]): readonly unknown[] {
	const found = valueAt(value, ...names);
	return Array.isArray(found) ? found : [];
}
