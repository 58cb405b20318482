import type { Outcome, Task, TaskIn } from "../tasks/task.ts";

/** A task with a result. */
export type MadeTask = TaskIn<"delivered" | "withdrawn"> & {
	readonly outcome: Extract<Outcome, { kind: "succeeded" }>;
};

export function isMade(task: Task): task is MadeTask {
	return "shown" in task && task.outcome.kind === "succeeded";
}

/** Returns whether the result is in a channel, with its files, for everyone there. */
export function isPublic({ reply, shown }: MadeTask): boolean {
	return !reply.ephemeral && shown.kind === "delivered" && shown.route !== "directMessage" && shown.withFiles;
}

/** The message of a public result. `undefined` for a result that was not delivered, or directly. */
export function messageIdOf({ shown }: MadeTask): string | undefined {
	return shown.kind === "delivered" && shown.route !== "directMessage" ? shown.messageId : undefined;
}
