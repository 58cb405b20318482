import assert from "node:assert/strict";
import { BlockList, isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { StudioApiError, CODES } from "./errors.ts";
import { keyStateOf, type ApiKey, type Keys } from "./api-keys.ts";

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
	{ headers: { authorization }, ip: ipAddress }: Pick<FastifyRequest, "headers" | "ip">,
	nowMs: number,
): Promise<ApiKey> {
	const presentedKey = BEARER.exec(authorization ?? "")?.[1];
	const apiKey = presentedKey === undefined ? undefined : await keys.find(presentedKey);
	if (!apiKey)
		throw new StudioApiError(CODES.invalidKey, "a valid key is needed: Authorization: Bearer <API_KEY>", CHALLENGE);
	const state = keyStateOf(apiKey, nowMs);
	if (state !== "good") {
		const message = state === "revoked" ? "this key was revoked" : "this key has expired";
		throw new StudioApiError(CODES.keyRevokedOrExpired, message, CHALLENGE);
	}
	if (apiKey.addresses && !isWithin(ipAddress, apiKey.addresses)) {
		throw new StudioApiError(CODES.forbidden, "this key may not be used from this address");
	}
	return apiKey;
}

/** Returns whether the text is an IP address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
	const [address = "", bits, ...more] = text.split("/");
	const family = isIP(address);
	if (family === 0 || more.length > 0) return false;
	return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function isWithin(ipAddress: string, networks: readonly string[]): boolean {
	const family = isIP(ipAddress);
	if (family === 0) return false;
	const allowed = new BlockList();
	for (const network of networks) {
		const [address = "", bits] = network.split("/");
		const isIpv4 = isIP(address) === 4;
		allowed.addSubnet(address, Number(bits ?? (isIpv4 ? 32 : 128)), isIpv4 ? "ipv4" : "ipv6");
	}
	// A dual-stack socket shows an IPv4 client as `::ffff:1.2.3.4`, which the list compares as IPv4.
	return allowed.check(ipAddress, family === 4 ? "ipv4" : "ipv6");
}
