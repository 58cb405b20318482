/** Parses query parameters as Discord does. */
import { parseBoolean } from "../schema/boolean-of.ts";
import { apiErrors } from "../simulator/api-error.ts";
import type { RestRequest } from "./route.ts";

type Query = RestRequest["query"];

/** `undefined` if missing or not a boolean. */
export function booleanParam(query: Query, name: string): boolean | undefined {
	return parseBoolean(query.get(name) ?? "");
}

export function snowflakeParam(query: Query, name: string): bigint | undefined {
	const value = query.get(name);
	if (value === null) return undefined;
	if (/^\d{1,20}$/.test(value)) return BigInt(value);
	const message = `Value "${value}" is not snowflake.`;
	throw apiErrors.invalidForm([{ path: [name], code: "NUMBER_TYPE_COERCE", message }]);
}
