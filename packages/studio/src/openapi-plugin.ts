import fastifySwagger, { type SwaggerTransform } from "@fastify/swagger";
import fastifySwaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { Catalog } from "./model-catalog.ts";
import { CODES } from "./errors.ts";
import type { StudioLimits } from "./limits.ts";
import { SubmitBody } from "./request-schemas.ts";

interface OpenApiDeps {
	readonly catalog: Catalog;
	readonly limits: Pick<StudioLimits, "promptCharsMax">;
	/** Absolute origin of the service, known once listening. */
	readonly origin: () => string;
}

/**
 * Swagger UI works without inline scripts and styles. Scalar's reference does not (style attributes need `unsafe-inline`), and
 * takes 15 MB instead of 3 MB.
 */
const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

const ERROR_SCHEMA = z.looseObject({
	code: z.enum(CODES),
	message: z.string(),
	requestId: z.string(),
	data: z.null(),
	details: z.array(z.looseObject({ field: z.string(), message: z.string() })).optional(),
});

const ERROR_RESPONSE = {
	description: "rejected or failed",
	content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
} as const;

/**
 * Serves the OpenAPI document of the routes added to this scope afterwards at `/openapi.json`, and a page to try them
 * at `/docs`. Neither needs a key: the page asks for one.
 */
export async function registerOpenApi(scope: FastifyInstance, deps: OpenApiDeps): Promise<void> {
	await scope.register(fastifySwagger, {
		// `const` is valid in OpenAPI 3.1.
		convertConstToEnum: false,
		openapi: {
			openapi: "3.1.0",
			info: {
				title: "Atelier studio",
				version: "1",
				description:
					"Generates images, videos and music. Every response is an envelope; its code is 0 on success. Requests sent from /docs are real: a submit costs credits.",
			},
			security: [{ key: [] }],
			components: {
				securitySchemes: { key: { type: "http", scheme: "bearer" } },
				schemas: {
					GenerationRequest: generationRequestSchema(deps),
					Error: jsonSchemaOf(ERROR_SCHEMA, "output"),
				},
			},
		},
		transform,
	});
	scope.get("/openapi.json", { schema: { hide: true } }, (_request, reply) =>
		reply.header("cache-control", "no-cache").send({ ...scope.swagger(), servers: [{ url: deps.origin() }] }),
	);
	await scope.register(fastifySwaggerUi, {
		routePrefix: "/docs",
		staticCSP: CONTENT_SECURITY_POLICY,
		theme: { title: "Atelier studio: the API" },
		uiConfig: { layout: "BaseLayout", defaultModelsExpandDepth: 0 },
	});
}

/** Converts the zod schemas of a route, wraps the response into the envelope, and adds the error response. */
const transform: SwaggerTransform = ({ schema, url, route }) => {
	if (!schema || schema.hide) return { schema: { hide: true }, url };
	const { body, params, querystring, headers, response, ...rest } = schema;
	const success = (response as Readonly<Record<string, unknown>> | undefined)?.["200"];
	return {
		url,
		schema: {
			...rest,
			operationId: [String(route.method).toLowerCase(), ...url.split("/").slice(3).filter(isWord)].join("-"),
			...(body === SubmitBody && { body: { $ref: "#/components/schemas/GenerationRequest" } }),
			...(body instanceof z.ZodType && body !== SubmitBody && { body: jsonSchemaOf(body, "input") }),
			...(params instanceof z.ZodType && { params: jsonSchemaOf(params, "input") }),
			...(querystring instanceof z.ZodType && { querystring: jsonSchemaOf(querystring, "input") }),
			...(headers instanceof z.ZodType && { headers: jsonSchemaOf(headers, "input") }),
			response: {
				200: success instanceof z.ZodType ? jsonSchemaOf(envelopeOf(success), "output") : success,
				default: ERROR_RESPONSE,
			},
		},
	};
};

function isWord(segment: string): boolean {
	return segment !== "" && !segment.startsWith(":");
}

function envelopeOf(data: z.ZodType): z.ZodType {
	return z.looseObject({ code: z.literal(0), message: z.string(), requestId: z.string(), data }).describe("done");
}

function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): object {
	const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
	return rest;
}

/** The body of a submit: one schema per model of the catalog. */
function generationRequestSchema({ catalog: { models }, limits }: OpenApiDeps): object {
	return {
		type: "object",
		required: ["mediaType", "model"],
		properties: {
			mediaType: { enum: [...MEDIA_TYPES] },
			model: { type: "string" },
			prompt: { type: "string", maxLength: limits.promptCharsMax },
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
		examples: models
			.slice(0, 1)
			.map(({ id, mediaType }) => ({ mediaType, model: id, prompt: "a lighthouse in a storm" })),
	};
}
