import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "@atelier/common/testing/free-port";

const START_TIMEOUT_MS = 60_000;

/** The Redis server that is installed, if any. */
export const REDIS_PROGRAM = ["redis-server", "valkey-server"].find(
	(name) => spawnSync(name, ["--version"]).status === 0,
);
if (REDIS_PROGRAM === undefined) {
	process.stderr.write("\nSKIPPED: tests that start a Redis server, because redis-server is not installed\n\n");
}

/** A Redis server with its own settings. Its files survive `kill`. */
export interface RedisServer {
	readonly url: string;
	/** Kills it with SIGKILL. */
	kill(): Promise<void>;
	/** Starts it again on the same port and files. */
	start(): Promise<void>;
}

/** Starts a server; `remove` stops it and deletes its files. */
export async function startRedisProcess(settings: readonly string[]) {
	const folder = mkdtempSync(join(tmpdir(), "atelier-redis-"));
	const port = await freePort();
	let child: ChildProcess | undefined;

	const server: RedisServer & { remove(): Promise<void> } = {
		url: `redis://127.0.0.1:${port}`,
		async kill() {
			if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, "exit");
			child.kill("SIGKILL");
			await ended;
		},
		async start() {
			const settingsForAll = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
			const started = spawn(REDIS_PROGRAM ?? "redis-server", [...settingsForAll, ...settings], {
				stdio: ["ignore", "pipe", "inherit"],
			});
			child = started;
			const timer = setTimeout(() => started.kill("SIGKILL"), START_TIMEOUT_MS);
			for await (const line of createInterface({ input: started.stdout })) {
				if (!line.includes("Ready to accept connections")) continue;
				clearTimeout(timer);
				started.stdout.resume();
				return;
			}
			throw new Error("the Redis server of this test did not start");
		},
		async remove() {
			await server.kill();
			rmSync(folder, { recursive: true, force: true });
		},
	};
	try {
		await server.start();
	} catch (error) {
		await server.remove();
		throw error;
	}
	return server;
}
