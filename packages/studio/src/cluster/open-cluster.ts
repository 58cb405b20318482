import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from "rate-limiter-flexible";
import type { Clock } from "@atelier/common/clock";
import { connectToRedis, type RedisConnection } from "@atelier/store/redis-connection";
import { requireSuitableQueue } from "@atelier/store/redis-requirements";
import type { EngineQueueSpec, TaskQueue } from "../task-queue.ts";
import { createBullMqTaskQueue, type BullMqTaskQueueDeps } from "./bullmq-task-queue.ts";

/** Notifies other processes of changed tasks. Lost notifications are found by reading the store. */
interface ChangePubSub {
	publish(taskId: string): void;
	/** Calls back for changes of other processes from now on. */
	subscribe(onChange: (taskId: string) => void): Promise<void>;
	close(): void;
}

/** Creates a rate limiter with this name: `points` requests in `duration` seconds. */
export type CreateRateLimiter = (name: string, window: { points: number; duration: number }) => RateLimiterAbstract;

const CHANNEL = "atelier:studio:changed";

/** The state that the processes of one studio share beside the store: queue, change notifications, rate counters. */
export interface Cluster {
	queueOf(engineQueues: readonly EngineQueueSpec[]): TaskQueue;
	readonly changePubSub: ChangePubSub;
	readonly createRateLimiter: CreateRateLimiter;
	close(): Promise<void>;
}

/** Opens the cluster of a validated `QUEUE_URL`. Throws a `StoreNotUsableError` that says what to check. */
export async function openCluster(
	url: string,
	deps: Pick<BullMqTaskQueueDeps, "lockMs" | "stalledCheckMs"> & { readonly clock: Clock; readonly logger: Logger },
): Promise<Cluster> {
	const connection = await connectToRedis(url, { logger: deps.logger, role: "queue" });
	try {
		await requireSuitableQueue(connection);
	} catch (error) {
		connection.close();
		throw error;
	}
	const changePubSub = createChangePubSub(connection, deps.logger);
	return {
		queueOf: (engineQueues) => createBullMqTaskQueue({ ...deps, engineQueues, url, connection }),
		changePubSub,
		createRateLimiter: sharedRateLimiterFactory(connection),
		async close() {
			changePubSub.close();
			connection.close();
		},
	};
}

function createChangePubSub(connection: RedisConnection, logger: Logger): ChangePubSub {
	const processId = randomUUID();
	const listener = connection.client.duplicate();
	listener.on("error", (error: unknown) => logger.debug({ err: error }, "change subscription failed"));

	return {
		publish(taskId) {
			connection
				.run((client) => client.publish(CHANNEL, `${processId} ${taskId}`))
				.catch((error: unknown) => logger.debug({ err: error, taskId }, "change notification failed"));
		},
		async subscribe(onChange) {
			await listener.connect();
			await listener.subscribe(CHANNEL, (message) => {
				const [from, taskId] = message.split(" ");
				if (from !== processId && taskId !== undefined) onChange(taskId);
			});
		},
		close() {
			if (listener.isOpen) listener.destroy();
		},
	};
}

/** Its limiters count over all processes, and per process while the server is unreachable. */
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
