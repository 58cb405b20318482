import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ReportProgress } from "./engines/engine.ts";
import type { StudioTaskStore } from "./studio-task-store.ts";
import { recordProgress, type ProcessingTask, type RunProgress } from "./studio-task.ts";

/** Only a successful task shows 100. */
const PERCENT_MAX = 99;

/** An unchanged progress is stored again after this time: it shows that the run goes on, and a recovery counts downtime from there. */
const UNCHANGED_MS_MAX = 10_000;

/**
 * Returns the function that stores an engine's progress, at most once per interval, and a function that waits for the last write.
 * Percentages only increase. A failed write is repeated by the next report.
 */
export function createTaskProgress(
	deps: {
		readonly taskStore: StudioTaskStore;
		readonly clock: Clock;
		readonly intervalMs: number;
		readonly logger: Logger;
	},
	task: ProcessingTask,
): { report: ReportProgress; flush: () => Promise<void> } {
	let written: RunProgress = { progressPercent: 0, enginePosition: null };
	let highestPercent = 0;
	/** The start of the run was a write, and the first change need not wait after it. */
	let writtenAtMs = task.updatedAtMs - deps.intervalMs;
	let writing: Promise<void> | undefined;

	async function write(progress: RunProgress): Promise<void> {
		try {
			await deps.taskStore.move(task.taskId, recordProgress(task.attempt, progress));
			written = progress;
		} catch (error) {
			deps.logger.warn({ err: error }, "progress not written");
		}
		writing = undefined;
	}

	return {
		report(reportedPercent, queuePosition = 0) {
			const percent = Math.min(PERCENT_MAX, Math.floor(reportedPercent));
			// A NaN is not larger, so it is ignored.
			if (percent > highestPercent) highestPercent = percent;
			const enginePosition = Number.isSafeInteger(queuePosition) && queuePosition >= 1 ? queuePosition : null;
			const hasChanged = highestPercent !== written.progressPercent || enginePosition !== written.enginePosition;
			const intervalMs = hasChanged ? deps.intervalMs : UNCHANGED_MS_MAX;
			if (writing || deps.clock.nowMs() - writtenAtMs < intervalMs) return;
			writtenAtMs = deps.clock.nowMs();
			writing = write({ progressPercent: highestPercent, enginePosition });
		},
		async flush() {
			await writing;
		},
	};
}
