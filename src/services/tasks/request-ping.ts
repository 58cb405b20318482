import { isCancelable } from "./request-cancel.ts";
import type { TaskStore } from "./task-store.ts";

/** A task has a handful of states, so more lost races mean another error. */
const TRIES_MAX = 20;

/** Stores a request for a mention in an open task. Resolves to `false` if the task has ended or does not exist. */
export async function requestPing(tasks: Pick<TaskStore, "load" | "move">, taskId: string): Promise<boolean> {
	for (let tries = 0; tries < TRIES_MAX; tries++) {
		const loaded = await tasks.load(taskId);
		if (!loaded || !isCancelable(loaded.task)) return false;
		if (loaded.task.ping !== undefined) return loaded.task.ping === "requested";
		if (await tasks.move(loaded, { ...loaded.task, ping: "requested" })) return true;
	}
	throw new Error("too many concurrent changes of the task");
}
