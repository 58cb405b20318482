import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/open-store.ts";

/** A server that accepts the commands of its first connection only. */
async function startServerForOneConnection() {
	const openSockets = new Set<Socket>();
	let connectionCount = 0;
	const server = createServer((socket) => {
		const reply = ++connectionCount === 1 ? "+PONG\r\n" : "-NOAUTH Authentication required.\r\n";
		openSockets.add(socket);
		socket.on("data", (bytes) => {
			const commandCount = bytes.toString().match(/^\*/gm)?.length ?? 0;
			socket.write(reply.repeat(commandCount));
		});
		socket.on("error", () => {});
		socket.on("close", () => openSockets.delete(socket));
	}).listen(0, "127.0.0.1");
	onTestFinished(() => {
		for (const socket of openSockets) socket.destroy();
		server.close();
	});
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return { url: `redis://127.0.0.1:${port}`, openSockets, connections: () => connectionCount };
}

test("a store that cannot open its second connection closes the first one", async () => {
	const { url, openSockets, connections } = await startServerForOneConnection();
	await expect(openStore(url)).rejects.toThrow("rejects the user or the password in STORE_URL");
	expect(connections()).toBe(2);
	await expect.poll(() => openSockets.size).toBe(0);
});
