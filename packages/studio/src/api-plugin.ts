import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { authenticate, API_KEY_DECORATOR } from "./authenticate.ts";
import { replyWithError } from "./envelope.ts";
import { StudioApiError, CODES } from "./errors.ts";
import type { ApiKey } from "./api-keys.ts";
import type { RateLimits } from "./rate-limits.ts";
import { parseParameters } from "./request-schemas.ts";
import { registerRoutes, type RouteDeps } from "./routes.ts";

export interface ApiDeps extends RouteDeps {
	readonly rateLimits: RateLimits;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Registers everything under `/api/v1` in an encapsulated scope: authentication, rate limits, envelope, errors, routes.
 */
export async function registerApi(app: FastifyInstance, deps: ApiDeps): Promise<void> {
	await app.register(
		async (scope) => {
			scope.removeAllContentTypeParsers();
			scope.addContentTypeParser(
				"application/json",
				{ parseAs: "buffer", bodyLimit: deps.limits.bodyBytesMax },
				async (_request: FastifyRequest, body: Buffer) => parseJson(body),
			);
			scope.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => (input: unknown) => {
				try {
					return { value: parseParameters(schema, input, httpPart) };
				} catch (error) {
					return { error: error as StudioApiError };
				}
			});
			scope.setSerializerCompiler(() => (data) => JSON.stringify(data));

			scope.decorateRequest<ApiKey | null>(API_KEY_DECORATOR, null);
			// Runs before the body is read: a client without permission cannot make the process read a megabyte.
			scope.addHook("onRequest", async (request, reply) => {
				reply.header("x-request-id", request.id).header("cache-control", "no-store");
				const apiKey = await authenticate(deps.keys, request, deps.clock.nowMs());
				request.setDecorator(API_KEY_DECORATOR, apiKey);
				const { config, schema } = request.routeOptions;
				const { requiredScope } = config;
				if (!requiredScope) return;
				reply.headers(await deps.rateLimits.take(apiKey, requiredScope));
				if (!apiKey.scopes.includes(requiredScope)) {
					throw new StudioApiError(CODES.forbidden, `this key lacks the permission: ${requiredScope}`);
				}
				const takesJson = schema?.body !== undefined && !schema.consumes;
				if (takesJson && request.headers["content-type"] === undefined) throw unsupportedContentType();
			});
			scope.addHook("preSerialization", (request, reply, payload, done) => {
				// `code` and `data` of the envelope are the specification's; the rest is our choice.
				const envelope = { code: 0, message: "ok", requestId: request.id, data: payload };
				done(null, reply.statusCode === 200 ? envelope : payload);
			});

			scope.setErrorHandler((error, request, reply) => {
				const requestId = request.id;
				const clientError = toClientError(error);
				if (clientError) deps.logger.info({ requestId, code: clientError.code }, "request rejected");
				else deps.logger.error({ err: error, requestId }, "request failed");
				void replyWithError(reply, clientError ?? new StudioApiError(CODES.internal, "unexpected error; it is logged"));
			});
			scope.setNotFoundHandler((_request, reply) => {
				void replyWithError(reply, new StudioApiError(CODES.notFound, "unknown operation"));
			});

			const methodsByPath = new Map<string, string[]>();
			scope.addHook("onRoute", ({ routePath, method }) => {
				methodsByPath.set(routePath, [...(methodsByPath.get(routePath) ?? []), ...[method].flat()]);
			});
			await registerRoutes(scope, deps);
			for (const [path, methods] of methodsByPath) rejectOtherMethods(scope, path, methods);
		},
		{ prefix: "/api/v1" },
	);
}

function rejectOtherMethods(scope: FastifyInstance, path: string, allowed: readonly string[]): void {
	const methodNames = allowed.filter((method) => method !== "HEAD").join(" or ");
	const error = new StudioApiError(CODES.methodNotAllowed, `use ${methodNames}`, {
		headers: { allow: allowed.join(", ") },
	});
	scope.route({
		method: scope.supportedMethods.filter((method) => !allowed.includes(method) && method !== "TRACE"),
		url: path,
		schema: { hide: true },
		// Responds before the body is parsed: the body of an unknown operation does not matter.
		onRequest: async () => {
			throw error;
		},
		handler: () => {},
	});
}

function parseJson(body: Buffer): unknown {
	// An empty body may have a content type.
	if (body.byteLength === 0) return undefined;
	try {
		return JSON.parse(utf8.decode(body));
	} catch {
		throw new StudioApiError(CODES.malformed, "the body is not JSON in UTF-8");
	}
}

function unsupportedContentType(): StudioApiError {
	return new StudioApiError(CODES.unsupportedContentType, "the body must be sent as Content-Type: application/json");
}

/** Returns the error for the client, or `undefined` for an error of the studio. */
function toClientError(error: unknown): StudioApiError | undefined {
	if (error instanceof StudioApiError) return error;
	const { code, statusCode = 500 } = error as Partial<FastifyError>;
	if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return unsupportedContentType();
	if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return new StudioApiError(CODES.tooLarge, "the body is too large");
	return statusCode >= 400 && statusCode < 500
		? new StudioApiError(CODES.malformed, "the request is malformed")
		: undefined;
}
