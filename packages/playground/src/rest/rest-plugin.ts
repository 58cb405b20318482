/**
 * Discord's REST API as a Fastify scope: authentication, bodies, validation of requests and responses, and Discord's
 * errors.
 */
import createRouter, { type HTTPMethod } from "find-my-way";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { type ApiError, apiErrors, OAuth2Error } from "../simulator/api-error.ts";
import { guildOf } from "../simulator/channels.ts";
import type { OAuth2Authorization } from "../simulator/documents.ts";
import { authorize } from "./authorize.ts";
import { registerBodyParsers } from "./body-parsers.ts";
import { logRequest, type RequestState } from "./log-request.ts";
import { createRateLimits } from "./rate-limits.ts";
import { checkIds, readBody, validateBody } from "./read-request.ts";
import { sendFaultAnswer, sendJson, toApiError } from "./responses.ts";
import {
	auditLogReason,
	CreatedResponse,
	type RestContext,
	type RestRequest,
	type Route,
	routeName,
	splitUrl,
} from "./route.ts";
import { routes } from "./routes.ts";

export const REST_PREFIX = "/api";
/** The versions in a path; without one Discord uses its default. All respond as v10, which hardly differs from v9. */
const VERSIONS: readonly string[] = ["", "/v9", "/v10"];

/** `v9`, `v10`, or the first segment of a path without a version. Other APIs on the same server may have other versions. */
const FIRST_SEGMENT = "/:first(^(?:v9|v10|(?!v\\d+$).+)$)";

/**
 * Finds the route of the path below the version. Built once, and shared by all versions and playgrounds: to register every route with
 * Fastify took half of the time in which a playground starts.
 */
const router = createRouter();
for (const route of routes) router.on(route.method, route.path, () => {}, route);

export function restPlugin(context: RestContext, logger: Logger) {
	const countRequest = createRateLimits(context.simulator.clock);

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
		const { channels, interactions, adminSettings, webhooks } = context.simulator;
		const params = (request.params ?? {}) as { channel?: string; webhook?: string; token?: string };
		const { channelId = params.channel } =
			interactions.findByToken(params.token ?? "") ?? webhooks.find(params.webhook ?? "") ?? {};
		const channel = channelId === undefined ? undefined : channels.find(channelId);
		return adminSettings.fileLimitsIn(channel && guildOf(channel)).requestBytesMax;
	}

	/** State of a request until its response. */
	const states = new WeakMap<FastifyRequest, RequestState>();
	const stateOf = (request: FastifyRequest): RequestState => states.get(request) ?? {};
	const updateState = (request: FastifyRequest, more: RequestState) =>
		states.set(request, { ...stateOf(request), ...more });

	/** Finds the route, checks the token and counts the request. Sends the response if the rate limit is exceeded. */
	function startRequest(request: FastifyRequest, reply: FastifyReply): boolean {
		// discord.js sends `@me` as `%40me`.
		const path = splitUrl(request).path.replaceAll("%40", "@");
		const found = router.find(request.method as HTTPMethod, path);
		if (!found) return true;
		const route = found.store as Route;
		request.params = found.params;
		updateState(request, { route });
		const oauth2Authorization = authorize(context.simulator, request, route);
		updateState(request, { oauth2Authorization });
		const retryAfterS = limitRate(request, reply, route, oauth2Authorization);
		if (retryAfterS === undefined) return true;
		sendFaultAnswer({ kind: "rateLimit", retryAfterS }, reply, context.simulator.clock.nowMs());
		return false;
	}

	/** Reads and validates the body and the ids. Throws Discord's error. */
	async function readRequest(route: Route, request: FastifyRequest): Promise<RestRequest> {
		const read = await readBody(request, requestBytesMaxOf(request));
		updateState(request, { read });
		const body = validateBody(route, read);
		const { application } = context.simulator.seed;
		const params = new Map(Object.entries(request.params as { [name: string]: string }));
		if (params.get("userOrMe") === "@me") params.set("userOrMe", application.id);
		checkIds(params);
		const applicationId = params.get("application") ?? application.id;
		if (route.auth === "bot" && applicationId !== application.id) throw apiErrors.unknownApplication();
		updateState(request, { isChecked: true });
		return {
			...context,
			actorId: application.id,
			params,
			param(name) {
				const value = params.get(name);
				if (value === undefined) throw new Error(`${route.path} has no parameter :${name}`);
				return value;
			},
			query: new URL(request.url, "http://playground").searchParams,
			authorization: request.headers.authorization ?? "",
			oauth2Authorization: stateOf(request).oauth2Authorization,
			reason: auditLogReason(request),
			body,
			files: read.files,
		};
	}

	async function handleRequest(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
		const restRequest = await readRequest(route, request);
		const fault = context.requestFaults.take(routeName(route));
		if (fault?.delayMs !== undefined) await context.simulator.clock.sleep(fault.delayMs, context.stop);
		if (fault?.answer && fault.executes) await route.handle(restRequest);
		if (fault?.answer) {
			updateState(request, { isInjected: true });
			if (fault.answer.kind === "hangUp") logRequest(context, request, stateOf(request), 0);
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
		await registerBodyParsers(scope);
		scope.setErrorHandler(sendError);
		scope.setNotFoundHandler((request, reply) => sendError(unknownRouteError(request), request, reply));
		// Fastify calls the handler above for unknown paths below the prefix `/api`, but not for the prefix itself.
		scope.all("/", (_request, reply) => reply.callNotFound());
		scope.addHook("onSend", (request, _reply, payload, done) => {
			if (Buffer.isBuffer(payload)) updateState(request, { response: payload.toString() });
			done(null, payload);
		});
		scope.addHook("onResponse", (request, reply, done) => {
			logRequest(context, request, stateOf(request), reply.statusCode);
			done();
		});
		for (const url of [FIRST_SEGMENT, `${FIRST_SEGMENT}/*`]) {
			scope.route({
				method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
				url,
				exposeHeadRoute: false,
				onRequest: async (request, reply) => (startRequest(request, reply) ? undefined : reply),
				handler: async (request, reply) => {
					const { route } = stateOf(request);
					// Only here, because a client that is still sending its body could not read an earlier response.
					if (!route) throw unknownRouteError(request);
					await handleRequest(route, request, reply);
					return reply;
				},
			});
		}
	};
}

function unknownRouteError(request: FastifyRequest): ApiError {
	return VERSIONS.includes(splitUrl(request).version) ? apiErrors.notFound() : apiErrors.invalidVersion();
}
