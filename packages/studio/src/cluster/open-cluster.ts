import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from "rate-limiter-flexible";
import { connectToRedis, type RedisConnection } from "@atelier/store/redis-connection";
import { requireSuitableQueue } from "@atelier/store/redis-requirements";
import type { EngineQueueSpec, StudioQueue } from "../studio-queue.ts";
import { createRedisStudioQueue, type RedisStudioQueueDeps, type Subscribe } from "./redis-studio-queue.ts";

/** Creates a rate limiter with this name: `points` requests in `duration` seconds. */
export type CreateRateLimiter = (name: string, window: { points: number; duration: number }) => RateLimiterAbstract;

/** The state that the processes of one studio share beside the store: queue and rate counters. */
export interface Cluster {
	queueOf(engineQueues: readonly EngineQueueSpec[]): StudioQueue;
	readonly createRateLimiter: CreateRateLimiter;
	close(): Promise<void>;
}

/** Opens the cluster of a validated `QUEUE_URL`. Throws a `StoreNotUsableError` that says what to check. */
export async function openCluster(
	url: string,
	deps: Pick<RedisStudioQueueDeps, "clock" | "logger" | "leaseMs">,
): Promise<Cluster> {
	const { logger } = deps;
	const connection = await connectToRedis(url, { logger, role: "queue" });
	// A connection with subscriptions accepts no other commands.
	const listener = connection.client.duplicate();
	listener.on("error", (error: unknown) => logger.debug({ err: error }, "subscription failed"));
	try {
		await requireSuitableQueue(connection);
		await listener.connect();
	} catch (error) {
		connection.close();
		throw error;
	}
	const subscribe: Subscribe = (channel, onMessage) => listener.subscribe(channel, onMessage);
	return {
		queueOf: (engineQueues) => createRedisStudioQueue({ ...deps, engineQueues, connection, subscribe }),
		createRateLimiter: sharedRateLimiterFactory(connection),
		async close() {
			if (listener.isOpen) listener.destroy();
			connection.close();
		},
	};
}

/** Its limiters count over all processes, and per process while Redis is unreachable. */
function sharedRateLimiterFactory({ client }: RedisConnection): CreateRateLimiter {
	return (name, window) =>
		new RateLimiterRedis({
			...window,
			storeClient: client,
			useRedisPackage: true,
			keyPrefix: `atelier:studio:rate:${name}`,
			insuranceLimiter: new RateLimiterMemory(window),
		});
}
