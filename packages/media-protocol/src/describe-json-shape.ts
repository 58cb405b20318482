import { isObject, parseNestedJson } from "./parse-value.ts";

const DEPTH_MAX = 6;
const KEYS_MAX = 24;
const SHAPE_CHARS_MAX = 800;
/** Keys that look like field names. Others may be values, such as ids. */
const FIELD_NAME = /^[A-Za-z_][\w-]{0,39}$/;

/**
 * Describes the keys and types of a response for the log: `{status: number, files: [2 {url: address}]}`. Contains no
 * values, because a response may repeat member input.
 */
export function describeJsonShape(value: unknown): string {
	const shape = shapeOf(value, 0);
	return shape.length > SHAPE_CHARS_MAX ? `${shape.slice(0, SHAPE_CHARS_MAX)}…` : shape;
}

function shapeOf(value: unknown, depth: number): string {
	if (typeof value === "string") return shapeOfText(value, depth);
	if (Array.isArray(value)) {
		if (value.length === 0) return "[]";
		return depth >= DEPTH_MAX ? "[…]" : `[${value.length} ${shapeOf(value[0], depth + 1)}]`;
	}
	if (!isObject(value)) return value === null ? "null" : typeof value;
	if (depth >= DEPTH_MAX) return "{…}";
	const keys = Object.keys(value);
	const parts = keys
		.slice(0, KEYS_MAX)
		.map((key) => `${FIELD_NAME.test(key) ? key : "…"}: ${shapeOf(value[key], depth + 1)}`);
	return `{${[...parts, ...(keys.length > KEYS_MAX ? ["…"] : [])].join(", ")}}`;
}

function shapeOfText(text: string, depth: number): string {
	if (text === "") return "empty text";
	const opened = parseNestedJson(text);
	if (typeof opened === "object" && opened !== null) return `text of ${shapeOf(opened, depth + 1)}`;
	return /^(?:https?:)?\/\/./i.test(text) ? "address" : "text";
}
