import { isPending, type CancelRequest, type Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

/** A task changes less often than this: more failed writes have another cause. */
const ATTEMPTS_MAX = 20;

/**
 * Changes a task in the store, and retries after a concurrent write. Writes nothing if `change` returns `undefined`. Resolves to the
 * task as it is stored then; `undefined` if it does not exist.
 */
export async function changeTask(
	taskStore: Pick<TaskStore, "load" | "move">,
	taskId: string,
	change: (task: Task) => Task | undefined,
): Promise<Task | undefined> {
	for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
		const loaded = await taskStore.load(taskId);
		if (!loaded) return undefined;
		const changed = change(loaded.task);
		if (!changed) return loaded.task;
		const moved = await taskStore.move(loaded, changed);
		if (moved) return moved.task;
	}
	throw new Error(`Cannot change task ${taskId}: each of ${ATTEMPTS_MAX} writes met a concurrent one.`);
}

/**
 * Stores the first cancel request for a pending task; later ones change nothing. Resolves to the task, which is no longer pending if
 * the request came too late; `undefined` if it does not exist.
 */
export async function requestCancel(
	taskStore: Pick<TaskStore, "load" | "move">,
	taskId: string,
	cancel: CancelRequest,
): Promise<Task | undefined> {
	return await changeTask(taskStore, taskId, (task) =>
		isPending(task) && !task.cancel ? { ...task, cancel } : undefined,
	);
}

/** Stores a request for a ping in a pending task. Resolves to `false` if the member will not be pinged. */
export async function requestPing(taskStore: Pick<TaskStore, "load" | "move">, taskId: string): Promise<boolean> {
	const task = await changeTask(taskStore, taskId, (stored) =>
		isPending(stored) && stored.ping === undefined ? { ...stored, ping: "requested" } : undefined,
	);
	return task !== undefined && isPending(task) && task.ping === "requested";
}
