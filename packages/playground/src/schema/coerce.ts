/**
 * Converts values that Discord accepts in more forms than its schema says: ids as numbers, integers as strings, and booleans
 * as strings in forms.
 */
import { fieldAt, mapJson } from "../json.ts";
import type { FieldError } from "../simulator/api-error.ts";

/** The names of fields with an id or a list of ids. */
const ID_NAMES = /(^|_)ids?$|^(users|roles)$/;

/** Returns a copy with the types that the errors ask for. */
export function coerce(body: unknown, errors: readonly FieldError[], isForm: boolean): unknown {
	const codeByPath = new Map(errors.map(({ path, code }) => [path.join("."), code]));
	return mapJson(body, (value, path) => {
		const code = codeByPath.get(path.join("."));
		if (code === "STRING_TYPE_CONVERT" && Number.isSafeInteger(value) && ID_NAMES.test(fieldAt(path)))
			return String(value);
		if (typeof value !== "string") return value;
		if (code === "NUMBER_TYPE_CONVERT" && /^-?\d{1,15}$/.test(value)) return Number(value);
		if (code === "BOOLEAN_TYPE_CONVERT" && isForm) return parseBoolean(value) ?? value;
		return value;
	});
}

/** Parses a boolean in a query or a form as Discord does; `undefined` for other text. */
export function parseBoolean(text: string): boolean | undefined {
	if (["True", "true", "1"].includes(text)) return true;
	return ["False", "false", "0"].includes(text) ? false : undefined;
}
