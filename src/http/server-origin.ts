import assert from "node:assert/strict";
import type { Server } from "node:http";

/** Returns an origin at which this machine reaches the server. Throws before it listens. */
export function serverOrigin(server: Server): string {
	const address = server.address();
	assert(typeof address === "object" && address !== null, "not listening yet");
	return originOfListener({ host: address.address, port: address.port });
}

/** Returns the origin at which this machine reaches a server that listens on `host`, also if that means all addresses. */
export function originOfListener({ host, port }: { readonly host: string; readonly port: number }): string {
	const reachableHost = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
	return `http://${reachableHost.includes(":") ? `[${reachableHost}]` : reachableHost}:${port}`;
}

/** Returns whether only this machine can reach a server on the host. */
export function isLoopback(host: string): boolean {
	return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
