/** Values that a JSON Schema allows, and values that it forbids. */
import { list, record, type Json } from "./openapi-document.ts";

export interface InvalidValue {
	readonly value: unknown;
	/** The violated constraint, in words. */
	readonly why: string;
}

/** Returns the smallest valid value. */
export function valueOf(schema: Json): unknown {
	if ("const" in schema) return schema["const"];
	if ("default" in schema) return schema["default"];
	if (Array.isArray(schema["enum"])) return schema["enum"][0];
	switch (schema["type"]) {
		case "object": {
			const properties = record(schema["properties"]);
			const requiredKeys = list(schema["required"]).map(String);
			return Object.fromEntries(requiredKeys.map((key) => [key, valueOf(record(properties[key]))]));
		}
		case "array":
			return [];
		case "integer":
		case "number":
			return schema["minimum"] ?? 1;
		case "boolean":
			return true;
		default:
			return "x";
	}
}

/** Returns one invalid value for each constraint of the schema. */
export function invalidValuesOf(schema: Json): readonly InvalidValue[] {
	const invalid: InvalidValue[] = [];
	const { type } = schema;
	if (typeof type === "string")
		invalid.push({ value: VALUE_OF_OTHER_TYPE[type] ?? { not: type }, why: `is not of the type ${type}` });
	if (Array.isArray(schema["enum"])) invalid.push({ value: "no-such-value", why: "is not an allowed value" });
	if ("const" in schema) invalid.push({ value: "no-such-value", why: `is not ${String(schema["const"])}` });
	if (typeof schema["minimum"] === "number") invalid.push({ value: schema["minimum"] - 1, why: "is too small" });
	if (typeof schema["maximum"] === "number") invalid.push({ value: schema["maximum"] + 1, why: "is too large" });
	if (type === "integer") invalid.push({ value: 1.5, why: "is not a whole number" });
	if (typeof schema["maxLength"] === "number") {
		invalid.push({ value: "x".repeat(schema["maxLength"] + 1), why: "is too long" });
	}
	if (typeof schema["maxItems"] === "number") {
		const items = Array.from({ length: schema["maxItems"] + 1 }, () => valueOf(record(schema["items"])));
		invalid.push({ value: items, why: "has too many items" });
	}
	if (type === "array" && typeof record(schema["items"])["type"] === "string") {
		const [invalidItem] = invalidValuesOf(record(schema["items"]));
		if (invalidItem) invalid.push({ value: [invalidItem.value], why: `has an item that ${invalidItem.why}` });
	}
	return invalid;
}

const VALUE_OF_OTHER_TYPE: Readonly<Record<string, unknown>> = {
	string: { nested: "text" },
	integer: "many",
	number: "many",
	boolean: "perhaps",
	array: "a list",
	object: "an object",
};
