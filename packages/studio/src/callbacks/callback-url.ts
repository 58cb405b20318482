import { isIP } from "node:net";
import { isPublicAddress } from "@atelier/common/public-address";

const URL_CHARS_MAX = 2048;

/**
 * Returns the problem of a callback URL, as far as its text shows one. Its addresses are checked when it is called, because
 * they may change.
 */
export function callbackUrlProblem(text: string, trustedOrigins: readonly string[]): string | undefined {
	const url = URL.parse(text);
	if (!url) return "must be an https address";
	if (text.length > URL_CHARS_MAX) return `must be at most ${URL_CHARS_MAX} characters`;
	if (url.username !== "" || url.password !== "") return "must not carry a name or a password";
	if (trustedOrigins.includes(url.origin)) return undefined;
	if (url.protocol !== "https:") return "must be an https address";
	const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
	return isIP(host) !== 0 && !isPublicAddress(host) ? "must lead to a public address" : undefined;
}
