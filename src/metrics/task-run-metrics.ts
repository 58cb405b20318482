import { secondsOf, type Metrics } from "./metrics.ts";

interface TaskRunMetricsDeps {
	/** Sweeps the open tasks of the store. Resolves to their number. */
	readonly sweep: () => Promise<number>;
	readonly oldestOverdueRunMs: () => number | undefined;
}

/** Measures the delay of task runs and the number of open tasks. Returns `sweep` with the measurement. */
export function withTaskRunMetrics(
	{ sweep, oldestOverdueRunMs }: TaskRunMetricsDeps,
	metrics: Metrics,
): () => Promise<number> {
	let openTasks: number | undefined;
	metrics.value("atelier_tasks_open", "Open tasks in the store, at the last sweep of this process.", () => openTasks);
	metrics.value(
		"atelier_oldest_overdue_run_seconds",
		"Delay of the most overdue run of a task. Missing while the queue does not respond.",
		() => secondsOf(oldestOverdueRunMs()),
	);
	return async () => (openTasks = await sweep());
}
