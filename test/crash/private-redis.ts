import { REDIS_PROGRAM, startRedisProcess } from "@atelier/store/testing/redis-process";

/** Arguments of `redis-server`. */
const DURABILITY = {
	/** Syncs every write to the disk before its response. */
	always: ["--appendonly", "yes", "--appendfsync", "always"],
	none: ["--appendonly", "no"],
} as const;

export interface PrivateRedis {
	readonly url: string;
	stop(): Promise<void>;
}

/** Starts a Redis server of its own. Resolves to `undefined` if none is installed. */
export async function startPrivateRedis(
	durability: keyof typeof DURABILITY = "always",
): Promise<PrivateRedis | undefined> {
	if (REDIS_PROGRAM === undefined) return undefined;
	const server = await startRedisProcess(DURABILITY[durability]);
	return { url: server.url, stop: () => server.remove() };
}
