import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A TCP proxy that a test can break. */
export interface BreakableProxy {
	/** The server's URL, through the proxy. */
	readonly url: string;
	/** Closes every connection and accepts no more. */
	cut(): void;
	/** Keeps every connection open and forwards nothing, in either direction. */
	silence(): void;
	/** Returns the number of connections that were opened during the silence and sent data. */
	ignoredConnections(): number;
	restore(): void;
	/** Changes the data of clients before it is forwarded. */
	rewrite(change: (bytes: Buffer) => Buffer): void;
}

export async function openProxy(serverUrl: string, defaultPort: number): Promise<BreakableProxy> {
	const target = new URL(serverUrl);
	let state: "open" | "cut" | "silent" = "open";
	let change: ((bytes: Buffer) => Buffer) | undefined;
	let ignoredConnections = 0;
	const sockets = new Set<Socket>();

	const server = createServer((client) => {
		if (state === "cut") {
			client.destroy();
			return;
		}
		if (state === "silent") client.once("data", () => (ignoredConnections += 1));
		const upstream = connect({ host: target.hostname, port: Number(target.port === "" ? defaultPort : target.port) });
		for (const [from, to] of [
			[client, upstream],
			[upstream, client],
		] as const) {
			sockets.add(from);
			from.on("data", (bytes) => {
				if (state === "open") to.write(from === client && change ? change(bytes) : bytes);
			});
			from.on("error", () => {});
			from.on("close", () => {
				sockets.delete(from);
				to.destroy();
			});
		}
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const closeAll = (): void => sockets.forEach((socket) => socket.destroy());
	onTestFinished(() => {
		closeAll();
		server.close();
	});

	const port = String((server.address() as AddressInfo).port);
	return {
		url: Object.assign(new URL(serverUrl), { hostname: "127.0.0.1", port }).href,
		cut() {
			state = "cut";
			closeAll();
		},
		silence() {
			state = "silent";
			ignoredConnections = 0;
		},
		ignoredConnections: () => ignoredConnections,
		restore() {
			state = "open";
		},
		rewrite(next) {
			change = next;
		},
	};
}
