import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Clients open connections ahead of use. A closing server ends idle connections that were used, and waits a minute for
 * those that never sent a byte. This tracks them, and returns a function that ends them.
 */
export function trackIdleConnections(server: Server): () => void {
	const open = new Set<Socket>();
	function track(socket: Socket): void {
		open.add(socket);
		socket.once("close", () => open.delete(socket));
	}
	server.on("connection", track);
	return () => {
		server.off("connection", track);
		for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
	};
}
