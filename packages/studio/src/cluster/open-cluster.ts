import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { connectToRedis } from "@atelier/store/redis-connection";
import { refuseUnfitQueue } from "@atelier/store/redis-requirements";
import type { TaskQueue } from "../task-queue.ts";
import { createBullMqTaskQueue, type BullMqTaskQueueDeps } from "./bullmq-task-queue.ts";
import { createChangeNotices, type ChangeNotices } from "./change-pubsub.ts";
import { createSharedRateCounter, type RateCounters } from "./rate-counters.ts";

/** What several processes of one studio share beside the store: whose turn it is, who has changed what, who asked how often. */
export interface SharedWork {
	queueOf(deps: Pick<BullMqTaskQueueDeps, "lines" | "openTasksOf">): TaskQueue;
	readonly notices: ChangeNotices;
	readonly rateCounters: RateCounters;
	close(): Promise<void>;
}

/** Opens what a checked `QUEUE_URL` names. Throws a `StoreNotUsableError` that says what to check. */
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
