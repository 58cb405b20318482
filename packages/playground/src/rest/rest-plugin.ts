/**
 * Discord's REST API as a Fastify scope: authentication, bodies, validation of requests and responses, and Discord's
 * errors.
 */
import multipart from "@fastify/multipart";
import createRouter, { type HTTPMethod } from "find-my-way";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { isErrno } from "@atelier/common/is-errno";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { ApiError, apiErrors, OAuth2Error } from "../simulator/api-error.ts";
import { guildOf } from "../simulator/channels.ts";
import type { OAuth2Authorization } from "../simulator/documents.ts";
import { REQUEST_BYTES_CEILING } from "../simulator/admin-overrides.ts";
import { createRateLimits, exceededHeaders } from "./rate-limits.ts";
import {
	checkIds,
	FILES_MAX,
	invalidFormError,
	parseJsonBody,
	type ReadBody,
	readBody,
	rejectTooLarge,
	validateBody,
} from "./read-request.ts";
import type { FaultAnswer } from "../fault-injection.ts";
import { CreatedResponse, type RestContext, type RestRequest, type Route } from "./route.ts";
import { routes } from "./routes.ts";

export const REST_PREFIX = "/api";
/** The versions in a path; without one Discord uses its default. All respond as v10, which hardly differs from v9. */
const VERSIONS: readonly string[] = ["", "/v9", "/v10"];
/** The largest JSON body. */
const JSON_BYTES_MAX = 8 * 1024 * 1024;
/** The largest URL-encoded body, and the largest text field of a multipart body, such as `payload_json`. */
const FORM_TEXT_BYTES_MAX = 1024 * 1024;

/** `v9`, `v10`, or the first segment of a path without a version. Other APIs on the same server may have other versions. */
const FIRST_SEGMENT = "/:first(^(?:v9|v10|(?!v\\d+$).+)$)";

/**
 * Finds the route of the path below the version. Built once, and shared by all versions and playgrounds: to register every route with
 * Fastify took half of the time in which a playground starts.
 */
const router = createRouter();
for (const route of routes) router.on(route.method, route.path, () => {}, route);

interface RequestState {
	readonly isChecked?: boolean;
	readonly isInjected?: boolean;
	/** The authorization of the access token. */
	readonly oauth2Authorization?: OAuth2Authorization | undefined;
	readonly error?: ApiError;
	readonly route?: Route;
	readonly read?: ReadBody;
	/** The body of the response. */
	readonly response?: string;
}

export function restPlugin(context: RestContext, logger: Logger) {
	const { botToken } = context.simulator.seed;
	const countRequest = createRateLimits(context.simulator.clock);

	/** Returns the authorization of an access token. As at Discord, a token without the scope is as invalid as an unknown one. */
	function authorize(request: FastifyRequest, route: Route): OAuth2Authorization | undefined {
		const { authorization = "" } = request.headers;
		if (route.auth === "path") return undefined;
		if (route.auth === "bot" && isSameSecret(authorization, `Bot ${botToken}`)) return undefined;
		const acceptsUsers = route.auth === "user" || route.scope !== undefined;
		const accessToken = acceptsUsers ? /^Bearer (\S+)$/.exec(authorization)?.[1] : undefined;
		const oauth2Authorization = accessToken === undefined ? undefined : context.simulator.oauth2.find(accessToken);
		if (!oauth2Authorization || (route.scope && !oauth2Authorization.scopes.includes(route.scope)))
			throw apiErrors.unauthorized();
		return oauth2Authorization;
	}

	/** Sets the headers of the rate limit. Returns the seconds to wait if the request exceeds it. */
	function limitRate(
		request: FastifyRequest,
		reply: FastifyReply,
		route: Route,
		oauth2Authorization?: OAuth2Authorization,
	): number | undefined {
		const { channel, guild, token } = request.params as { channel?: string; guild?: string; token?: string };
		const userId = route.requestsPerSecond === undefined ? undefined : oauth2Authorization?.userId;
		const majorParameters = [channel, guild, token, userId].join(" ");
		const { headers, retryAfterS } = countRequest(routeName(route), majorParameters, route.requestsPerSecond);
		reply.headers(headers);
		return retryAfterS;
	}

	/** The limit of the guild that the request concerns, if known. */
	function requestBytesMaxOf(request: FastifyRequest): number {
		const { channels, interactions, overrides, webhooks } = context.simulator;
		const params = (request.params ?? {}) as { channel?: string; webhook?: string; token?: string };
		const { channelId = params.channel } =
			interactions.findByToken(params.token ?? "") ?? webhooks.find(params.webhook ?? "") ?? {};
		const channel = channelId === undefined ? undefined : channels.find(channelId);
		return overrides.fileLimitsIn((channel && guildOf(channel)) ?? null).requestBytesMax;
	}

	/** State of a request until its response. */
	const states = new WeakMap<FastifyRequest, RequestState>();
	const updateState = (request: FastifyRequest, more: RequestState) =>
		states.set(request, { ...states.get(request), ...more });

	function logRequest(request: FastifyRequest, status: number): void {
		const { isChecked = false, isInjected = false, error, route, read, response } = states.get(request) ?? {};
		const isInvalid = error !== undefined && isInvalidContent(error);
		const { token } = (request.params ?? {}) as { token?: string };
		const { path: pathname, search } = splitUrl(request);
		// Clients send secrets to the OAuth2 routes, sometimes in the query.
		const path = pathname.startsWith("/oauth2/") ? pathname : `${pathname}${search}`;
		const hasBody = read !== undefined && request.method !== "GET" && request.method !== "DELETE";
		const summary = {
			atMs: context.simulator.clock.nowMs(),
			method: request.method,
			path: token === undefined ? path : path.replace(encodeURIComponent(token), "…"),
			route: route ? routeName(route) : null,
			status,
			verdict: isInvalid ? "invalid" : isChecked ? "valid" : "unchecked",
			errors: isInvalid ? errorLines(error) : [],
			isInjected,
			client: request.headers["user-agent"] ?? "",
			authorization: /^\w+(?= )/.exec(request.headers.authorization ?? "")?.[0] ?? null,
			isForm: request.body instanceof URLSearchParams,
			files: (read?.files ?? []).map(({ index, filename, bytes }) => ({
				field: `files[${index}]`,
				name: filename,
				bytes: bytes.byteLength,
			})),
		} as const;
		const body = hasBody ? JSON.stringify(read.body) : undefined;
		context.requestLog.addRequest(summary, { request: body, response });
		if (summary.authorization === "Bearer" || path.startsWith("/oauth2/token")) return;
		const { interaction } = (request.params ?? {}) as { interaction?: string };
		context.recorder.request({
			method: request.method,
			path: summary.path,
			interactionId: interaction ?? context.simulator.interactions.findByToken(token ?? "")?.id,
			body,
			files: read?.files ?? [],
		});
	}

	async function handleRequest(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
		const read = await readBody(request, requestBytesMaxOf(request));
		updateState(request, { read });
		const body = validateBody(route, read);
		const params = new Map(Object.entries(request.params as { [name: string]: string }));
		checkIds(params);
		const { application } = context.simulator.seed;
		const applicationId = params.get("application") ?? application.id;
		if (route.auth === "bot" && applicationId !== application.id) throw apiErrors.unknownApplication();
		updateState(request, { isChecked: true });
		const restRequest: RestRequest = {
			...context,
			params,
			param(name) {
				const value = params.get(name);
				if (value === undefined) throw new Error(`${route.path} has no parameter :${name}`);
				return value;
			},
			query: new URL(request.url, "http://playground").searchParams,
			authorization: request.headers.authorization ?? "",
			oauth2Authorization: states.get(request)?.oauth2Authorization,
			reason: auditLogReason(request),
			body,
			files: read.files,
		};
		const fault = context.requestFaults.take(routeName(route));
		if (fault?.delayMs !== undefined) await context.simulator.clock.sleep(fault.delayMs, context.stop);
		if (fault?.answer && fault.executes) await route.handle(restRequest);
		if (fault?.answer) {
			updateState(request, { isInjected: true });
			if (fault.answer.kind === "hangUp") logRequest(request, 0);
			return sendFaultAnswer(fault.answer, reply, context.simulator.clock.nowMs());
		}
		const result = (await route.handle(restRequest)) ?? undefined;
		const isCreated = result instanceof CreatedResponse;
		const responseBody = isCreated ? result.body : result;
		if (route.responseSchema && responseBody !== undefined)
			context.responseValidator.validate(routeName(route), route.responseSchema, responseBody);
		sendJson(reply, isCreated ? 201 : responseBody === undefined ? 204 : 200, responseBody);
	}

	function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
		const apiError = toApiError(error);
		updateState(request, { error: apiError });
		if (apiError.status >= 500 && !context.stop.aborted)
			logger.error({ err: error, method: request.method }, "request failed");
		else logger.debug({ status: apiError.status, code: apiError.code, method: request.method }, "request rejected");
		const body = apiError.toBody();
		if (!(apiError instanceof OAuth2Error))
			context.responseValidator.validate(`${apiError.status} / ${apiError.code}`, "ErrorResponse", body);
		sendJson(reply, apiError.status, body);
	}

	return async (scope: FastifyInstance): Promise<void> => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser(
			"application/json",
			{ parseAs: "string", bodyLimit: JSON_BYTES_MAX },
			(_, text, done) => {
				try {
					done(null, text === "" ? undefined : parseJsonBody(String(text)));
				} catch (error) {
					done(error as ApiError);
				}
			},
		);
		scope.addContentTypeParser(
			"application/x-www-form-urlencoded",
			{ parseAs: "string", bodyLimit: FORM_TEXT_BYTES_MAX },
			(_, text, done) => done(null, new URLSearchParams(String(text))),
		);
		scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: JSON_BYTES_MAX }, (_, __, done) =>
			done(null, undefined),
		);
		await scope.register(multipart, {
			// Higher than Discord's limits, so that our own errors in Discord's format come first.
			limits: {
				fileSize: REQUEST_BYTES_CEILING + 1,
				files: FILES_MAX + 10,
				fields: 10,
				fieldSize: FORM_TEXT_BYTES_MAX,
				parts: FILES_MAX + 20,
			},
			throwFileSizeLimit: false,
		});
		scope.setErrorHandler(sendError);
		scope.setNotFoundHandler((request, reply) => sendError(unknownRouteError(request), request, reply));
		// Fastify calls the handler above for unknown paths below the prefix `/api`, but not for the prefix itself.
		scope.all("/", (_request, reply) => reply.callNotFound());
		scope.addHook("onSend", (request, _reply, payload, done) => {
			if (Buffer.isBuffer(payload)) updateState(request, { response: payload.toString() });
			done(null, payload);
		});
		scope.addHook("onResponse", (request, reply, done) => {
			logRequest(request, reply.statusCode);
			done();
		});
		for (const url of [FIRST_SEGMENT, `${FIRST_SEGMENT}/*`]) {
			scope.route({
				method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
				url,
				exposeHeadRoute: false,
				onRequest: async (request, reply) => {
					const found = router.find(request.method as HTTPMethod, splitUrl(request).path);
					if (!found) return;
					const route = found.store as Route;
					request.params = found.params;
					updateState(request, { route });
					const oauth2Authorization = authorize(request, route);
					updateState(request, { oauth2Authorization });
					const retryAfterS = limitRate(request, reply, route, oauth2Authorization);
					if (retryAfterS === undefined) return;
					sendFaultAnswer({ kind: "rateLimit", retryAfterS }, reply, context.simulator.clock.nowMs());
					return reply;
				},
				preParsing: async (request) => rejectTooLarge(request, requestBytesMaxOf(request)),
				handler: async (request, reply) => {
					const { route } = states.get(request) ?? {};
					// Only here, because a client that is still sending its body could not read an earlier response.
					if (!route) throw unknownRouteError(request);
					await handleRequest(route, request, reply);
					return reply;
				},
			});
		}
	};
}

/** Clients encode the reason, because headers have no Unicode. */
function auditLogReason({ headers }: FastifyRequest): string | null {
	const reason = headers["x-audit-log-reason"];
	if (typeof reason !== "string" || reason === "") return null;
	try {
		return decodeURIComponent(reason);
	} catch {
		return reason;
	}
}

/** Returns the version in the path (empty without one), the path below it, and the query with its question mark. */
function splitUrl({ url }: FastifyRequest): { version: string; path: string; search: string } {
	const [, version = "", path = "", search = ""] = /^\/api(\/v\d+(?=[/?]|$))?([^?]*)(.*)$/.exec(url) ?? [];
	return { version, path, search };
}

function unknownRouteError(request: FastifyRequest): ApiError {
	return VERSIONS.includes(splitUrl(request).version) ? apiErrors.notFound() : apiErrors.invalidVersion();
}

/** Errors about the content of a request, not about its target. */
const INVALID_CODES: ReadonlySet<number> = new Set([50_006, 50_035, 50_109]);
const isInvalidContent = ({ code }: ApiError): boolean => INVALID_CODES.has(code);

function errorLines({ message, fields }: ApiError): readonly string[] {
	return fields.length === 0 ? [message] : fields.map((field) => `${field.path.join(".")}: ${field.message}`);
}

/** Sends the response of a fault or of a rate limit. */
function sendFaultAnswer(answer: FaultAnswer, reply: FastifyReply, nowMs: number): void {
	switch (answer.kind) {
		case "hangUp":
			reply.hijack();
			reply.raw.destroy();
			return;
		case "body": {
			const { text, status = 200, contentType = "application/json" } = answer;
			reply.code(status);
			if (status === 204) reply.send();
			else reply.header("content-type", contentType).send(Buffer.from(text));
			return;
		}
		case "error":
			return sendJson(reply, answer.status, { message: answer.message ?? "Injected", code: answer.code });
		case "rateLimit": {
			const { retryAfterS, scope = "user" } = answer;
			const isGlobal = scope === "global";
			reply.headers({
				"retry-after": String(Math.ceil(retryAfterS)),
				"x-ratelimit-scope": scope,
				...(isGlobal && { "x-ratelimit-global": "true" }),
				...(scope === "user" && exceededHeaders(retryAfterS, nowMs)),
			});
			const message = "You are being rate limited.";
			return sendJson(reply, 429, { message, retry_after: retryAfterS, global: isGlobal });
		}
	}
}

/**
 * Sends JSON if there is a body. Libraries return the bytes of a response whose content type is not JSON, and fail to parse an empty
 * body that is declared as JSON.
 */
function sendJson(reply: FastifyReply, status: number, body: unknown): void {
	reply.code(status);
	if (body === undefined) reply.send();
	else reply.header("content-type", "application/json").send(Buffer.from(JSON.stringify(body)));
}

function toApiError(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
	if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return apiErrors.bodyTooLarge();
	const isForm =
		typeof code === "string" && /^FST_(FILES|PARTS|FIELDS|REQ_FILE|INVALID_MULTIPART|NO_FORM_DATA)/.test(code);
	if (isForm) return invalidFormError();
	return isClientError(error) ? apiErrors.invalidJson() : apiErrors.unexpected();
}

/** Returns whether the client caused the error: it disconnected, declared a wrong length, or nested too deeply. */
function isClientError(error: unknown): boolean {
	if (error instanceof RangeError && error.message.startsWith("Maximum call stack")) return true;
	if (isErrno(error, "ECONNRESET")) return true;
	const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
	return status >= 400 && status < 500;
}

/** The name of a route for rate limits, faults, the request log, and violations of the schema. */
const routeName = ({ method, path }: Route): string => `${method} ${path}`;
