import type { ResultStore } from "../delivery/result-store.ts";
import type { GalleryStore } from "../gallery/gallery-store.ts";
import type { Task } from "./task.ts";
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
