import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Opens a server, which closes at the end of the test. Resolves to its origin. */
export async function openHttpServer(handler: HttpHandler, onConnection?: (socket: Socket) => void): Promise<string> {
	const server = createServer(handler);
	if (onConnection) server.on("connection", onConnection);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
