import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/intervals";
import type { PollQueue } from "./poll-queue.ts";

const WATCH_EVERY_MS = 5_000;
/** Members do not notice a smaller delay. A larger one means that polls are stuck. */
const OVERDUE_MS_MAX = 30_000;

/**
 * Watches whether polls run on time and tasks end after their deadline. No other part would notice: a task that is
 * never polled fails nowhere.
 */
export interface Watchdog {
	/** Returns the last known delay of the most overdue poll; `undefined` if the queue did not respond. */
	oldestOverdueMs(): number | undefined;
	stop(): Promise<void>;
}

/** Tasks so far past their deadline that they should have ended, without an answer. */
interface OverdueTasks {
	readonly overdueTasks: number;
	readonly oldestOverdueMs: number;
}

interface WatchdogDeps {
	readonly queue: Pick<PollQueue, "oldestOverdueMs">;
	/** As far as this process knows; refreshed every few seconds. */
	readonly overdueTasks: () => OverdueTasks;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function startWatchdog({ queue, overdueTasks, clock, logger }: WatchdogDeps): Watchdog {
	let overdueMs: number | undefined = 0;
	let isLate = false;
	let hasOverdue = false;

	function judgeTasks({ overdueTasks: tasks, oldestOverdueMs }: OverdueTasks): void {
		if (!hasOverdue && tasks > 0) logger.error({ tasks, oldestOverdueMs }, "tasks open past their deadline");
		if (hasOverdue && tasks === 0) logger.info("no task open past its deadline");
		hasOverdue = tasks > 0;
	}

	function judge(): void {
		// An unreachable queue is logged elsewhere.
		if (overdueMs === undefined) return;
		if (!isLate && overdueMs > OVERDUE_MS_MAX) logger.error({ overdueMs }, "polls are late");
		if (isLate && overdueMs <= OVERDUE_MS_MAX) logger.info("polls are on time again");
		isLate = overdueMs > OVERDUE_MS_MAX;
	}

	async function round(): Promise<void> {
		overdueMs = await queue.oldestOverdueMs().catch(() => undefined);
		judge();
		judgeTasks(overdueTasks());
	}

	const stop = startInterval({ clock, everyMs: WATCH_EVERY_MS, run: round });
	return { oldestOverdueMs: () => overdueMs, stop };
}
