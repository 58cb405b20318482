import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { connectToRedis } from "../../services/store/redis-connection.ts";
import { refuseUnfitQueue } from "../../services/store/queue-fitness.ts";
import type { TaskQueue } from "../task-queue.ts";
import { createBullMqTaskQueue, type BullMqTaskQueueDeps } from "./bullmq-task-queue.ts";
import { createChangeNotices, type ChangeNotices } from "./change-notices.ts";
import { createSharedRateCounter, type RateCounters } from "./rate-counters.ts";

/** What several processes of one studio share beside the store: whose turn it is, who has changed what, who asked how often. */
export interface SharedWork {
	queueOf(deps: Pick<BullMqTaskQueueDeps, "lines" | "openTasksOf">): TaskQueue;
	readonly notices: ChangeNotices;
	readonly rateCounters: RateCounters;
	close(): Promise<void>;
}

/** Opens what a checked `QUEUE_URL` names. Throws a `StoreNotUsable` that says what to check. */
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
