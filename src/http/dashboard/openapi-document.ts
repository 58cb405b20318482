import { z } from "zod";
import { endpoints, mayKeyUse, pathSchema, type Endpoint } from "@atelier/dashboard/contract";
import { ErrorBody } from "@atelier/dashboard/schemas/errors";

const SECURITY_SCHEMES = {
	session: { type: "apiKey", in: "cookie", name: "__Host-atelier-session" },
	key: { type: "http", scheme: "bearer", description: "An API key of the server in the path." },
};

/** Writes the OpenAPI document of the dashboard's API from the table of endpoints. `origin`: the public one. */
export function openApiDocument(origin: string): object {
	const paths: Record<string, Record<string, object>> = {};
	for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
		const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
		paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) };
	}
	return {
		openapi: "3.1.0",
		info: { title: "Atelier dashboard", version: "1" },
		servers: [{ url: `${origin}/dashboard/api` }],
		components: { schemas: { Error: schemaOf(ErrorBody, "output") }, securitySchemes: SECURITY_SCHEMES },
		paths,
	};
}

function operationOf(name: string, endpoint: Endpoint): object {
	const { summary, access, method, path, query, body, response } = endpoint;
	const isOpenToKeys = mayKeyUse(endpoint);
	// A request with a key needs no token.
	const csrf = { name: "x-csrf-token", in: "header", required: !isOpenToKeys, schema: { type: "string" } };
	return {
		operationId: name,
		summary,
		description: `Access: ${access}.`,
		security: [{ session: [] }, ...(isOpenToKeys ? [{ key: [] }] : [])],
		parameters: [
			...parametersOf(pathSchema(path), "path"),
			...parametersOf(query, "query"),
			...(method === "GET" ? [] : [csrf]),
		],
		...(body && {
			requestBody: { required: true, content: { "application/json": { schema: schemaOf(body, "input") } } },
		}),
		responses: {
			...successOf(response),
			default: {
				description: "rejected or failed",
				content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
			},
		},
	};
}

function successOf(response: Endpoint["response"]): Readonly<Record<number, object>> {
	if (response === "redirect") return { 302: { description: "redirects to the file" } };
	const content =
		response instanceof z.ZodType
			? { "application/json": { schema: schemaOf(response, "output") } }
			: { [response]: { schema: { type: "string" } } };
	return { 200: { description: "done", content } };
}

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query"): readonly object[] {
	if (!schema) return [];
	const { properties = {}, required = [] } = schemaOf(schema, "input") as {
		properties?: Record<string, object>;
		required?: readonly string[];
	};
	return Object.entries(properties).map(([name, property]) => ({
		name,
		in: place,
		required: place === "path" || required.includes(name),
		schema: property,
	}));
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
	const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
	return rest;
}
