import { isJsonObject, type JsonPath } from "../json.ts";

export interface JsonDifference {
	/** The place in the value, such as `body.embeds.0.title`. */
	readonly path: string;
	/** `undefined` if it is missing. */
	readonly expected: unknown;
	readonly actual: unknown;
}

/** Lists the differences between two JSON values, by path. */
export function jsonDifferences(expected: unknown, actual: unknown, path: JsonPath = []): JsonDifference[] {
	if (Object.is(expected, actual)) return [];
	const areLists = Array.isArray(expected) && Array.isArray(actual);
	if (!areLists && !(isJsonObject(expected) && isJsonObject(actual)))
		return [{ path: path.join("."), expected, actual }];
	const [expectedFields, actualFields] = [new Map(Object.entries(expected)), new Map(Object.entries(actual))];
	return [...new Set([...expectedFields.keys(), ...actualFields.keys()])].flatMap((key) =>
		jsonDifferences(expectedFields.get(key), actualFields.get(key), [...path, key]),
	);
}
