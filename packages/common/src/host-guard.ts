/**
 * Protects servers on this machine against DNS rebinding: another site can make its own name resolve to 127.0.0.1, and
 * then its pages can read from these servers. Their requests still carry the name of the site in Host and Origin.
 */
import type { IncomingHttpHeaders } from "node:http";

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

export interface HostGuard {
	readonly allows: (headers: IncomingHttpHeaders) => boolean;
}

export function createHostGuard(origin: () => string): HostGuard {
	return {
		allows({ host, origin: pageOrigin }) {
			const server = new URL(origin());
			const port = server.port === "" ? "" : `:${server.port}`;
			const hosts = new Set([server.host, ...LOCAL_NAMES.map((name) => `${name}${port}`)]);
			if (host === undefined || !hosts.has(host.toLowerCase())) return false;
			if (pageOrigin === undefined) return true;
			const page = URL.parse(pageOrigin);
			return page !== null && page.protocol === server.protocol && hosts.has(page.host);
		},
	};
}
