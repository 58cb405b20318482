import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { openHttpServer } from "@atelier/common/testing/http-server";

interface Received {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** A local receiver of callbacks. It responds with these statuses in order, then with 204. */
export async function openReceiver(...statuses: (number | "never" | "hangUp")[]) {
	const received: Received[] = [];
	async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
		received.push({ path: request.url ?? "", headers: request.headers, body: await text(request) });
		const status = statuses.shift() ?? 204;
		if (status === "never") return;
		if (status === "hangUp") return void response.destroy();
		response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
	}
	const origin = await openHttpServer((request, response) => void take(request, response));
	return { received, port: new URL(origin).port, origin };
}
