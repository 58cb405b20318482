import { isObject, parseNestedJson, type Json } from "./parse-value.ts";

/** An object in a response that may contain fields of a task. */
export interface FieldObject {
	/** The path to the object, such as `data.taskResult`. */
	readonly path: string;
	readonly fields: Json;
}

/** A value and its path. */
export interface Found<T> {
	readonly value: T;
	readonly path: string;
}

/** Names of objects with fields of a task. Objects that repeat the request (`options`, `input`, `param`) are missing. */
const NESTED_NAMES = [
	"data",
	"task",
	"record",
	"taskInfo",
	"task_info",
	"taskResult",
	"task_result",
	"result",
	"resultJson",
	"result_json",
	"response",
	"output",
	"content",
	"assets",
	"metadata",
	"meta",
	"usage",
];
const DEPTH_MAX = 4;
const OBJECTS_MAX = 32;

/** Returns the objects that may contain fields of a task, outer before inner. Parses JSON in strings. */
export function fieldObjectsOf(payload: unknown, path = "data"): readonly FieldObject[] {
	const fieldObjects: FieldObject[] = [];
	let level: readonly FieldObject[] = objectAt(payload, path);
	for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth++) {
		fieldObjects.push(...level);
		level = level
			.flatMap(({ path: outer, fields }) =>
				NESTED_NAMES.filter((name) => Object.hasOwn(fields, name)).flatMap((name) =>
					objectAt(fields[name], `${outer}.${name}`, name === "data"),
				),
			)
			.slice(0, OBJECTS_MAX - fieldObjects.length);
	}
	return fieldObjects;
}

/**
 * Opens the value at a path. Of a list of tasks it takes the first, because the request was about one task. Only the payload and
 * `data` are such lists: a list in `result` or `output` contains the files of a task.
 */
function objectAt(value: unknown, path: string, mayBeTaskList = true): readonly FieldObject[] {
	const opened = parseNestedJson(value);
	if (isObject(opened)) return [{ path, fields: opened }];
	const first: unknown = mayBeTaskList && Array.isArray(opened) ? opened[0] : undefined;
	return isObject(first) ? [{ path: `${path}[0]`, fields: first }] : [];
}

/** Returns the first value under these names that can be parsed. Searches outer objects first. */
export function findField<T>(
	fieldObjects: readonly FieldObject[],
	names: readonly string[],
	parse: (value: unknown) => T | undefined,
): Found<T> | undefined {
	for (const { path, fields } of fieldObjects) {
		for (const name of names) {
			const value = Object.hasOwn(fields, name) ? parse(fields[name]) : undefined;
			if (value !== undefined) return { value, path: `${path}.${name}` };
		}
	}
	return undefined;
}
