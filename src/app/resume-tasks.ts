import { withTaskRunMetrics } from "../metrics/task-run-metrics.ts";
import { startOpenTaskSweeper } from "../services/tasks/open-task-sweeper.ts";
import { startTaskWatchdog, type TaskWatchdog } from "../services/tasks/task-watchdog.ts";
import type { BotContext } from "./app-context.ts";
import type { Services } from "./create-services.ts";

/** Sweeps the open tasks, and starts the watchdog and the sweeper. Deliveries need a connected client. */
export async function resumeTasks(context: BotContext, services: Services): Promise<TaskWatchdog> {
	const { clock, logger, metrics, disposables } = context;
	const { queue, runner, openTaskStats } = services;
	const watchdog = startTaskWatchdog({ queue, countOverdueTasks: () => openTaskStats.count(), clock, logger });
	disposables.defer(() => watchdog.stop());
	const sweep = withTaskRunMetrics(
		{ sweep: () => runner.sweepOpenTasks(), oldestOverdueRunMs: () => watchdog.oldestOverdueRunMs() },
		metrics,
	);
	logger.info({ openTasks: await sweep() }, "open tasks found");
	disposables.defer(startOpenTaskSweeper({ sweep, clock, logger }));
	return watchdog;
}
