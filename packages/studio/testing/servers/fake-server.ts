import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface FakeRequest {
	readonly method: string;
	/** Includes the query. */
	readonly url: string;
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingMessage["headers"];
	readonly bytes: Buffer;
	/** The parsed body; empty if it is not JSON. */
	readonly body: Readonly<Record<string, unknown>>;
}

export interface FakeResponse {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly json?: unknown;
	/** Raw JSON text, for values that `JSON.stringify` cannot write. */
	readonly text?: string;
	readonly bytes?: Uint8Array;
	/** Never ends the body. */
	readonly endless?: boolean;
}

/** A response, or none: `silence` keeps the connection open, `drop` breaks it. */
export type FakeOutcome = FakeResponse | "silence" | "drop";

/** A fault of the next request to a path. The request is executed only if its name begins with `act`. */
type Fault =
	| FakeOutcome
	/** Executes the request, then breaks the connection or stays silent. */
	| "actThenDrop"
	| "actThenSilence";

export interface FakeServer {
	readonly url: string;
	readonly requests: FakeRequest[];
	/** Called for each request before it is handled. */
	onRequest: ((request: FakeRequest) => void) | undefined;
	/** The number of requests to exactly this path. */
	count(method: string, path: string): number;
	/** Faults of the next requests with this path prefix, in order. */
	plan(method: string, path: string, ...faults: Fault[]): void;
	/** Rejects new connections and breaks existing ones. */
	die(): Promise<void>;
	readonly http: ReturnType<typeof createServer>;
}

/** A real HTTP server that responds by `handle`, except for planned faults. */
export async function openFakeServer(
	handle: (request: FakeRequest) => FakeOutcome | Promise<FakeOutcome>,
): Promise<FakeServer> {
	const requests: FakeRequest[] = [];
	const plans: { readonly method: string; readonly path: string; readonly faults: Fault[] }[] = [];

	async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const request = await read(incoming);
		requests.push(request);
		server.onRequest?.(request);
		const plan = plans.find(
			({ method, path, faults }) => faults.length > 0 && request.method === method && request.path.startsWith(path),
		);
		const fault = plan?.faults.shift();
		if (fault === "silence" || fault === "drop" || typeof fault === "object") return conclude(fault);
		const good = await handle(request);
		conclude(fault === "actThenSilence" ? "silence" : fault === "actThenDrop" ? "drop" : good);

		function conclude(outcome: FakeOutcome): void {
			if (outcome === "silence") return;
			if (outcome === "drop") incoming.socket.destroy();
			else send(response, outcome);
		}
	}

	const http = createServer((incoming, response) => void answer(incoming, response));
	const close = (): Promise<void> =>
		new Promise((resolve) => {
			http.close(() => resolve());
			http.closeAllConnections();
		});
	await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
	const { port } = http.address() as AddressInfo;
	onTestFinished(close);

	const server: FakeServer = {
		onRequest: undefined,
		url: `http://127.0.0.1:${port}`,
		http,
		requests,
		count: (method, path) => requests.filter((request) => request.method === method && request.path === path).length,
		plan: (method, path, ...faults) => void plans.push({ method, path, faults }),
		die: close,
	};
	return server;
}

async function read(incoming: IncomingMessage): Promise<FakeRequest> {
	const bytes = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>));
	const { method = "", url = "", headers } = incoming;
	const { pathname, searchParams } = new URL(url, "http://fake");
	const isJson = headers["content-type"]?.startsWith("application/json") ?? false;
	const body = isJson ? (JSON.parse(bytes.toString("utf8")) as Record<string, unknown>) : {};
	return { method, url, path: pathname, query: searchParams, headers, bytes, body };
}

function send(
	response: ServerResponse,
	{ status = 200, headers = {}, json, text, bytes, endless }: FakeResponse,
): void {
	const body = text ?? (json === undefined ? undefined : JSON.stringify(json));
	const type = body === undefined ? "application/octet-stream" : "application/json";
	response.writeHead(status, { "content-type": type, ...headers });
	if (!endless) return void response.end(body ?? bytes);
	response.write(bytes ?? Buffer.alloc(1));
}
