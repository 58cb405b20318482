import type { CancelRequest, Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

/** What has a result, or a reason why there is none, is not canceled any more. */
const CANCELABLE: ReadonlySet<Task["state"]> = new Set(["created", "reserved", "submitting", "submitted"]);
/** A task has a handful of states: who loses more often than that meets something else. */
const TRIES_MAX = 20;

type CancelVerdict =
	/** It stands in the task now, or did so before. */
	{ readonly kind: "asked"; readonly task: Task } | { readonly kind: "tooLate"; readonly task: Task };

export const isCancelable = ({ state }: Task): boolean => CANCELABLE.has(state);

/**
 * Writes into a task that somebody wants its end. Whoever moves the task sees it there, in this process or another;
 * `undefined` where there is no such task.
 */
export async function requestCancel(
	tasks: Pick<TaskStore, "load" | "move">,
	taskId: string,
	cancel: CancelRequest,
): Promise<CancelVerdict | undefined> {
	for (let tries = 0; tries < TRIES_MAX; tries++) {
		const loaded = await tasks.load(taskId);
		if (!loaded) return undefined;
		const { task } = loaded;
		if (!isCancelable(task)) return { kind: "tooLate", task };
		if (task.cancel) return { kind: "asked", task };
		const moved = await tasks.move(loaded, { ...task, cancel });
		if (moved) return { kind: "asked", task: moved.task };
	}
	throw new Error("a task that moves faster than it can be written");
}
