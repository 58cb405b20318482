/** Writes a request to the request log and to the recording. */
import type { FastifyRequest } from "fastify";
import type { ApiError } from "../simulator/api-error.ts";
import type { OAuth2Authorization } from "../simulator/documents.ts";
import { isUrlEncoded, type ReadBody } from "./read-request.ts";
import { type RestContext, auditLogReason, type Route, routeName, splitUrl } from "./route.ts";

/** The state of a request until its response. */
export interface RequestState {
	isChecked?: boolean;
	isInjected?: boolean;
	/** The authorization of the access token. */
	oauth2Authorization?: OAuth2Authorization | undefined;
	error?: ApiError;
	route?: Route;
	read?: ReadBody;
	/** The body of the response. */
	response?: string | undefined;
}

/** The token of a webhook or an interaction, also in a path that is no route. */
const TOKEN_IN_PATH = /(\/(?:webhooks|interactions)\/+[^/]+\/+)[^/]+/;

export function logRequest(
	context: RestContext,
	request: FastifyRequest,
	{ isChecked = false, isInjected = false, error, route, read, response }: RequestState,
	status: number,
): void {
	// A request that its client aborted lacks a part of its body, which says nothing about the client.
	const isAborted = !request.raw.complete;
	const isInvalid = error !== undefined && !isAborted && isInvalidContent(error);
	const { interaction, token = "" } = (request.params ?? {}) as { interaction?: string; token?: string };
	const { path: pathname, search } = splitUrl(request);
	// Clients send secrets to the OAuth2 routes, sometimes in the query.
	const isOAuth2 = pathname.startsWith("/oauth2/");
	const path = `${withoutToken(pathname)}${isOAuth2 ? "" : search}`;
	const hasBody = read !== undefined && request.method !== "GET" && request.method !== "DELETE";
	const summary = {
		atMs: context.simulator.clock.nowMs(),
		method: request.method,
		path,
		route: route ? routeName(route) : null,
		status,
		verdict: isInvalid ? "invalid" : isChecked ? "valid" : "unchecked",
		errors: isInvalid ? error.lines() : [],
		isInjected,
		client: request.headers["user-agent"] ?? "",
		reason: auditLogReason(request),
		authorization: /^\w+(?= )/.exec(request.headers.authorization ?? "")?.[0] ?? null,
		isForm: isUrlEncoded(request),
		files: (read?.files ?? []).map(({ index, filename, bytes }) => ({
			field: `files[${index}]`,
			name: filename,
			bytes: bytes.byteLength,
		})),
	} as const;
	const body = hasBody ? JSON.stringify(read.body) : undefined;
	context.requestLog.addRequest(summary, { request: body, response });
	if (summary.authorization === "Bearer" || path.startsWith("/oauth2/token")) return;
	context.recorder.request({
		method: request.method,
		path,
		interactionId: interaction ?? context.simulator.interactions.findByToken(token)?.id,
		body,
		files: read?.files ?? [],
	});
}

/** A path with a token is logged as the router reads it, because parts of it may be encoded. */
function withoutToken(path: string): string {
	const decoded = decodeURIComponent(path);
	return TOKEN_IN_PATH.test(decoded) ? decoded.replace(TOKEN_IN_PATH, "$1…") : path;
}

/** Errors about the content of a request, not about its target. */
const INVALID_CODES: ReadonlySet<number> = new Set([50_006, 50_035, 50_109]);
const isInvalidContent = ({ code }: ApiError): boolean => INVALID_CODES.has(code);
