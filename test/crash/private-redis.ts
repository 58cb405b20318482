import { REDIS_PROGRAM, startRedisProcess } from "@atelier/store/testing/redis-process";

const DURABILITY = {
	/** Logs every write before the response. */
	always: ["--appendonly", "yes", "--appendfsync", "always"],
	none: ["--appendonly", "no"],
} as const;

export interface PrivateRedis {
	readonly url: string;
	stop(): Promise<void>;
}

/** Starts a Redis server; undefined if none is installed. */
export async function startPrivateRedis(
	durability: keyof typeof DURABILITY = "always",
): Promise<PrivateRedis | undefined> {
	if (REDIS_PROGRAM === undefined) return undefined;
	const server = await startRedisProcess(DURABILITY[durability]);
	return { url: server.url, stop: () => server.remove() };
}
