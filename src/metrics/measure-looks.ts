import { NO_LABELS, type Metrics } from "./metrics.ts";

interface Looks {
	/** Resolves to how many tasks are open. */
	readonly recover: () => Promise<number>;
	readonly oldestOverdueMs: () => number | undefined;
}

/** How late looks are, and how many tasks the last sweep of this process found. Returns the sweep that remembers. */
export function measureLooks({ recover, oldestOverdueMs }: Looks, metrics: Metrics): () => Promise<number> {
	let openTasks: number | undefined;
	metrics.gauge("tasks_open", "Open tasks in the store, at the last sweep of this process.", NO_LABELS, () => [
		{ labels: {}, value: openTasks },
	]);
	metrics.gauge("oldest_overdue_poll_seconds", "How late the latest look at a task is.", NO_LABELS, () => {
		const overdueMs = oldestOverdueMs();
		return [{ labels: {}, value: overdueMs === undefined ? undefined : overdueMs / 1000 }];
	});
	return async () => (openTasks = await recover());
}
