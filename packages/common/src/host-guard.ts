/**
 * Protects servers on this machine against DNS rebinding: a page of another site could make its own name resolve to
 * 127.0.0.1 and read everything here. Its requests still carry its own name in Host and Origin.
 */
import type { IncomingHttpHeaders } from "node:http";

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

export interface HostGuard {
	readonly allows: (headers: IncomingHttpHeaders) => boolean;
}

export function createHostGuard(origin: () => string): HostGuard {
	return {
		allows({ host, origin: from }) {
			const own = new URL(origin());
			const port = own.port === "" ? "" : `:${own.port}`;
			const hosts = new Set([own.host, ...LOCAL_NAMES.map((name) => `${name}${port}`)]);
			if (host === undefined || !hosts.has(host.toLowerCase())) return false;
			if (from === undefined) return true;
			const page = URL.parse(from);
			return page !== null && page.protocol === own.protocol && hosts.has(page.host);
		},
	};
}
