import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ReportProgress } from "./engines/engine.ts";
import type { TaskStore } from "./task-store.ts";
import { recordProgress, type ProcessingTask, type RunProgress } from "./task.ts";

/** Only a successful task shows 100. */
const PERCENT_MAX = 99;

/**
 * Records an engine's progress: shown immediately, stored at most once per interval. Percentages only increase. After a
 * failed write, other processes and the next start show an older percentage.
 */
export function createTaskProgress(
	deps: { readonly taskStore: TaskStore; readonly clock: Clock; readonly intervalMs: number; readonly logger: Logger },
	task: ProcessingTask,
	show: (progress: RunProgress) => void,
): { report: ReportProgress; flush: () => Promise<void> } {
	let shown: RunProgress = { progressPercent: 0, enginePosition: null };
	let written = shown;
	let writtenAtMs = deps.clock.nowMs();
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
			const progressPercent = percent > shown.progressPercent ? percent : shown.progressPercent;
			const enginePosition = Number.isSafeInteger(queuePosition) && queuePosition >= 1 ? queuePosition : null;
			if (progressPercent !== shown.progressPercent || enginePosition !== shown.enginePosition) {
				shown = { progressPercent, enginePosition };
				show(shown);
			}
			if (writing || shown === written || deps.clock.nowMs() - writtenAtMs < deps.intervalMs) return;
			writtenAtMs = deps.clock.nowMs();
			writing = write(shown);
		},
		async flush() {
			await writing;
		},
	};
}
