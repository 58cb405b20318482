/** Lets gateway clients in by the upgrade of an HTTP server that others use as well. */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { CLOSE } from "./close-codes.ts";
import type { HostGuard } from "@atelier/common/host-guard";

export const GATEWAY_PATH = "/playground/gateway";
/** More than any client may send, so that one which sends too much is told so by a close code. */
const FRAME_BYTES_MAX = 64 * 1024;
const GOODBYE_WITHIN_MS = 1_000;

export interface SocketDoor {
	readonly close: () => Promise<void>;
}

export function openSocketDoor(deps: {
	server: Server;
	guard: HostGuard;
	open: (socket: WebSocket, query: URLSearchParams) => void;
}): SocketDoor {
	const { server, guard, open } = deps;
	const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX });
	// What asks for a socket in a wrong way; the library would answer with words of its own, as a page.
	sockets.on("wsClientError", (_error, socket) => refuse(socket, "400 Bad Request"));

	function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		// Nobody else catches what is thrown here.
		const url = URL.parse(request.url ?? "/", "http://playground");
		if (url?.pathname.replace(/\/$/, "") !== GATEWAY_PATH) {
			// Somebody else's path, if somebody else listens; a socket that nobody takes would hang.
			if (server.listenerCount("upgrade") === 1) refuse(socket, "404 Not Found");
			return;
		}
		if (!guard.allows(request.headers)) return refuse(socket, "403 Forbidden");
		sockets.handleUpgrade(request, socket, head, (accepted) => open(accepted, url.searchParams));
	}
	server.on("upgrade", upgrade);

	let closing: Promise<void> | undefined;
	return {
		close: () => (closing ??= close()),
	};

	async function close(): Promise<void> {
		server.off("upgrade", upgrade);
		const [code, words] = CLOSE.goingDown;
		for (const socket of sockets.clients) socket.close(code, words);
		const gone = new Promise<void>((resolve) => sockets.close(() => resolve()));
		// A client that does not answer the goodbye is cut off.
		const impatience = setTimeout(() => {
			for (const socket of sockets.clients) socket.terminate();
		}, GOODBYE_WITHIN_MS);
		await gone;
		clearTimeout(impatience);
	}
}

function refuse(socket: Duplex, status: string): void {
	// Nobody reads it any more: by itself it would not notice that the other side is gone, and no server could close.
	socket.once("finish", () => socket.destroy());
	socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
