import { onTestFinished } from "vitest";
import { REDIS_PROGRAM, startRedisProcess, type RedisServer } from "./redis-process.ts";

export type { RedisServer };

async function start(settings: readonly string[]): Promise<RedisServer> {
	const server = await startRedisProcess(settings);
	onTestFinished(() => server.remove());
	return server;
}

/** Starts a server for one test. `isPossible` is false if the program is not installed. */
export const startRedisServer = Object.assign(start, { isPossible: REDIS_PROGRAM !== undefined });
