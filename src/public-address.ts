/** Which addresses belong to the public internet: pure, and closed to whatever is not known to be. */
import { BlockList, isIPv4, isIPv6 } from "node:net";

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast and what is reserved beside it. */
const NOT_PUBLIC_IPV4 = [
	"0.0.0.0/8",
	"10.0.0.0/8",
	"100.64.0.0/10",
	"127.0.0.0/8",
	"169.254.0.0/16",
	"172.16.0.0/12",
	"192.0.0.0/24",
	"192.0.2.0/24",
	"192.88.99.0/24",
	"192.168.0.0/16",
	"198.18.0.0/15",
	"198.51.100.0/24",
	"203.0.113.0/24",
	"224.0.0.0/3",
];
/** Of the only block that is given out: documentation, benchmarks, and tunnels that hide an address of the other family. */
const NOT_PUBLIC_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const notPublicIPv4 = blockListOf(NOT_PUBLIC_IPV4, "ipv4");
const notPublicIPv6 = blockListOf(NOT_PUBLIC_IPV6, "ipv6");
const globalIPv6 = blockListOf(["2000::/3"], "ipv6");

/** Whether this is an address that anybody on the internet may be at, and not one of a private network or of this machine. */
export function isPublicAddress(address: string): boolean {
	if (isIPv4(address)) return !notPublicIPv4.check(address, "ipv4");
	// With a zone it is of one link by definition.
	if (!isIPv6(address) || address.includes("%")) return false;
	const embedded = embeddedIPv4(groupsOf(address));
	if (embedded !== undefined) return isPublicAddress(embedded);
	return globalIPv6.check(address, "ipv6") && !notPublicIPv6.check(address, "ipv6");
}

/** The IPv4 address that is really meant: mapped (`::ffff:0:0/96`), or behind a translator (`64:ff9b::/96`). */
function embeddedIPv4(groups: readonly number[]): string | undefined {
	const prefix = groups
		.slice(0, 6)
		.map((group) => group.toString(16))
		.join(":");
	if (prefix !== "0:0:0:0:0:ffff" && prefix !== "64:ff9b:0:0:0:0") return undefined;
	return groups
		.slice(6)
		.flatMap((group) => [group >> 8, group & 0xff])
		.join(".");
}

/** All eight groups; the URL parser knows every way to write them, and writes hexadecimal alone. */
function groupsOf(address: string): readonly number[] {
	const normal = new URL(`http://[${address}]`).hostname.slice(1, -1);
	const [before = "", after] = normal.split("::");
	const head = before === "" ? [] : before.split(":");
	const tail = after === undefined || after === "" ? [] : after.split(":");
	const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
	return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

function blockListOf(subnets: readonly string[], family: "ipv4" | "ipv6"): BlockList {
	const list = new BlockList();
	for (const subnet of subnets) {
		const [net = "", bits] = subnet.split("/");
		list.addSubnet(net, Number(bits), family);
	}
	return list;
}
