import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The only IPv6 block that is given out. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** A translator's: the last 32 bits are the IPv4 address that is really meant. */
const NAT64_IPV6 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** Whether this is an address of the public internet, and not one of a private network, of this machine, or of special use. */
export function isPublicAddress(address: string): boolean {
	// Stricter than the library, which also reads `127.1` and `0x7f000001`; an address with a zone is of one link.
	if (isIP(address) === 0 || address.includes("%")) return false;
	const parsed = ipaddr.process(address);
	if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast";
	if (parsed.match(NAT64_IPV6)) return ipaddr.fromByteArray(parsed.toByteArray().slice(12)).range() === "unicast";
	return parsed.range() === "unicast" && parsed.match(GLOBAL_IPV6);
}
