import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { TaskStore } from "./task-store.ts";
import { advance, type ProcessingTask } from "./task.ts";

/** Only a task that has succeeded is at 100. */
const PERCENT_MAX = 99;

/**
 * What an engine says of one run: shown at once, written at most once an interval, and it only ever rises. A write that
 * fails costs nothing but an old number after a crash.
 */
export function createProgress(
	deps: { readonly tasks: TaskStore; readonly clock: Clock; readonly intervalMs: number; readonly logger: Logger },
	task: ProcessingTask,
	show: (progressPercent: number) => void,
): { report: (progressPercent: number) => void; settled: () => Promise<void> } {
	let shown = 0;
	let writtenAtMs = deps.clock.nowMs();
	let writing: Promise<void> | undefined;

	async function write(progressPercent: number): Promise<void> {
		try {
			await deps.tasks.move(task.taskId, advance(task.attempt, progressPercent));
		} catch (error) {
			deps.logger.warn({ err: error }, "progress not written");
		}
		writing = undefined;
	}

	return {
		report(progressPercent) {
			const percent = Math.min(PERCENT_MAX, Math.floor(progressPercent));
			// Also false for what is not a number.
			if (!(percent > shown)) return;
			shown = percent;
			show(percent);
			if (writing || deps.clock.nowMs() - writtenAtMs < deps.intervalMs) return;
			writtenAtMs = deps.clock.nowMs();
			writing = write(percent);
		},
		async settled() {
			await writing;
		},
	};
}
