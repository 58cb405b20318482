import assert from "node:assert/strict";
import type { Server } from "node:http";

/** Returns an origin at which this machine reaches the server, even if it listens on all addresses. Throws before it listens. */
export function serverOrigin(server: Server): string {
	const address = server.address();
	assert(typeof address === "object" && address !== null, "not listening yet");
	const listensOnAll = address.address === "0.0.0.0" || address.address === "::";
	const host = listensOnAll ? "127.0.0.1" : address.family === "IPv6" ? `[${address.address}]` : address.address;
	return `http://${host}:${address.port}`;
}

/** Returns whether only this machine can reach a server on the host. */
export function isLoopback(host: string): boolean {
	return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
