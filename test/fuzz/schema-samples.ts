/** Generates a valid value of a zod schema, so that damaged bodies pass the first checks of a route. */
import { z } from "zod";

/** Values of strings with a pattern or a format; the first that matches is used. */
const TEXTS = [
	"a text",
	"1",
	"0".repeat(16),
	"2026-11-20",
	"00000000-0000-4000-8000-000000000000",
	"https://bot.example.com/",
];

interface JsonSchema {
	readonly type?: "object" | "array" | "integer" | "number" | "boolean" | "string" | "null";
	readonly const?: unknown;
	readonly enum?: readonly unknown[];
	readonly anyOf?: readonly JsonSchema[];
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly items?: JsonSchema;
	readonly minimum?: number;
	readonly pattern?: string;
}

/** Returns a valid value of a schema. */
export function sampleOf(schema: z.ZodType): unknown {
	return sampleOfJson(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema);
}

function sampleOfJson(schema: JsonSchema): unknown {
	if (schema.anyOf) return sampleOfJson(schema.anyOf[0] ?? {});
	if (schema.enum) return schema.enum[0];
	if (schema.const !== undefined) return schema.const;
	switch (schema.type) {
		case "object":
			return Object.fromEntries(
				Object.entries(schema.properties ?? {}).map(([name, property]) => [name, sampleOfJson(property)]),
			);
		case "array":
			return schema.items ? [sampleOfJson(schema.items)] : [];
		case "integer":
		case "number":
			return Math.max(schema.minimum ?? 0, 1);
		case "boolean":
			return true;
		case "string":
			return TEXTS.find((text) => schema.pattern === undefined || new RegExp(schema.pattern, "u").test(text)) ?? "";
		case "null":
		case undefined:
			return null;
	}
}
