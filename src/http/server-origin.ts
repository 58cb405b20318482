import assert from "node:assert/strict";
import type { Server } from "node:http";

/** An address that this process reaches itself by, even where it listens on all of them. Throws before it listens. */
export function ownOrigin(server: Server): string {
	const address = server.address();
	assert(typeof address === "object" && address !== null, "not listening yet");
	const everywhere = address.address === "0.0.0.0" || address.address === "::";
	const host = everywhere ? "127.0.0.1" : address.family === "IPv6" ? `[${address.address}]` : address.address;
	return `http://${host}:${address.port}`;
}
