import type { Outcome, Task, TaskIn } from "../tasks/task.ts";

/** A task that has ended with a result. */
export type SucceededTask = TaskIn<"delivered" | "withdrawn"> & {
	readonly outcome: Extract<Outcome, { kind: "succeeded" }>;
};

export function hasSucceeded(task: Task): task is SucceededTask {
	return "shown" in task && task.outcome.kind === "succeeded";
}

/** Returns whether the result is in a channel, with its files, for everyone there. */
export function isPublicResult({ reply, shown }: SucceededTask): boolean {
	return !reply.ephemeral && shown.kind === "delivered" && shown.route !== "directMessage" && shown.withFiles;
}

/** Returns the message of a result in a channel; `undefined` for a result that was undelivered or sent as a direct message. */
export function messageIdOf({ shown }: SucceededTask): string | undefined {
	return shown.kind === "delivered" && shown.route !== "directMessage" ? shown.messageId : undefined;
}
