import { retryChange } from "@atelier/store/retry-change";
import { isPending, type CancelRequest, type Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

/**
 * Changes a task in the store, and retries after a concurrent write. Writes nothing if `change` returns `undefined`. Resolves to the
 * task as it is stored then; `undefined` if it does not exist.
 */
export async function changeTask(
	taskStore: Pick<TaskStore, "load" | "move">,
	taskId: string,
	change: (task: Task) => Task | undefined,
): Promise<Task | undefined> {
	return await retryChange(`task ${taskId}`, async () => {
		const loaded = await taskStore.load(taskId);
		if (!loaded) return undefined;
		const changed = change(loaded.task);
		if (!changed) return loaded.task;
		return (await taskStore.move(loaded, changed))?.task ?? "conflict";
	});
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
