/** Parses query parameters as Discord does. */
import { booleanOf } from "../schema/boolean-of.ts";
import { faults } from "../simulator/api-error.ts";
import type { RestRequest } from "./route.ts";

type Query = RestRequest["query"];

/** `undefined` if missing or not a boolean. */
export function booleanIn(query: Query, name: string): boolean | undefined {
	return booleanOf(query.get(name) ?? "");
}

export function snowflakeIn(query: Query, name: string): bigint | undefined {
	const value = query.get(name);
	if (value === null) return undefined;
	if (/^\d{1,20}$/.test(value)) return BigInt(value);
	const message = `Value "${value}" is not snowflake.`;
	throw faults.invalidForm([{ path: [name], code: "NUMBER_TYPE_COERCE", message }]);
}
