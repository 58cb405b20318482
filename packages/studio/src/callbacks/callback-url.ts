import { isIP } from "node:net";
import { isPublicAddress } from "@atelier/common/ssrf-guard";

const URL_CHARS_MAX = 2048;

type CallbackUrlVerdict =
	| { readonly kind: "valid"; readonly url: string }
	| { readonly kind: "invalid"; readonly message: string };

/**
 * Validates a callback URL as far as its text allows. Its addresses are checked when it is called, because they may
 * change.
 */
export function checkCallbackUrl(given: unknown, trustedOrigins: readonly string[]): CallbackUrlVerdict {
	if (typeof given !== "string" || !URL.canParse(given)) return invalidUrl("must be an https address");
	if (given.length > URL_CHARS_MAX) return invalidUrl(`must be at most ${URL_CHARS_MAX} characters`);
	const url = new URL(given);
	if (url.username !== "" || url.password !== "") return invalidUrl("must not carry a name or a password");
	if (trustedOrigins.includes(url.origin)) return { kind: "valid", url: given };
	if (url.protocol !== "https:") return invalidUrl("must be an https address");
	const host = hostOf(url);
	if (isIP(host) !== 0 && !isPublicAddress(host)) return invalidUrl("must lead to a public address");
	return { kind: "valid", url: given };
}

function invalidUrl(message: string): CallbackUrlVerdict {
	return { kind: "invalid", message };
}

/** Returns the host for the resolver and the socket: an IPv6 address without brackets. */
export function hostOf(url: URL): string {
	return url.hostname.replace(/^\[(.*)\]$/, "$1");
}
