import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from "rate-limiter-flexible";
import type { RedisConnection } from "@atelier/store/redis-connection";

/** Counts for a window of so many seconds, each kind under a name of its own. */
export type RateCounters = (name: string, window: { points: number; duration: number }) => RateLimiterAbstract;

/** Counted by all processes together; each by itself while the server is away. */
export function createSharedRateCounter({ client }: RedisConnection): RateCounters {
	return (name, window) =>
		new RateLimiterRedis({
			...window,
			storeClient: client,
			useRedisPackage: true,
			keyPrefix: `atelier:studio:rate:${name}`,
			insuranceLimiter: new RateLimiterMemory(window),
		});
}
