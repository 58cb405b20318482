import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { storeNotShared } from "../config/processes.ts";
import type { Store } from "@atelier/store/store";
import type { SharedWork } from "@atelier/studio/cluster/open-cluster";

/** What several processes of one studio share: nothing where no queue is named. */
export async function openSharedWorkOf(
	url: string | undefined,
	{ store, ...deps }: { readonly store: Store; readonly clock: Clock; readonly logger: Logger },
): Promise<SharedWork | undefined> {
	if (url === undefined) return undefined;
	if (!store.isSharedBetweenProcesses) {
		throw storeNotShared("QUEUE_URL shares the tasks between processes");
	}
	// Loaded only by those who use it.
	const { openSharedWork } = await import("@atelier/studio/cluster/open-cluster");
	return await openSharedWork(url, deps);
}
