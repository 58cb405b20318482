import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The only allocated IPv6 range. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** NAT64: the last 32 bits are an IPv4 address. */
const NAT64_IPV6 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** True for an address on the public internet, which is neither private nor reserved. */
export function isPublicAddress(address: string): boolean {
	// Stricter than the library, which also parses `127.1` and `0x7f000001`. An address with a zone is link-local.
	if (isIP(address) === 0 || address.includes("%")) return false;
	const parsed = ipaddr.process(address);
	if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast";
	if (parsed.match(NAT64_IPV6)) return ipaddr.fromByteArray(parsed.toByteArray().slice(12)).range() === "unicast";
	return parsed.range() === "unicast" && parsed.match(GLOBAL_IPV6);
}
