import assert from "node:assert/strict";
import type { FastifyRequest } from "fastify";
import { ApiError, CODES } from "./errors.ts";
import type { ApiKey, Keys } from "./api-keys.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,256}) *$/i;
const CHALLENGE = { headers: { "www-authenticate": "Bearer" } } as const;

/** The request decorator with the authenticated API key. */
export const API_KEY_DECORATOR = "studioApiKey";

/** Returns the API key of an authenticated request. */
export function apiKeyOf(request: FastifyRequest): ApiKey {
	const apiKey = request.getDecorator<ApiKey | null>(API_KEY_DECORATOR);
	assert(apiKey, "handlers run for authenticated requests only");
	return apiKey;
}

/**
 * Authenticates a request. A missing, malformed and unknown key get the same response, which reveals nothing. A revoked
 * or expired key is named as such.
 */
export async function authenticate(
	keys: Pick<Keys, "find">,
	authorization: string | undefined,
	nowMs: number,
): Promise<ApiKey> {
	const presentedKey = BEARER.exec(authorization ?? "")?.[1];
	const apiKey = presentedKey === undefined ? undefined : await keys.find(presentedKey);
	if (!apiKey)
		throw new ApiError(CODES.invalidKey, "a valid key is needed: Authorization: Bearer <API_KEY>", CHALLENGE);
	if (apiKey.revokedAtMs !== null) throw new ApiError(CODES.keyRevokedOrExpired, "this key was revoked", CHALLENGE);
	if (apiKey.expiresAtMs !== null && apiKey.expiresAtMs <= nowMs) {
		throw new ApiError(CODES.keyRevokedOrExpired, "this key has expired", CHALLENGE);
	}
	return apiKey;
}
