import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startRounds } from "@atelier/common/intervals";
import type { PollQueue } from "./poll-queue.ts";

const WATCH_EVERY_MS = 5_000;
/** Nobody notices less; more means that looks do not begin, or do not end. */
const OVERDUE_MS_MAX = 30_000;

/**
 * Whether looks come when they are due, and whether tasks end when their deadline is over. Nothing else would tell: a task
 * that nobody looks at fails nowhere, and one that is looked at in vain may go on for ever.
 */
export interface Watchdog {
	/** How late the latest look was a moment ago; `undefined` where the queue did not say. */
	oldestOverdueMs(): number | undefined;
	stop(): Promise<void>;
}

/** Tasks that are so far past their deadline that they should have been given up, and nobody was answered. */
interface OverdueTasks {
	readonly overdueTasks: number;
	readonly oldestOverdueMs: number;
}

interface WatchdogDeps {
	readonly queue: Pick<PollQueue, "oldestOverdueMs">;
	/** As far as this process knows; read every few seconds. */
	readonly overdueTasks: () => OverdueTasks;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function startWatchdog({ queue, overdueTasks, clock, logger }: WatchdogDeps): Watchdog {
	let overdueMs: number | undefined = 0;
	let isLate = false;
	let hasOverdue = false;

	function judgeTasks({ overdueTasks: tasks, oldestOverdueMs }: OverdueTasks): void {
		if (!hasOverdue && tasks > 0)
			logger.error({ tasks, oldestOverdueMs }, "tasks are past their deadline and not ended");
		if (hasOverdue && tasks === 0) logger.info("no task is past its deadline any more");
		hasOverdue = tasks > 0;
	}

	function judge(): void {
		// A queue that is away says so itself, and is late or not when it is back.
		if (overdueMs === undefined) return;
		if (!isLate && overdueMs > OVERDUE_MS_MAX) logger.error({ overdueMs }, "looks at tasks are late");
		if (isLate && overdueMs <= OVERDUE_MS_MAX) logger.info("looks at tasks are on time again");
		isLate = overdueMs > OVERDUE_MS_MAX;
	}

	async function round(): Promise<void> {
		overdueMs = await queue.oldestOverdueMs().catch(() => undefined);
		judge();
		judgeTasks(overdueTasks());
	}

	const stop = startRounds({ clock, everyMs: WATCH_EVERY_MS, round });
	return { oldestOverdueMs: () => overdueMs, stop };
}
