import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface Received {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** A local receiver of callbacks. It responds with these statuses in order, then with 204. */
export async function openReceiver(...statuses: (number | "never")[]) {
	const received: Received[] = [];
	const server = createServer((request, response) => void take(request, response));
	async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
		received.push({ path: request.url ?? "", headers: request.headers, body: await text(request) });
		const status = statuses.shift() ?? 204;
		if (status === "never") return;
		response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
	}
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { received, port, origin: `http://127.0.0.1:${port}` };
}
