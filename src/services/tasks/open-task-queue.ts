import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createMemoryTaskQueue } from "./memory-task-queue.ts";
import type { TaskQueue } from "./task-queue.ts";

/** Opens the queue of a validated `QUEUE_URL`; without one, a queue in this process. Throws a `StoreNotUsableError` that says what to check. */
export async function openTaskQueue(
	url: string | undefined,
	deps: { readonly clock: Clock; readonly logger: Logger },
): Promise<TaskQueue> {
	if (url === undefined) return createMemoryTaskQueue(deps);
	// Loaded only with a shared queue.
	const { openRedisTaskQueue } = await import("./redis-task-queue.ts");
	return await openRedisTaskQueue(url, deps);
}
