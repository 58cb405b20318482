import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Report } from "./engines/engine.ts";
import type { TaskStore } from "./task-store.ts";
import { advance, type ProcessingTask, type RunProgress } from "./task.ts";

/** Only a task that has succeeded is at 100. */
const PERCENT_MAX = 99;

/**
 * What an engine says of one run: shown at once, written at most once an interval. The percentage only ever rises. A write
 * that fails costs nothing but an old number after a crash, or at another process.
 */
export function createProgress(
	deps: { readonly tasks: TaskStore; readonly clock: Clock; readonly intervalMs: number; readonly logger: Logger },
	task: ProcessingTask,
	show: (progress: RunProgress) => void,
): { report: Report; settled: () => Promise<void> } {
	let shown: RunProgress = { progressPercent: 0, enginePosition: null };
	let written = shown;
	let writtenAtMs = deps.clock.nowMs();
	let writing: Promise<void> | undefined;

	async function write(progress: RunProgress): Promise<void> {
		try {
			await deps.tasks.move(task.taskId, advance(task.attempt, progress));
			written = progress;
		} catch (error) {
			deps.logger.warn({ err: error }, "progress not written");
		}
		writing = undefined;
	}

	return {
		report(said, queuePosition = 0) {
			const percent = Math.min(PERCENT_MAX, Math.floor(said));
			// Also false for what is not a number.
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
		async settled() {
			await writing;
		},
	};
}
