import type { CancelRequest, Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

/** Tasks with a result or a failure can no longer be canceled. */
const CANCELABLE: ReadonlySet<Task["state"]> = new Set(["created", "reserved", "submitting", "submitted"]);
/** A task has a handful of states, so more lost races mean another error. */
const TRIES_MAX = 20;

type CancelVerdict =
	/** The cancel request is stored, now or by an earlier call. */
	{ readonly kind: "asked"; readonly task: Task } | { readonly kind: "tooLate"; readonly task: Task };

export const isCancelable = ({ state }: Task): boolean => CANCELABLE.has(state);

/**
 * Stores a cancellation request in the task, where every process sees it. Resolves to `undefined` if the task does not
 * exist.
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
	throw new Error("too many concurrent changes of the task");
}
