/**
 * Logins by OAuth2. consent -> code -> grant: a user's consent creates a code, the application exchanges the code for a
 * grant with an access token and a refresh token, and a refresh replaces the grant. Grants are stored, so that a login
 * survives a restart. Codes are in memory and lost with it, because they live for seconds.
 */
import { createHash } from "node:crypto";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { oauth2Errors } from "./api-error.ts";
import type { Grant, Scope } from "./documents.ts";
import type { Core } from "./simulator-state.ts";

/** Discord documents "short-lived"; a maintainer names 100 s: https://github.com/discord/discord-api-docs/issues/2526 */
const CODE_TTL_MS = 100_000;
export const ACCESS_TOKEN_TTL_S = 604_800;
const GRANTS_MAX = 1_000;

/** An authorization request that the consent page has accepted. */
export interface Authorization {
	readonly redirectUri: string;
	readonly scopes: readonly Scope[];
	/** The S256 challenge of PKCE. */
	readonly codeChallenge: string | undefined;
}

interface Code extends Authorization {
	readonly userId: string;
	readonly expiresAtMs: number;
}

export function createOAuth2(
	{ clock, random, seed, snowflakes, tables: { grants }, atomically }: Core,
	redirectUris: () => readonly string[],
) {
	const codes = new Map<string, Code>();
	/** A code or a token: 30 characters, like Discord's. */
	const secret = (): string => Buffer.from(random(24)).toString("base64url").slice(0, 30);
	const findGrant = (isWanted: (grant: Grant) => boolean): Grant | undefined => [...grants.values()].find(isWanted);

	function issue(userId: string, scopes: readonly Scope[]): Grant {
		for (const { id } of grants.values()) {
			if (grants.size < GRANTS_MAX) break;
			grants.delete(id);
		}
		const expiresAtMs = clock.nowMs() + ACCESS_TOKEN_TTL_S * 1_000;
		const id = snowflakes.next();
		const grant = { id, userId, scopes, accessToken: secret(), refreshToken: secret(), expiresAtMs };
		grants.set(id, grant);
		return grant;
	}

	return {
		redirectUris,
		isClient: (id: string, clientSecret: string): boolean =>
			id === seed.application.id && isSameSecret(clientSecret, seed.clientSecret),
		createCode(userId: string, authorization: Authorization): string {
			for (const [code, { expiresAtMs }] of codes) if (expiresAtMs <= clock.nowMs()) codes.delete(code);
			const code = secret();
			codes.set(code, { ...authorization, userId, expiresAtMs: clock.nowMs() + CODE_TTL_MS });
			return code;
		},
		/** Throws `invalid_grant`. Discord does not document whether a failed exchange ends the code; here it does. */
		exchangeCode(code: string, redirectUri: string | undefined, codeVerifier: string | undefined): Grant {
			const found = codes.get(code);
			codes.delete(code);
			if (!found || found.expiresAtMs <= clock.nowMs()) throw oauth2Errors.invalidGrant("code");
			if (redirectUri !== found.redirectUri) throw oauth2Errors.invalidGrant("redirect_uri");
			// A verifier without a challenge is also rejected, as RFC 9700 recommends against downgrades.
			if (challengeOf(codeVerifier) !== found.codeChallenge) throw oauth2Errors.invalidGrant("code_verifier");
			return issue(found.userId, found.scopes);
		},
		/** Replaces both tokens; the earlier ones end. */
		refresh(refreshToken: string): Grant {
			const found = findGrant((grant) => grant.refreshToken === refreshToken);
			if (!found) throw oauth2Errors.invalidGrant("refresh_token");
			return atomically(() => {
				grants.delete(found.id);
				return issue(found.userId, found.scopes);
			});
		},
		/** Ends all logins of the user that the token belongs to, as Discord does. */
		revoke(token: string): void {
			const found = findGrant(({ accessToken, refreshToken }) => accessToken === token || refreshToken === token);
			if (!found) return;
			atomically(() => {
				for (const { id, userId } of grants.values()) if (userId === found.userId) grants.delete(id);
			});
		},
		/** Returns the login of an access token that has not expired. */
		find: (token: string): Grant | undefined =>
			findGrant(({ accessToken, expiresAtMs }) => accessToken === token && expiresAtMs > clock.nowMs()),
	};
}

/** Returns the S256 challenge of a verifier. */
function challengeOf(codeVerifier: string | undefined): string | undefined {
	return codeVerifier === undefined ? undefined : createHash("sha256").update(codeVerifier).digest("base64url");
}
