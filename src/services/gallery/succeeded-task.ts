import type { Outcome, Task, TaskIn } from "../tasks/task.ts";

/** A task that has ended with a result. */
export type SucceededTask = TaskIn<"delivered" | "withdrawn"> & {
	readonly outcome: Extract<Outcome, { kind: "succeeded" }>;
};

export function hasSucceeded(task: Task): task is SucceededTask {
	return "shown" in task && task.outcome.kind === "succeeded";
}

/** Returns whether the result is in a channel, with its files, for everyone there. */
export function isPublicResult(task: SucceededTask): boolean {
	const { reply, shown } = task;
	return !reply.ephemeral && messageIdOf(task) !== undefined && shown.kind === "delivered" && shown.withFiles;
}

/** Returns the message of a result in a channel; `undefined` for a result that was undelivered, deleted, or sent as a direct message. */
export function messageIdOf({ shown, messageDeletedAtMs }: SucceededTask): string | undefined {
	if (messageDeletedAtMs !== undefined) return undefined;
	return shown.kind === "delivered" && shown.route !== "directMessage" ? shown.messageId : undefined;
}
