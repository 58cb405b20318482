/** Values that a JSON Schema allows, and values that it forbids. */
import { list, record, type Json } from "./openapi-document.ts";

export interface Wrong {
	readonly value: unknown;
	/** The violated constraint, in words. */
	readonly why: string;
}

/** Returns the smallest valid value; `known` contains the values of fields that only the service can know. */
export function valueOf(schema: Json, known: Json, name = ""): unknown {
	if (name in known) return known[name];
	if ("const" in schema) return schema["const"];
	if ("default" in schema) return schema["default"];
	if (Array.isArray(schema["enum"])) return schema["enum"][0];
	switch (schema["type"]) {
		case "object": {
			const properties = record(schema["properties"]);
			const wanted = list(schema["required"]).map(String);
			return Object.fromEntries(wanted.map((key) => [key, valueOf(record(properties[key]), known, key)]));
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
export function wrongValuesOf(schema: Json): readonly Wrong[] {
	const wrong: Wrong[] = [];
	const { type } = schema;
	if (typeof type === "string") wrong.push({ value: WRONG_TYPE[type] ?? { not: type }, why: `is no ${type}` });
	if (Array.isArray(schema["enum"])) wrong.push({ value: "no-such-word", why: "is none of the words" });
	if ("const" in schema) wrong.push({ value: "no-such-word", why: `is not ${String(schema["const"])}` });
	if (typeof schema["minimum"] === "number") wrong.push({ value: schema["minimum"] - 1, why: "is too little" });
	if (typeof schema["maximum"] === "number") wrong.push({ value: schema["maximum"] + 1, why: "is too much" });
	if (type === "integer") wrong.push({ value: 1.5, why: "is no whole number" });
	if (typeof schema["maxLength"] === "number") {
		wrong.push({ value: "x".repeat(schema["maxLength"] + 1), why: "is too long" });
	}
	if (typeof schema["maxItems"] === "number") {
		const items = Array.from({ length: schema["maxItems"] + 1 }, () => valueOf(record(schema["items"]), {}));
		wrong.push({ value: items, why: "has too many items" });
	}
	if (type === "array" && typeof record(schema["items"])["type"] === "string") {
		const [inside] = wrongValuesOf(record(schema["items"]));
		if (inside) wrong.push({ value: [inside.value], why: `has an item that ${inside.why}` });
	}
	return wrong;
}

const WRONG_TYPE: Readonly<Record<string, unknown>> = {
	string: { nested: "text" },
	integer: "many",
	number: "many",
	boolean: "perhaps",
	array: "a list",
	object: "an object",
};
