/** Requests to URLs of clients and other services, which must not reach private addresses. */
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, request, type Dispatcher } from "undici";
import { isPublicAddress } from "./public-address.ts";

/** The host has no address, or a private one. */
export class AddressNotPublicError extends Error {
	override readonly name = "AddressNotPublicError";
}

export interface AddressRules {
	/** Origins of configured services, which may have private addresses. */
	readonly trustedOrigins: readonly string[];
	/** Resolves a name to all of its addresses. */
	readonly resolve?: ((hostname: string) => Promise<readonly string[]>) | undefined;
	readonly isAllowedAddress?: ((address: string) => boolean) | undefined;
}

type PublicRequest = Pick<Dispatcher.RequestOptions, "headers" | "body"> & {
	readonly method?: Dispatcher.HttpMethod;
	readonly signal: AbortSignal;
};

/**
 * Resolves the name once, and connects to one of the checked addresses, over a connection of its own, which is closed with the
 * signal. A trusted origin is not checked, and shares the kept connections of the process. Follows no redirect.
 */
export async function requestPublic(
	url: URL,
	options: PublicRequest,
	{ trustedOrigins, resolve = resolveByDns, isAllowedAddress = isPublicAddress }: AddressRules,
): Promise<Dispatcher.ResponseData> {
	if (trustedOrigins.includes(url.origin)) return await request(url, options);
	const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
	const addresses = isIP(literal) === 0 ? await resolve(literal) : [literal];
	// One private address is enough for a denial, because the choice among them is random.
	if (addresses.length === 0 || !addresses.every(isAllowedAddress)) throw new AddressNotPublicError(url.host);
	const agent = new Agent({ pipelining: 0, connect: { lookup: pinnedTo(addresses) } });
	// Closes a connection that is not established yet, and one that replaced that of a discarded body.
	options.signal.addEventListener("abort", () => void agent.destroy(), { once: true });
	return await request(url, { ...options, dispatcher: agent });
}

/** Closes the connection without reading the body. */
export function discardBody({ body }: Dispatcher.ResponseData): void {
	body.on("error", () => {}).destroy();
}

/** Resolves every name to these addresses. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
	const records = addresses.map((address) => ({ address, family: isIP(address) }));
	return (_hostname, { all }, callback) => {
		const [first] = records;
		if (all) callback(null, records);
		else callback(null, first?.address ?? "", first?.family);
	};
}

async function resolveByDns(hostname: string): Promise<readonly string[]> {
	return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
