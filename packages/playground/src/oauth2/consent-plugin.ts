/** The consent page of OAuth2. It lists the users of the playground, and redirects with a code, or with an error. */
import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { HostGuard } from "@atelier/common/host-guard";
import { PageApiError, WRONG_HOST } from "../page/page-error.ts";
import { SECURITY_HEADERS } from "../page/security-headers.ts";
import type { User } from "../simulator/documents.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { type AuthorizationRequest, parseAuthorizationRequest } from "./authorization-request.ts";
import { consentPage, type ConsentUser, errorPage, STYLESHEET_PATH } from "./consent-page.ts";

const AUTHORIZE_PATH = "/oauth2/authorize";
/** Most clients build the address of the page from that of the API. */
const REDIRECTED_PREFIXES = ["/api", "/api/v9", "/api/v10"];
const STYLESHEET = new URL("consent.css", import.meta.url);
const FORM_BYTES_MAX = 1_024;
const GUILDS_SHOWN_MAX = 3;

export function consentPlugin(deps: { simulator: Simulator; guard: HostGuard; logger: Logger }) {
	const { simulator, guard, logger } = deps;
	const { seed, members, guilds, channels, oauth2 } = simulator;

	function toConsentUser(user: User): ConsentUser {
		const shown = guilds
			.ofUser(user.id)
			.slice(0, GUILDS_SHOWN_MAX)
			.map((guild) => {
				const heldRoleIds = members.roleIds(guild, user.id);
				const names = channels.roles(guild).flatMap(({ id, name }) => (heldRoleIds.includes(id) ? name : []));
				const isOwner = guild.ownerId === user.id;
				return { name: guild.name, roles: [...(isOwner ? ["Owner"] : []), ...names].join(", ") || "Member" };
			});
		return { id: user.id, username: user.username, displayName: user.displayName, guilds: shown };
	}

	function showConsentPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
		const { redirectUri, scopes } = parseAuthorizationRequest(request.query, simulator);
		const users = seed.users.map(toConsentUser);
		const html = consentPage({ application: seed.application.name, users, scopes, redirectUri });
		return sendPage(reply, html, new URL(redirectUri).origin);
	}

	function submitConsent(request: FastifyRequest, reply: FastifyReply): FastifyReply {
		const authorization = parseAuthorizationRequest(request.query, simulator);
		const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
		const user = seed.users.find(({ id }) => id === form.get("user"));
		if (!user && !form.has("cancel")) throw new PageApiError(400, "The form names no user of the playground.");
		const redirectParams = user ? { code: oauth2.createCode(user.id, authorization) } : ACCESS_DENIED;
		// The referrer would pass the state and the challenge on.
		reply.header("referrer-policy", "no-referrer");
		return reply.redirect(redirectUrl(authorization, redirectParams), 303);
	}

	function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
		const status = error instanceof PageApiError ? error.status : statusOf(error);
		if (status >= 500) logger.error({ err: error, method: request.method }, "consent page failed");
		const message = error instanceof PageApiError ? error.message : "This request cannot be read.";
		sendPage(reply.code(status), errorPage(message));
	}

	return async (scope: FastifyInstance): Promise<void> => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser(
			"application/x-www-form-urlencoded",
			{ parseAs: "string", bodyLimit: FORM_BYTES_MAX },
			(_, text, done) => done(null, new URLSearchParams(String(text))),
		);
		scope.setErrorHandler(sendError);
		scope.addHook("onRequest", (request, reply, done) => {
			reply.headers(SECURITY_HEADERS);
			done(guard.allows(request.headers) ? undefined : new PageApiError(403, WRONG_HOST));
		});
		scope.get(AUTHORIZE_PATH, showConsentPage);
		scope.post(AUTHORIZE_PATH, submitConsent);
		for (const prefix of REDIRECTED_PREFIXES)
			scope.get(`${prefix}${AUTHORIZE_PATH}`, ({ url }, reply) => reply.redirect(url.slice(prefix.length)));
		scope.get(STYLESHEET_PATH, async (_, reply) =>
			reply
				.type("text/css; charset=utf-8")
				.header("cache-control", "no-cache")
				.send(await readFile(STYLESHEET)),
		);
	};
}

/** Browsers apply `form-action` to the redirect after the form, too. */
function sendPage(reply: FastifyReply, html: string, redirectOrigin = ""): FastifyReply {
	const policy =
		"default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; " +
		`form-action 'self' ${redirectOrigin}`;
	return reply
		.headers({
			"content-security-policy": policy.trim(),
			// With no-referrer, browsers send the form without its origin, and the host guard rejects it.
			"referrer-policy": "same-origin",
			"cache-control": "no-store",
		})
		.type("text/html; charset=utf-8")
		.send(html);
}

const ACCESS_DENIED = {
	error: "access_denied",
	error_description: "The resource owner or authorization server denied the request",
};

function redirectUrl(
	{ redirectUri, state }: AuthorizationRequest,
	answer: { readonly [name: string]: string },
): string {
	const url = new URL(redirectUri);
	const params = { ...answer, ...(state !== undefined && { state }) };
	for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
	return url.href;
}

/** Errors of Fastify have a status: the client disconnected, or the body is too large or has another type. */
function statusOf(error: unknown): number {
	return error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
}
