/** The OpenAPI document, made of what the service really does: its routes, its schemas, its models and its codes. */
import { z } from "zod";
import type { Catalogue } from "./catalogue.ts";
import { MEDIA_TYPES, type Model } from "./engines/engine.ts";
import { CODES } from "./errors.ts";
import type { StudioLimits } from "./limits.ts";
import type { Route } from "./route-definition.ts";
import { routes } from "./routes.ts";

type Json = Readonly<Record<string, unknown>>;

const PREFIX = "/api/v1";

export function openApiDocument(
	{ models }: Catalogue,
	{ promptCharsMax }: Pick<StudioLimits, "promptCharsMax">,
	origin: string,
): Json {
	const paths: Record<string, Record<string, Json>> = {};
	for (const route of routes) {
		const path = PREFIX + route.path.replaceAll(/:(\w+)/g, "{$1}");
		(paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route);
	}
	return {
		openapi: "3.1.0",
		info: {
			title: "Atelier studio",
			version: "1",
			description: "Makes images, videos and music. Every answer is an envelope whose code is 0 where all went well.",
		},
		servers: [{ url: origin }],
		security: [{ key: [] }],
		paths,
		components: {
			securitySchemes: { key: { type: "http", scheme: "bearer" } },
			schemas: { Order: orderSchema(models, promptCharsMax), Refusal: refusalSchema() },
		},
	};
}

function operationOf(route: Route): Json {
	const body = bodyOf(route);
	return {
		summary: route.summary,
		operationId: operationIdOf(route),
		parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
		...(body && { requestBody: { required: true, content: body } }),
		responses: {
			200: { description: "done", content: answerOf(route) },
			default: { description: "refused or failed", content: json({ $ref: "#/components/schemas/Refusal" }) },
		},
	};
}

function operationIdOf({ method, path }: Route): string {
	const words = path.split("/").filter((word) => word !== "" && !word.startsWith(":"));
	return [method.toLowerCase(), ...words].join("-");
}

function pathParameters({ path }: Route): readonly Json[] {
	return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
		name,
		in: "path",
		required: true,
		schema: { type: "string" },
	}));
}

function queryParameters({ query }: Route): readonly Json[] {
	const { properties = {} } = schemaOf(query, "input") as { properties?: Readonly<Record<string, Json>> };
	return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", required: false, schema }));
}

function headerParameters({ path }: Route): readonly Json[] {
	const schema = { type: "string", minLength: 1, maxLength: 255 };
	return path === "/generate" ? [{ name: "Idempotency-Key", in: "header", required: false, schema }] : [];
}

function bodyOf({ body, order, takesFile }: Route): Json | undefined {
	if (order) return json({ $ref: "#/components/schemas/Order" });
	if (takesFile) {
		const file = { type: "string", contentMediaType: "application/octet-stream" };
		return { "multipart/form-data": { schema: { type: "object", properties: { file }, required: ["file"] } } };
	}
	return body && json(schemaOf(body, "input"));
}

function answerOf({ answer, streams }: Route): Json {
	if (streams) return { "text/event-stream": { schema: { type: "string" } } };
	return json({
		type: "object",
		properties: {
			code: { const: 0 },
			message: { type: "string" },
			requestId: { type: "string" },
			data: schemaOf(answer, "output"),
		},
		required: ["code", "message", "requestId", "data"],
	});
}

/** A body that orders something: one shape for each model. */
function orderSchema(models: readonly Model[], promptCharsMax: number): Json {
	return {
		type: "object",
		required: ["mediaType", "model"],
		properties: {
			mediaType: { enum: MEDIA_TYPES },
			model: { type: "string" },
			prompt: { type: "string", maxLength: promptCharsMax },
			scene: { type: "string" },
			options: { type: "object" },
			callbackUrl: { type: "string", format: "uri" },
		},
		anyOf: models.map(({ id, mediaType, description, scenes, options }) => ({
			title: id,
			description,
			properties: {
				mediaType: { const: mediaType },
				model: { const: id },
				scene: { enum: scenes },
				options: { type: "object", properties: options },
			},
		})),
	};
}

function refusalSchema(): Json {
	const fault = {
		type: "object",
		properties: { field: { type: "string" }, message: { type: "string" } },
		required: ["field", "message"],
	};
	return {
		type: "object",
		properties: {
			code: { enum: Object.values(CODES) },
			message: { type: "string" },
			requestId: { type: "string" },
			data: { type: "null" },
			details: { type: "array", items: fault },
		},
		required: ["code", "message", "requestId", "data"],
	};
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
	const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
	return rest;
}

function json(schema: Json): Json {
	return { "application/json": { schema } };
}
