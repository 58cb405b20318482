import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";
import { createTaskStore } from "./task-store.ts";
import { cancel } from "./task.ts";

/**
 * Ends the open tasks of a restored store: cancels waiting tasks, and marks running ones for cancellation, so that the
 * studio looks for them at their engine and runs nothing twice. Credits return at the next start. Resolves to the
 * number of tasks.
 */
export async function endRestoredTasks(store: Store, clock: Clock): Promise<number> {
	const tasks = createTaskStore({ store, clock, onMoved: () => {} });
	let count = 0;
	for await (const { taskId } of tasks.openMarks()) {
		if (await tasks.move(taskId, cancel)) count++;
	}
	return count;
}
