import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A proxy that a test can break. */
export interface BreakableProxy {
	/** The server's URL, through the proxy. */
	readonly url: string;
	/** Closes every connection and accepts no more. */
	cut(): void;
	/** Keeps every connection open and forwards nothing, in either direction. */
	silence(): void;
	/** The number of connections that were opened, and sent data, during the silence. */
	swallowed(): number;
	restore(): void;
	/** Changes the data of clients before it is forwarded. */
	rewrite(change: (bytes: Buffer) => Buffer): void;
}

export async function openProxy(serverUrl: string, defaultPort: number): Promise<BreakableProxy> {
	const target = new URL(serverUrl);
	let state: "open" | "cut" | "silent" = "open";
	let change: ((bytes: Buffer) => Buffer) | undefined;
	let swallowed = 0;
	const sockets = new Set<Socket>();

	const server = createServer((inner) => {
		if (state === "cut") {
			inner.destroy();
			return;
		}
		if (state === "silent") inner.once("data", () => (swallowed += 1));
		const outer = connect({ host: target.hostname, port: Number(target.port === "" ? defaultPort : target.port) });
		for (const [from, to] of [
			[inner, outer],
			[outer, inner],
		] as const) {
			sockets.add(from);
			from.on("data", (bytes) => {
				if (state === "open") to.write(from === inner && change ? change(bytes) : bytes);
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
	const drop = (): void => sockets.forEach((socket) => socket.destroy());
	onTestFinished(() => {
		drop();
		server.close();
	});

	const port = String((server.address() as AddressInfo).port);
	return {
		url: Object.assign(new URL(serverUrl), { hostname: "127.0.0.1", port }).href,
		cut() {
			state = "cut";
			drop();
		},
		silence() {
			state = "silent";
			swallowed = 0;
		},
		swallowed: () => swallowed,
		restore() {
			state = "open";
		},
		rewrite(next) {
			change = next;
		},
	};
}
