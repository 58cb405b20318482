import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from "rate-limiter-flexible";
import type { RedisConnection } from "@atelier/store/redis-connection";

/** Creates a counter for a window of seconds under a name. */
export type RateCounters = (name: string, window: { points: number; duration: number }) => RateLimiterAbstract;

/** Counts over all processes; per process while the server is unreachable. */
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
