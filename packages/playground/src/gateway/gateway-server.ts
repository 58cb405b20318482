/** Accepts gateway clients by the upgrade of an HTTP server that others use as well. */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { CLOSE } from "./connection.ts";
import type { HostGuard } from "@atelier/common/host-guard";

export const GATEWAY_PATH = "/playground/gateway";
/** Larger than any allowed message, so that a client which sends more gets a close code. */
const FRAME_BYTES_MAX = 64 * 1024;
const CLOSE_TIMEOUT_MS = 1_000;

/** Returns the function that ends the gateway and its connections; the HTTP server stays open. */
export function attachGatewayServer(
	server: Server,
	guard: HostGuard,
	open: (socket: WebSocket, query: URLSearchParams) => void,
): () => Promise<void> {
	const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX });
	// Malformed upgrade requests: the library would reply with a page of its own.
	sockets.on("wsClientError", (_error, socket) => reject(socket, "400 Bad Request"));

	function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		// Errors here are not caught elsewhere.
		const url = URL.parse(request.url ?? "/", "http://playground");
		if (url?.pathname.replace(/\/$/, "") !== GATEWAY_PATH) {
			// Another listener may handle the path. Without one, the socket would hang.
			if (server.listenerCount("upgrade") === 1) reject(socket, "404 Not Found");
			return;
		}
		if (!guard.allows(request.headers)) return reject(socket, "403 Forbidden");
		sockets.handleUpgrade(request, socket, head, (accepted) => open(accepted, url.searchParams));
	}
	server.on("upgrade", upgrade);

	let closing: Promise<void> | undefined;
	return () => (closing ??= close());

	async function close(): Promise<void> {
		server.off("upgrade", upgrade);
		const [code, reasonText] = CLOSE.shuttingDown;
		for (const socket of sockets.clients) socket.close(code, reasonText);
		const allClosed = new Promise<void>((resolve) => sockets.close(() => resolve()));
		// Cuts off a client that does not close.
		const terminateTimer = setTimeout(() => {
			for (const socket of sockets.clients) socket.terminate();
		}, CLOSE_TIMEOUT_MS);
		await allClosed;
		clearTimeout(terminateTimer);
	}
}

function reject(socket: Duplex, status: string): void {
	// The socket is no longer read, so it would not notice the client's close, and the server could not close.
	socket.once("finish", () => socket.destroy());
	socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
