/** Access to JSON of unknown shape. */
import { isObject } from "@atelier/media-protocol/parse-value";

/** Returns the value at this path; `undefined` if it does not exist. */
export function valueAt(value: unknown, ...names: readonly string[]): unknown {
	return names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

/** Returns the text at this path; `undefined` for an empty text and other values. */
export function textAt(value: unknown, ...names: readonly string[]): string | undefined {
	const found = valueAt(value, ...names);
	return typeof found === "string" && found !== "" ? found : undefined;
}

export function numberAt(value: unknown, ...names: readonly string[]): number | undefined {
	const found = valueAt(value, ...names);
	return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** Returns the list at this path; an empty one for other values. */
export function listAt(value: unknown, ...names: readonly string[]): readonly unknown[] {
	const found = valueAt(value, ...names);
	return Array.isArray(found) ? found : [];
}
