import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import type { PollQueue } from "./poll-queue.ts";

const WATCH_EVERY_MS = 5_000;
/** Members hardly notice a smaller delay. A larger one means that polls are stuck. */
const OVERDUE_MS_MAX = 30_000;

/** Checks that polls run on time and that no task stays open past its deadline: a task that is never polled causes no error. */
export interface TaskWatchdog {
	/** Returns by how many ms the most overdue poll was late at the last check; `undefined` if the queue did not respond. */
	oldestOverduePollMs(): number | undefined;
	stop(): Promise<void>;
}

/** The tasks that are open although their deadline has passed. */
interface OverdueTasks {
	readonly overdueTasks: number;
	/** The longest time past a deadline; 0 without such a task. */
	readonly oldestOverdueTaskMs: number;
}

interface TaskWatchdogDeps {
	readonly queue: Pick<PollQueue, "oldestOverduePollMs">;
	/** Counts the overdue tasks that this process knows. */
	readonly countOverdueTasks: () => OverdueTasks;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function startTaskWatchdog({ queue, countOverdueTasks, clock, logger }: TaskWatchdogDeps): TaskWatchdog {
	let pollOverdueMs: number | undefined = 0;
	let arePollsLate = false;
	let hasOverdueTasks = false;

	function reportOverdueTasks({ overdueTasks, oldestOverdueTaskMs }: OverdueTasks): void {
		const fields = { tasks: overdueTasks, oldestOverdueMs: oldestOverdueTaskMs };
		if (!hasOverdueTasks && overdueTasks > 0) logger.error(fields, "tasks open past their deadline");
		if (hasOverdueTasks && overdueTasks === 0) logger.info("no task open past its deadline");
		hasOverdueTasks = overdueTasks > 0;
	}

	function reportLatePolls(): void {
		// An unreachable queue is logged elsewhere.
		if (pollOverdueMs === undefined) return;
		if (!arePollsLate && pollOverdueMs > OVERDUE_MS_MAX) logger.error({ overdueMs: pollOverdueMs }, "polls are late");
		if (arePollsLate && pollOverdueMs <= OVERDUE_MS_MAX) logger.info("polls are on time again");
		arePollsLate = pollOverdueMs > OVERDUE_MS_MAX;
	}

	async function checkNow(): Promise<void> {
		pollOverdueMs = await queue.oldestOverduePollMs().catch(() => undefined);
		reportLatePolls();
		reportOverdueTasks(countOverdueTasks());
	}

	const stop = startInterval({ clock, everyMs: WATCH_EVERY_MS, run: checkNow });
	return { oldestOverduePollMs: () => pollOverdueMs, stop };
}
