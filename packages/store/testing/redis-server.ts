import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { freePort } from "@atelier/common/testing/free-port";

const PROGRAM = ["redis-server", "valkey-server"].find((name) => spawnSync(name, ["--version"]).status === 0);
if (PROGRAM === undefined) {
	process.stderr.write("\nSKIPPED: what needs a Redis server of its own, because redis-server is not installed\n\n");
}

/** A Redis server for one test, with settings of its own and a disk that survives `kill`. */
export interface RedisServer {
	readonly url: string;
	/** Ends it as `kill -9` does. */
	kill(): Promise<void>;
	/** Starts it again on the same port and files. */
	start(): Promise<void>;
}

async function start(settings: readonly string[]): Promise<RedisServer> {
	const folder = mkdtempSync(join(tmpdir(), "atelier-redis-"));
	const port = await freePort();
	let child: ChildProcess | undefined;

	const server: RedisServer = {
		url: `redis://127.0.0.1:${port}`,
		async kill() {
			if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, "exit");
			child.kill("SIGKILL");
			await ended;
		},
		async start() {
			const fixed = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
			child = spawn(PROGRAM ?? "redis-server", [...fixed, ...settings], { stdio: ["ignore", "pipe", "inherit"] });
			if (child.stdout === null) throw new Error("no output");
			for await (const line of createInterface({ input: child.stdout })) {
				if (line.includes("Ready to accept connections")) break;
			}
			child.stdout.resume();
		},
	};
	onTestFinished(async () => {
		await server.kill();
		rmSync(folder, { recursive: true, force: true });
	});
	await server.start();
	return server;
}

/** Starts a server for one test. Where the program is not installed, `isPossible` is false and a line on stderr says so. */
export const startRedisServer = Object.assign(start, { isPossible: PROGRAM !== undefined });
