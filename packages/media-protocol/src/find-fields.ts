import { isObject, unfold, type Json } from "./parse-value.ts";

/** An object of an answer in which its fields may stand. */
export interface Place {
	/** How to get there, such as `data.taskResult`. */
	readonly at: string;
	readonly fields: Json;
}

/** A value, and where it stood. */
export interface Found<T> {
	readonly value: T;
	readonly at: string;
}

/** Where services nest what belongs to a task. What it was asked for (`options`, `input`, `param`) is none of it. */
const INNER_NAMES = [
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
const PLACES_MAX = 32;

/** The objects in which fields of a task may stand, the outer before the inner; strings of JSON are opened on the way. */
export function placesOf(payload: unknown, at = "data"): readonly Place[] {
	const places: Place[] = [];
	let level: readonly Place[] = placeOf(payload, at);
	for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth++) {
		places.push(...level);
		level = level
			.flatMap(({ at: outer, fields }) =>
				INNER_NAMES.filter((name) => Object.hasOwn(fields, name)).flatMap((name) =>
					placeOf(fields[name], `${outer}.${name}`, name === "data"),
				),
			)
			.slice(0, PLACES_MAX - places.length);
	}
	return places;
}

/** Of a list the first entry: a service that answers with lists was asked about one task. */
function placeOf(value: unknown, at: string, mayBeList = true): readonly Place[] {
	const opened = unfold(value);
	if (isObject(opened)) return [{ at, fields: opened }];
	const first: unknown = mayBeList && Array.isArray(opened) ? opened[0] : undefined;
	return isObject(first) ? [{ at: `${at}[0]`, fields: first }] : [];
}

/** The first of these names, in the outermost place, whose value can be read. */
export function seek<T>(
	places: readonly Place[],
	names: readonly string[],
	read: (value: unknown) => T | undefined,
): Found<T> | undefined {
	for (const { at, fields } of places) {
		for (const name of names) {
			const value = Object.hasOwn(fields, name) ? read(fields[name]) : undefined;
			if (value !== undefined) return { value, at: `${at}.${name}` };
		}
	}
	return undefined;
}
