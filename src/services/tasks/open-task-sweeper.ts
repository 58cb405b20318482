import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import type { ScheduledRun, TaskQueue } from "./task-queue.ts";
import type { TaskStore } from "./task-store.ts";

/** Number of runs in one call of the queue. */
const BATCH_TASKS = 256;
/** The time between two runs that a sweep schedules: five hundred a second, the oldest tasks first. */
const RUN_SPACING_MS = 2;
/** A lost schedule is noticed within this time. A shorter time would read the markers of open tasks more often. */
const SWEEP_EVERY_MS = 30_000;

interface SweepDeps {
	readonly taskStore: Pick<TaskStore, "openIds">;
	readonly queue: TaskQueue;
	readonly clock: Clock;
}

/**
 * Restores a lost schedule from the store: every open task without a scheduled run gets one. Reads only the markers of open tasks.
 * Resolves to their number.
 */
export async function sweepOpenTasks({ taskStore, queue, clock }: SweepDeps): Promise<number> {
	let count = 0;
	let batch: ScheduledRun[] = [];
	const startMs = clock.nowMs();
	for await (const taskId of taskStore.openIds()) {
		batch.push({ taskId, dueAtMs: startMs + count * RUN_SPACING_MS });
		count++;
		if (batch.length < BATCH_TASKS) continue;
		await queue.addMissing(batch);
		batch = [];
	}
	await queue.addMissing(batch);
	return count;
}

interface SweeperDeps {
	readonly sweep: () => Promise<unknown>;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** Sweeps periodically. Returns a function that stops it. */
export function startOpenTaskSweeper({ sweep, clock, logger }: SweeperDeps): () => Promise<void> {
	const throttledLogger = createThrottledLogger({ clock, logger, message: "sweep of open tasks failed" });

	async function sweepOnce(stopped: AbortSignal): Promise<void> {
		try {
			await sweep();
		} catch (error) {
			if (!stopped.aborted) throttledLogger.add(error);
		}
	}

	return startInterval({ clock, everyMs: SWEEP_EVERY_MS, run: sweepOnce });
}
