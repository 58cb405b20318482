import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";
import { createTaskStore } from "./task-store.ts";
import { cancel } from "./task.ts";

/**
 * Ends what a store from a backup has open: what waits is canceled, and what was under way is to be, so that the studio looks
 * for it at its engine and runs nothing again. Its credits come back at the next start. Resolves to how many tasks that were.
 */
export async function endRestoredTasks(store: Store, clock: Clock): Promise<number> {
	const tasks = createTaskStore({ store, clock, onMoved: () => {} });
	let count = 0;
	for await (const { taskId } of tasks.openMarks()) {
		if (await tasks.move(taskId, cancel)) count++;
	}
	return count;
}
