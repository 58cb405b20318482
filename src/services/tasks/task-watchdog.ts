import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import type { OpenTaskCount } from "./open-task-stats.ts";
import type { TaskQueue } from "./task-queue.ts";

const WATCH_EVERY_MS = 5_000;
/** Members hardly notice a smaller delay. A larger one means that runs are stuck. */
const OVERDUE_MS_MAX = 30_000;

export type TaskWatchdog = ReturnType<typeof startTaskWatchdog>;

type OverdueTasks = Pick<OpenTaskCount, "overdueTasks" | "oldestOverdueTaskMs">;

interface TaskWatchdogDeps {
	readonly queue: Pick<TaskQueue, "oldestOverdueRunMs">;
	/** Counts the overdue tasks that this process knows. */
	readonly countOverdueTasks: () => OverdueTasks;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** Checks that tasks run on time, and that none stays open past its deadline: a task that never runs causes no error. */
export function startTaskWatchdog({ queue, countOverdueTasks, clock, logger }: TaskWatchdogDeps) {
	let runOverdueMs: number | undefined = 0;
	let areRunsLate = false;
	let hasOverdueTasks = false;

	function reportOverdueTasks({ overdueTasks, oldestOverdueTaskMs }: OverdueTasks): void {
		const fields = { tasks: overdueTasks, oldestOverdueMs: oldestOverdueTaskMs };
		if (!hasOverdueTasks && overdueTasks > 0) logger.error(fields, "tasks open past their deadline");
		if (hasOverdueTasks && overdueTasks === 0) logger.info("no task open past its deadline");
		hasOverdueTasks = overdueTasks > 0;
	}

	function reportLateRuns(): void {
		// An unreachable queue is logged elsewhere.
		if (runOverdueMs === undefined) return;
		if (!areRunsLate && runOverdueMs > OVERDUE_MS_MAX) logger.error({ overdueMs: runOverdueMs }, "task runs are late");
		if (areRunsLate && runOverdueMs <= OVERDUE_MS_MAX) logger.info("task runs are on time again");
		areRunsLate = runOverdueMs > OVERDUE_MS_MAX;
	}

	async function checkNow(): Promise<void> {
		runOverdueMs = await queue.oldestOverdueRunMs().catch(() => undefined);
		reportLateRuns();
		reportOverdueTasks(countOverdueTasks());
	}

	const stop = startInterval({ clock, everyMs: WATCH_EVERY_MS, run: checkNow });
	return {
		/** Returns by how many ms the most overdue run was late at the last check; `undefined` if the queue did not respond. */
		oldestOverdueRunMs: (): number | undefined => runOverdueMs,
		stop,
	};
}
