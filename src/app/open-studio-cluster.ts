import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";
import type { Cluster } from "@atelier/studio/cluster/open-cluster";
import { storeNotSharedError } from "../config/multi-process.ts";

/** Opens the queue that the processes of one studio share. Returns `undefined` where `QUEUE_URL` is not set. */
export async function openStudioCluster(
	queueUrl: string | undefined,
	{ store, ...deps }: { readonly store: Store; readonly clock: Clock; readonly logger: Logger },
): Promise<Cluster | undefined> {
	if (queueUrl === undefined) return undefined;
	if (!store.isSharedBetweenProcesses) throw storeNotSharedError("QUEUE_URL shares the tasks between processes");
	// Loaded only where a queue is configured.
	const { openCluster } = await import("@atelier/studio/cluster/open-cluster");
	return await openCluster(queueUrl, deps);
}
