/**
 * Discord's REST API as a Fastify scope: authentication, bodies, validation of requests and responses, and Discord's
 * errors.
 */
import createRouter, { type HTTPMethod } from "find-my-way";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import multipart from "@fastify/multipart";
import { REQUEST_BYTES_CEILING } from "../simulator/admin-settings.ts";
import { ApiError, apiErrors, OAuth2Error } from "../simulator/api-error.ts";
import { guildOf } from "../simulator/channels.ts";
import type { OAuth2Authorization } from "../simulator/documents.ts";
import type { FaultAnswer } from "../fault-injection.ts";
import { logRequest, type RequestState } from "./log-request.ts";
import { readUpload } from "../media/media-store.ts";
import { createRateLimits } from "./rate-limits.ts";
import { checkIds, FILES_MAX, FORM_TEXT_BYTES_MAX, readBody, validateBody } from "./read-request.ts";
import { sendFaultAnswer, sendJson, toApiError } from "./responses.ts";
import {
	auditLogReason,
	checkAuditLogReason,
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

	/** Reads and validates the body and the ids. Throws Discord's error. */
	async function readRequest(route: Route, request: FastifyRequest, state: RequestState): Promise<RestRequest> {
		state.read = await readBody(request, requestBytesMaxOf(request));
		const body = validateBody(route, state.read);
		const { application } = context.simulator.seed;
		const params = new Map(Object.entries(request.params as { [name: string]: string }));
		if (params.get("userOrMe") === "@me") params.set("userOrMe", application.id);
		checkIds(params);
		const reason = auditLogReason(request);
		checkAuditLogReason(reason);
		const applicationId = params.get("application") ?? application.id;
		if (route.auth === "bot" && applicationId !== application.id) throw apiErrors.unknownApplication();
		state.isChecked = true;
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
			oauth2Authorization: state.oauth2Authorization,
			reason,
			body,
			files: state.read.files,
		};
	}

	/** Finds the route, checks the token and counts the request, then reads and executes it, unless a fault replaces that. */
	async function handleRequest(request: FastifyRequest, reply: FastifyReply, state: RequestState): Promise<void> {
		const { clock } = context.simulator;
		// discord.js sends `@me` as `%40me`.
		const { version, path } = splitUrl(request);
		const isServed = VERSIONS.includes(version);
		const found = isServed ? router.find(request.method as HTTPMethod, path.replaceAll("%40", "@")) : null;
		if (!found) {
			// A client that is still sending its body could not read an earlier response. Keeps none of it.
			await readUpload(request.raw, 0);
			throw isServed ? apiErrors.notFound() : apiErrors.invalidVersion();
		}
		const route = found.store as Route;
		state.route = route;
		request.params = found.params;
		state.oauth2Authorization = authorize(context.simulator, request, route);
		const retryAfterS = limitRate(request, reply, route, state.oauth2Authorization);
		if (retryAfterS !== undefined) return send(reply, state, { kind: "rateLimit", retryAfterS });
		const restRequest = await readRequest(route, request, state);
		const fault = context.faults.takeForRequest(routeName(route));
		if (fault?.delayMs !== undefined) await clock.sleep(fault.delayMs, context.stop);
		if (fault?.answer) {
			state.isInjected = true;
			if (fault.executes) await Promise.try(route.handle, restRequest).catch(rethrowUnexpected);
			return send(reply, state, fault.answer);
		}
		const result = (await route.handle(restRequest)) ?? undefined;
		const isCreated = result instanceof CreatedResponse;
		const responseBody = isCreated ? result.body : result;
		const { responseSchema: schema } = route;
		if (schema && responseBody !== undefined) {
			const schemaName = typeof schema === "function" ? schema(responseBody) : schema;
			context.responseValidator.validate(routeName(route), schemaName, responseBody);
		}
		state.response = sendJson(reply, isCreated ? 201 : responseBody === undefined ? 204 : 200, responseBody);
	}

	function send(reply: FastifyReply, state: RequestState, answer: FaultAnswer): void {
		state.response = sendFaultAnswer(answer, reply, context.simulator.clock.nowMs());
	}

	function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, state: RequestState): void {
		const apiError = toApiError(error);
		state.error = apiError;
		if (apiError.status >= 500 && !context.stop.aborted)
			logger.error({ err: error, method: request.method }, "request failed");
		else logger.debug({ status: apiError.status, code: apiError.code, method: request.method }, "request rejected");
		const body = apiError.toBody();
		if (!(apiError instanceof OAuth2Error))
			context.responseValidator.validate(`${apiError.status} / ${apiError.code}`, "ErrorResponse", body);
		state.response = sendJson(reply, apiError.status, body);
	}

	async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		const state: RequestState = {};
		await handleRequest(request, reply, state).catch((error: unknown) => sendError(error, request, reply, state));
		logRequest(context, request, state, reply.raw.destroyed ? 0 : reply.statusCode);
		return reply;
	}

	/** Responds to an error of Fastify, such as a malformed header. */
	function reject(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
		const state: RequestState = {};
		sendError(error, request, reply, state);
		logRequest(context, request, state, reply.statusCode);
	}

	return async (scope: FastifyInstance): Promise<void> => {
		scope.removeAllContentTypeParsers();
		// Bodies are read after the token was checked.
		scope.addContentTypeParser("*", (_request, _body, done) => done(null));
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
		scope.setErrorHandler(reject);
		scope.setNotFoundHandler(respond);
		// Fastify calls the handler above for unknown paths below the prefix `/api`, but not for the prefix itself.
		scope.all("/", (_request, reply) => reply.callNotFound());
	};
}

/** An injected fault also replaces a response with Discord's error. */
function rethrowUnexpected(error: unknown): void {
	if (!(error instanceof ApiError)) throw error;
}

/** Returns the authorization of an access token. As at Discord, a token without the scope is as invalid as an unknown one. */
function authorize(
	{ seed, oauth2 }: RestContext["simulator"],
	request: FastifyRequest,
	route: Route,
): OAuth2Authorization | undefined {
	const { authorization = "" } = request.headers;
	if (route.auth === "none") return undefined;
	if (route.auth === "bot" && isSameSecret(authorization, `Bot ${seed.botToken}`)) return undefined;
	const acceptsUsers = route.auth === "user" || route.scope !== undefined;
	const accessToken = acceptsUsers ? /^Bearer (\S+)$/.exec(authorization)?.[1] : undefined;
	const oauth2Authorization = accessToken === undefined ? undefined : oauth2.find(accessToken);
	if (!oauth2Authorization || (route.scope && !oauth2Authorization.scopes.includes(route.scope)))
		throw apiErrors.unauthorized();
	return oauth2Authorization;
}
