import { secondsOf, type Metrics } from "./metrics.ts";

interface PollMetricsDeps {
	/** Sweeps the open tasks of the store. Resolves to their number. */
	readonly sweep: () => Promise<number>;
	readonly oldestOverduePollMs: () => number | undefined;
}

/** Measures the delay of polls and the number of open tasks. Returns `sweep` with the measurement. */
export function withPollMetrics(
	{ sweep, oldestOverduePollMs }: PollMetricsDeps,
	metrics: Metrics,
): () => Promise<number> {
	let openTasks: number | undefined;
	metrics.value("atelier_tasks_open", "Open tasks in the store, at the last sweep of this process.", () => openTasks);
	metrics.value("atelier_oldest_overdue_poll_seconds", "Delay of the most overdue poll.", () =>
		secondsOf(oldestOverduePollMs()),
	);
	return async () => (openTasks = await sweep());
}
