import { isPending, type CancelRequest, type Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

/** A pending task changes less often than this: more failed writes have another cause. */
const ATTEMPTS_MAX = 20;

/**
 * Changes a pending task in the store, and retries after a concurrent write. Writes nothing if the task is no longer pending, or if
 * `change` returns `undefined`. Resolves to the task as it is stored then; `undefined` if it does not exist.
 */
async function changePendingTask(
	taskStore: Pick<TaskStore, "load" | "move">,
	taskId: string,
	change: (task: Task) => Task | undefined,
): Promise<Task | undefined> {
	for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
		const loaded = await taskStore.load(taskId);
		if (!loaded) return undefined;
		const { task } = loaded;
		const changed = isPending(task) ? change(task) : undefined;
		if (!changed) return task;
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
	return await changePendingTask(taskStore, taskId, (task) => (task.cancel ? undefined : { ...task, cancel }));
}

/** Stores a request for a ping in a pending task. Resolves to `false` if the member will not be pinged. */
export async function requestPing(taskStore: Pick<TaskStore, "load" | "move">, taskId: string): Promise<boolean> {
	const task = await changePendingTask(taskStore, taskId, (pending) =>
		pending.ping === undefined ? { ...pending, ping: "requested" } : undefined,
	);
	return task !== undefined && isPending(task) && task.ping === "requested";
}
