/** JSON as indented lines, with the errors of Discord at the fields that they are about. */
import { isJsonObject } from "../../src/json.ts";

interface JsonLine {
	readonly text: string;
	/** True for a line with an error, which is below the line of its field. */
	readonly isError: boolean;
}

interface Problem {
	readonly path: readonly string[];
	readonly message: string;
}

/** Reads the nested `errors` of an error response. */
export function problemsOf(response: unknown): readonly Problem[] {
	return isJsonObject(response) ? nestedProblems(response["errors"], []) : [];
}

function nestedProblems(errors: unknown, path: readonly string[]): Problem[] {
	if (!isJsonObject(errors)) return [];
	return Object.entries(errors).flatMap(([key, inner]) =>
		key === "_errors" && Array.isArray(inner)
			? inner.map((each: unknown) => ({ path, message: isJsonObject(each) ? String(each["message"]) : "" }))
			: nestedProblems(inner, [...path, key]),
	);
}

export function jsonLines(json: unknown, problems: readonly Problem[] = []): JsonLine[] {
	const placed = problems.map((problem) => placeOf(json, problem));
	return valueLines(json, { path: [], prefix: "", suffix: "", placed });
}

/** An error about a missing field belongs to the nearest object around it. */
function placeOf(json: unknown, { path, message }: Problem): Problem {
	let value = json;
	const known = path.findIndex((key) => {
		const inner = isContainer(value) ? Object.entries(value).find(([name]) => name === key) : undefined;
		value = inner?.[1];
		return inner === undefined;
	});
	if (known === -1) return { path, message };
	return { path: path.slice(0, known), message: `${path.slice(known).join(".")}: ${message}` };
}

function line(text: string): JsonLine {
	return { text, isError: false };
}

interface Place {
	readonly path: readonly string[];
	/** The name of the field. */
	readonly prefix: string;
	/** The comma after the value. */
	readonly suffix: string;
	readonly placed: readonly Problem[];
}

function valueLines(value: unknown, { path, prefix, suffix, placed }: Place): JsonLine[] {
	const indent = "  ".repeat(path.length);
	const here = placed.filter((problem) => problem.path.join("\n") === path.join("\n"));
	const errors = here.map(({ message }) => ({ text: `${indent}^ ${message}`, isError: true }));
	const entries = isContainer(value) ? Object.entries(value) : [];
	if (!isContainer(value) || entries.length === 0)
		return [line(`${indent}${prefix}${JSON.stringify(value)}${suffix}`), ...errors];
	const isList = Array.isArray(value);
	const inner = entries.flatMap(([key, each], index) =>
		valueLines(each, {
			path: [...path, key],
			prefix: isList ? "" : `${JSON.stringify(key)}: `,
			suffix: index < entries.length - 1 ? "," : "",
			placed,
		}),
	);
	const [open, close] = isList ? ["[", "]"] : ["{", "}"];
	return [line(`${indent}${prefix}${open}`), ...errors, ...inner, line(`${indent}${close}${suffix}`)];
}

function isContainer(value: unknown): value is object {
	return typeof value === "object" && value !== null;
}
