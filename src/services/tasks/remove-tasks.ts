import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ResultStore } from "../delivery/result-store.ts";
import type { GalleryStore } from "../gallery/gallery-store.ts";
import { isEnded, type Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

interface RemovalDeps {
	readonly taskStore: Pick<TaskStore, "remove">;
	readonly results: Pick<ResultStore, "remove">;
	readonly galleryStore: Pick<GalleryStore, "removeResult">;
}

/** Removes an ended task with its files, from the gallery and from all favorites. */
export type RemoveTask = (task: Task) => Promise<void>;

export function createTaskRemoval({ taskStore, results, galleryStore }: RemovalDeps): RemoveTask {
	return async (task) => {
		const { id, guildId } = task;
		await results.remove(id);
		await galleryStore.removeResult(guildId, id);
		// The task comes last: until then, the rest can be found again.
		await taskStore.remove(task);
	};
}

interface RetentionDeps {
	readonly taskStore: Pick<TaskStore, "all">;
	readonly removeTask: RemoveTask;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly retentionMs: number;
	/** Ends the removal early; the next day's run removes the rest. */
	readonly stopping: AbortSignal;
}

/**
 * Removes the tasks whose delivery is longer ago than the retention time, with their files. Tasks are read by age: the first one that
 * was created within the retention time ends the search.
 */
export async function removeOldTasks(deps: RetentionDeps): Promise<void> {
	const { taskStore, removeTask, clock, logger, retentionMs, stopping } = deps;
	const beforeMs = clock.nowMs() - retentionMs;
	let removedCount = 0;
	for await (const task of taskStore.all()) {
		if (task.createdAtMs >= beforeMs || stopping.aborted) break;
		if (!isEnded(task) || !("deliveredAtMs" in task) || task.deliveredAtMs >= beforeMs) continue;
		await removeTask(task);
		removedCount++;
	}
	if (removedCount > 0) logger.info({ tasks: removedCount }, "old tasks removed");
}
