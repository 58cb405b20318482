/** Converts values that Discord accepts in more forms than its schema says: ids as numbers, integers as strings. */
import type { FieldError } from "../simulator/api-error.ts";

/** Paths that end in an id, or a list of ids. */
const ID_NAMES = /(^|_)ids?$|^(users|roles)$/;

/** Returns a copy with the types that the errors ask for; the body itself if nothing changes. */
export function coerce(body: unknown, errors: readonly FieldError[], isForm: boolean): unknown {
	const codeByPath = new Map(errors.map(({ path, code }) => [path.join("."), code]));
	let isChanged = false;
	const copy = (value: unknown, path: readonly (string | number)[]): unknown => {
		if (Array.isArray(value)) return value.map((item, at) => copy(item, [...path, at]));
		if (typeof value === "object" && value !== null)
			return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner, [...path, name])]));
		const converted = coerceValue(value, path, codeByPath.get(path.join(".")), isForm);
		isChanged ||= converted !== value;
		return converted;
	};
	const converted = copy(body, []);
	return isChanged ? converted : body;
}

function coerceValue(
	value: unknown,
	path: readonly (string | number)[],
	code: string | undefined,
	isOfFields: boolean,
): unknown {
	if (code === "STRING_TYPE_CONVERT" && Number.isSafeInteger(value)) {
		const name = path.findLast((part) => typeof part === "string") ?? "";
		return ID_NAMES.test(name) ? String(value) : value;
	}
	if (typeof value !== "string") return value;
	if (code === "NUMBER_TYPE_CONVERT" && /^-?\d{1,15}$/.test(value)) return Number(value);
	if (code === "BOOLEAN_TYPE_CONVERT" && isOfFields) return parseBoolean(value) ?? value;
	return value;
}

/** Parses a boolean in a query or a form as Discord does; `undefined` for other text. */
export function parseBoolean(text: string): boolean | undefined {
	if (["True", "true", "1"].includes(text)) return true;
	return ["False", "false", "0"].includes(text) ? false : undefined;
}
