import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createMemoryPollQueue } from "./memory-poll-queue.ts";
import type { PollQueue } from "./poll-queue.ts";

/** Opens the queue of a validated `QUEUE_URL`; without one, a queue in this process. Throws a `StoreNotUsableError` that says what to check. */
export async function openPollQueue(
	url: string | undefined,
	deps: { readonly clock: Clock; readonly logger: Logger },
): Promise<PollQueue> {
	if (url === undefined) return createMemoryPollQueue(deps);
	// Loaded only with a shared queue.
	const { openRedisPollQueue } = await import("./redis-poll-queue.ts");
	return await openRedisPollQueue(url, deps);
}
