import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { isErrno } from "../src/is-errno.ts";

/**
 * Below the ports that systems give to connections and to servers on port 0. No other test takes a port in this range while its
 * server is down. A client that connects meanwhile is refused: with a port that systems give, it could get that port itself, and would
 * be connected to itself.
 */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;

/** Resolves to a free port, for a server that restarts on the same port. */
export async function freePort(): Promise<number> {
	const port = randomInt(PORT_MIN, PORT_MAX);
	const server = createServer().listen(port, "127.0.0.1");
	try {
		await once(server, "listening");
	} catch (error) {
		if (!isErrno(error, "EADDRINUSE")) throw error;
		return await freePort();
	}
	server.close();
	await once(server, "close");
	return port;
}
