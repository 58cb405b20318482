import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { RemoveTask } from "./remove-task.ts";
import { isEnded } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

interface RetentionDeps {
	readonly tasks: Pick<TaskStore, "all">;
	readonly removeTask: RemoveTask;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly retentionMs: number;
	/** Aborts the removal; the rest is removed on another day. */
	readonly stopping: AbortSignal;
}

/** Removes tasks that ended before the retention time, with their files. Stops at the first younger one. */
export async function removeOldTasks(deps: RetentionDeps): Promise<void> {
	const { tasks, removeTask, clock, logger, retentionMs, stopping } = deps;
	const beforeMs = clock.nowMs() - retentionMs;
	let count = 0;
	for await (const task of tasks.all()) {
		if (task.createdAtMs >= beforeMs || stopping.aborted) break;
		if (!isEnded(task) || !("deliveredAtMs" in task) || task.deliveredAtMs >= beforeMs) continue;
		await removeTask(task);
		count++;
	}
	if (count > 0) logger.info({ tasks: count }, "old tasks removed");
}
