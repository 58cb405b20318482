/** The clients of bench/studio.ts, in one process: each sends one request at a time over a keep-alive connection of its own. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface LoadPlan {
	readonly port: number;
	readonly clients: number;
	/** Complete HTTP/1.1 requests as raw bytes. */
	readonly requests: readonly string[];
}

export interface LoadReport {
	readonly seconds: number;
	/** The duration of each request, in the order of the requests, like the bodies. */
	readonly tookMs: readonly number[];
	readonly bodies: readonly string[];
}

process.on("message", (plan: LoadPlan) => {
	void load(plan).then((report) => process.send?.(report));
});

async function load({ port, clients, requests }: LoadPlan): Promise<LoadReport> {
	const sockets = await Promise.all(Array.from({ length: clients }, () => open(port)));
	const tookMs: number[] = [];
	const bodies: string[] = [];
	let next = 0;
	const startedAtMs = performance.now();
	const client = async (socket: Socket): Promise<void> => {
		for (let n = next++; n < requests.length; n = next++) {
			const sentAtMs = performance.now();
			bodies[n] = await sendRequest(socket, requests[n] ?? "");
			tookMs[n] = performance.now() - sentAtMs;
		}
	};
	await Promise.all(sockets.map(client));
	const seconds = (performance.now() - startedAtMs) / 1000;
	for (const socket of sockets) socket.destroy();
	return { seconds, tookMs, bodies };
}

async function open(port: number): Promise<Socket> {
	const socket = connect({ port, host: "127.0.0.1", noDelay: true }).setEncoding("latin1");
	await once(socket, "connect");
	return socket;
}

/** Resolves to the body of the response. Rejects if it is not 200; expects a content length, as Fastify sends it. */
function sendRequest(socket: Socket, request: string): Promise<string> {
	return new Promise((resolve, reject) => {
		let text = "";
		const onData = (chunk: string): void => {
			text += chunk;
			const end = text.indexOf("\r\n\r\n");
			if (end < 0) return;
			const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1]);
			if (text.length < end + 4 + length) return;
			removeListeners();
			if (text.startsWith("HTTP/1.1 200 ")) resolve(text.slice(end + 4));
			else reject(new Error(text));
		};
		const onClose = (): void => {
			removeListeners();
			reject(new Error("the connection closed before the end of the response"));
		};
		const removeListeners = (): void => void socket.off("data", onData).off("close", onClose);
		socket.on("data", onData).on("close", onClose);
		assert(socket.write(request));
	});
}
