import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const START_TIMEOUT_MS = 10_000;

export interface OwnRedis {
	readonly url: string;
	stop(): Promise<void>;
}

const DURABILITY = {
	/** Logs every write before it answers. */
	always: ["--appendonly", "yes", "--appendfsync", "always"],
	none: ["--appendonly", "no"],
} as const;

/** A Redis server of our own; undefined, loudly, where there is none. */
export async function startOwnRedis(durability: keyof typeof DURABILITY = "always"): Promise<OwnRedis | undefined> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-redis-"));
	const port = await freePort();
	const settings = [...DURABILITY[durability], "--save", "", "--dir", folder];
	const server = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", ...settings], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const stop = async (): Promise<void> => {
		if (server.exitCode === null && server.signalCode === null) {
			server.kill("SIGKILL");
			await once(server, "close");
		}
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await once(server, "spawn");
		const timer = setTimeout(() => server.kill("SIGKILL"), START_TIMEOUT_MS);
		for await (const line of createInterface({ input: server.stdout })) {
			if (!line.includes("Ready to accept connections")) continue;
			clearTimeout(timer);
			server.stdout.resume();
			return { url: `redis://127.0.0.1:${port}`, stop };
		}
		throw new Error("the server of this test did not start");
	} catch (error) {
		await stop();
		if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
		process.stderr.write("\nSKIPPED: what needs a Redis of its own, because there is no redis-server here\n\n");
		return undefined;
	}
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	return port;
}
