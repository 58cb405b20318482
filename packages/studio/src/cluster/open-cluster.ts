import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { connectToRedis } from "@atelier/store/redis-connection";
import { refuseUnfitQueue } from "@atelier/store/redis-requirements";
import type { TaskQueue } from "../task-queue.ts";
import { createBullMqTaskQueue, type BullMqTaskQueueDeps } from "./bullmq-task-queue.ts";
import { createChangeNotices, type ChangeNotices } from "./change-pubsub.ts";
import { createSharedRateCounter, type RateCounters } from "./rate-counters.ts";

/** The state that the processes of one studio share beside the store: queue, change notifications, rate counters. */
export interface SharedWork {
	queueOf(deps: Pick<BullMqTaskQueueDeps, "lines" | "openTasksOf">): TaskQueue;
	readonly notices: ChangeNotices;
	readonly rateCounters: RateCounters;
	close(): Promise<void>;
}

/** Opens the cluster of a validated `QUEUE_URL`. Throws a `StoreNotUsableError` that says what to check. */
export async function openSharedWork(
	url: string,
	deps: Pick<BullMqTaskQueueDeps, "lockMs" | "stalledCheckMs"> & { readonly clock: Clock; readonly logger: Logger },
): Promise<SharedWork> {
	const connection = await connectToRedis(url, { logger: deps.logger, role: "queue" });
	try {
		await refuseUnfitQueue(connection);
	} catch (error) {
		connection.close();
		throw error;
	}
	const notices = createChangeNotices(connection, deps.logger);
	return {
		queueOf: (given) => createBullMqTaskQueue({ ...deps, ...given, url, connection }),
		notices,
		rateCounters: createSharedRateCounter(connection),
		async close() {
			notices.close();
			connection.close();
		},
	};
}
