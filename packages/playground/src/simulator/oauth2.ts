/**
 * Authorizations of the application by users (OAuth2). consent -> code -> authorization: a user's consent creates a code,
 * the application exchanges the code for an authorization with an access token and a refresh token, and a refresh replaces
 * the authorization. Authorizations are stored, so that they survive a restart. Codes are in memory and lost with it, because
 * they live for seconds.
 */
import { createHash } from "node:crypto";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { oauth2Errors } from "./api-error.ts";
import type { OAuth2Authorization, Scope } from "./documents.ts";
import type { Core } from "./core.ts";

/** Discord documents "short-lived"; a maintainer names 100 s: https://github.com/discord/discord-api-docs/issues/2526 */
const CODE_TTL_MS = 100_000;
export const ACCESS_TOKEN_TTL_S = 604_800;
const AUTHORIZATIONS_MAX = 1_000;

/** An authorization request that the consent page has accepted. */
export interface ConsentedRequest {
	readonly redirectUri: string;
	readonly scopes: readonly Scope[];
	/** The S256 challenge of PKCE. */
	readonly codeChallenge: string | undefined;
}

interface Code extends ConsentedRequest {
	readonly userId: string;
	readonly expiresAtMs: number;
}

export function createOAuth2(
	{ clock, random, seed, snowflakes, tables: { authorizations }, atomically }: Core,
	redirectUris: () => readonly string[],
) {
	const codes = new Map<string, Code>();
	/** A code or a token: 30 characters, like Discord's. */
	const secret = (): string => Buffer.from(random(24)).toString("base64url").slice(0, 30);
	const findAuthorization = (
		isWanted: (authorization: OAuth2Authorization) => boolean,
	): OAuth2Authorization | undefined => [...authorizations.values()].find(isWanted);

	function issue(userId: string, scopes: readonly Scope[]): OAuth2Authorization {
		for (const { id } of authorizations.values()) {
			if (authorizations.size < AUTHORIZATIONS_MAX) break;
			authorizations.delete(id);
		}
		const expiresAtMs = clock.nowMs() + ACCESS_TOKEN_TTL_S * 1_000;
		const id = snowflakes.next();
		const authorization = { id, userId, scopes, accessToken: secret(), refreshToken: secret(), expiresAtMs };
		authorizations.set(id, authorization);
		return authorization;
	}

	return {
		redirectUris,
		isClient: (id: string, clientSecret: string): boolean =>
			id === seed.application.id && isSameSecret(clientSecret, seed.clientSecret),
		createCode(userId: string, request: ConsentedRequest): string {
			for (const [code, { expiresAtMs }] of codes) if (expiresAtMs <= clock.nowMs()) codes.delete(code);
			const code = secret();
			codes.set(code, { ...request, userId, expiresAtMs: clock.nowMs() + CODE_TTL_MS });
			return code;
		},
		/** Throws `invalid_grant`. Discord does not document whether a failed exchange ends the code; here it does. */
		exchangeCode(code: string, redirectUri: string | undefined, codeVerifier: string | undefined): OAuth2Authorization {
			const found = codes.get(code);
			codes.delete(code);
			if (!found || found.expiresAtMs <= clock.nowMs()) throw oauth2Errors.invalidGrant("code");
			if (redirectUri !== found.redirectUri) throw oauth2Errors.invalidGrant("redirect_uri");
			// A verifier without a challenge is also rejected, as RFC 9700 recommends against downgrades.
			if (challengeOf(codeVerifier) !== found.codeChallenge) throw oauth2Errors.invalidGrant("code_verifier");
			return issue(found.userId, found.scopes);
		},
		/** Replaces both tokens; the earlier ones end. */
		refresh(refreshToken: string): OAuth2Authorization {
			const found = findAuthorization((authorization) => authorization.refreshToken === refreshToken);
			if (!found) throw oauth2Errors.invalidGrant("refresh_token");
			return atomically(() => {
				authorizations.delete(found.id);
				return issue(found.userId, found.scopes);
			});
		},
		/** Ends all authorizations by the user that the token belongs to, as Discord does. */
		revoke(token: string): void {
			const found = findAuthorization(
				({ accessToken, refreshToken }) => accessToken === token || refreshToken === token,
			);
			if (!found) return;
			atomically(() => {
				for (const { id, userId } of authorizations.values()) if (userId === found.userId) authorizations.delete(id);
			});
		},
		/** Returns the authorization of an access token that has not expired. */
		find: (token: string): OAuth2Authorization | undefined =>
			findAuthorization(({ accessToken, expiresAtMs }) => accessToken === token && expiresAtMs > clock.nowMs()),
	};
}

/** Returns the S256 challenge of a verifier. */
function challengeOf(codeVerifier: string | undefined): string | undefined {
	return codeVerifier === undefined ? undefined : createHash("sha256").update(codeVerifier).digest("base64url");
}
