/** The clients of a bench, in a process of their own: each asks over one connection that stays open, one request at a time. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface LoadOrder {
	readonly port: number;
	readonly clients: number;
	/** Whole HTTP/1.1 requests, as they go over the wire. */
	readonly requests: readonly string[];
}

export interface LoadReport {
	readonly seconds: number;
	/** In the order of the requests. */
	readonly tookMs: readonly number[];
	readonly bodies: readonly string[];
}

process.on("message", (request: LoadOrder) => {
	void load(request).then((report) => process.send?.(report));
});

async function load({ port, clients, requests }: LoadOrder): Promise<LoadReport> {
	const sockets = await Promise.all(Array.from({ length: clients }, () => open(port)));
	const tookMs: number[] = [];
	const bodies: string[] = [];
	let next = 0;
	const startedAtMs = performance.now();
	const client = async (socket: Socket): Promise<void> => {
		for (let n = next++; n < requests.length; n = next++) {
			const askedAtMs = performance.now();
			bodies[n] = await ask(socket, requests[n] ?? "");
			tookMs[n] = performance.now() - askedAtMs;
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

/** The body of a 200 whose length is said, which is how Fastify answers. */
function ask(socket: Socket, request: string): Promise<string> {
	return new Promise((resolve, reject) => {
		let text = "";
		const read = (more: string): void => {
			text += more;
			const end = text.indexOf("\r\n\r\n");
			if (end < 0) return;
			const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1]);
			if (text.length < end + 4 + length) return;
			leave();
			if (text.startsWith("HTTP/1.1 200 ")) resolve(text.slice(end + 4));
			else reject(new Error(text));
		};
		const gone = (): void => {
			leave();
			reject(new Error("the connection broke off"));
		};
		const leave = (): void => void socket.off("data", read).off("close", gone);
		socket.on("data", read).on("close", gone);
		assert(socket.write(request));
	});
}
