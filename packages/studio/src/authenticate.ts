import assert from "node:assert/strict";
import { BlockList, isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { ApiError, CODES } from "./errors.ts";
import type { KeyHolder, Keys } from "./keys.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,256}) *$/i;
const CHALLENGE = { headers: { "www-authenticate": "Bearer" } } as const;

/** The request decorator that holds the key's holder. */
export const HOLDER = "studioKeyHolder";

/** Returns the holder of the key of an authenticated request. */
export function holderOf(request: FastifyRequest): KeyHolder {
	const holder = request.getDecorator<KeyHolder | null>(HOLDER);
	assert(holder, "handlers run for authenticated requests only");
	return holder;
}

export interface Credentials {
	readonly authorization: string | undefined;
	/** The address of the client. */
	readonly address: string;
}

/**
 * Authenticates a request. A missing, malformed and unknown key get the same response, which reveals nothing. A revoked
 * or expired key is named as such.
 */
export async function authenticate(
	keys: Pick<Keys, "holderOf">,
	{ authorization, address }: Credentials,
	nowMs: number,
): Promise<KeyHolder> {
	const key = BEARER.exec(authorization ?? "")?.[1];
	const holder = key === undefined ? undefined : await keys.holderOf(key);
	if (!holder) throw new ApiError(CODES.badKey, "a valid key is needed: Authorization: Bearer <API_KEY>", CHALLENGE);
	if (holder.revokedAtMs !== null) throw new ApiError(CODES.keyOver, "this key was revoked", CHALLENGE);
	if (holder.expiresAtMs !== null && holder.expiresAtMs <= nowMs) {
		throw new ApiError(CODES.keyOver, "this key has expired", CHALLENGE);
	}
	if (holder.addresses && !isWithin(address, holder.addresses)) {
		throw new ApiError(CODES.notAllowed, "this key may not be used from this address");
	}
	return holder;
}

/** Returns whether the text is an address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
	const [address = "", bits, ...more] = text.split("/");
	const family = isIP(address);
	if (family === 0 || more.length > 0) return false;
	return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function isWithin(address: string, networks: readonly string[]): boolean {
	// A dual-stack socket shows an IPv4 client as `::ffff:1.2.3.4`.
	const unmappedAddress = address.replace(/^::ffff:(?=\d+\.)/i, "");
	const family = isIP(unmappedAddress);
	if (family === 0) return false;
	const allowed = new BlockList();
	for (const network of networks) {
		const [net = "", bits] = network.split("/");
		const kind = isIP(net) === 4 ? "ipv4" : "ipv6";
		allowed.addSubnet(net, Number(bits ?? (kind === "ipv4" ? 32 : 128)), kind);
	}
	return allowed.check(unmappedAddress, family === 4 ? "ipv4" : "ipv6");
}
