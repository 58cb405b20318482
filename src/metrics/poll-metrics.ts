import { NO_LABELS, type Metrics } from "./metrics.ts";

interface PollMetricsDeps {
	/** Resolves to how many tasks are open. */
	readonly recover: () => Promise<number>;
	readonly oldestOverdueMs: () => number | undefined;
}

/** How late looks are, and how many tasks the last sweep of this process found. Returns the sweep that remembers. */
export function withPollMetrics(
	{ recover, oldestOverdueMs }: PollMetricsDeps,
	metrics: Metrics,
): () => Promise<number> {
	let openTasks: number | undefined;
	metrics.gauge("atelier_tasks_open", "Open tasks in the store, at the last sweep of this process.", NO_LABELS, () => [
		{ labels: {}, value: openTasks },
	]);
	metrics.gauge("atelier_oldest_overdue_poll_seconds", "How late the latest look at a task is.", NO_LABELS, () => {
		const overdueMs = oldestOverdueMs();
		return [{ labels: {}, value: overdueMs === undefined ? undefined : overdueMs / 1000 }];
	});
	return async () => (openTasks = await recover());
}
