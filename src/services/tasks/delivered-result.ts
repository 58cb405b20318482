import type { Success, Task, TaskIn } from "./task.ts";

/** A task that has ended with a result, and whose delivery was attempted. A withdrawn task never has one. */
export type DeliveredResult = TaskIn<"delivered"> & {
	readonly outcome: Success;
};

export function isDeliveredResult(task: Task): task is DeliveredResult {
	return task.state === "delivered" && task.outcome.kind === "succeeded";
}

/** Returns whether everyone in the channel can see the result with its files. */
export function isPublicResult(task: DeliveredResult): boolean {
	const { reply, shown } = task;
	return !reply.isEphemeral && messageIdOf(task) !== undefined && shown.kind === "delivered" && shown.withFiles;
}

/** Returns the id of the channel message with the result; `undefined` if it was not delivered, deleted, or sent as a direct message. */
export function messageIdOf({ shown, messageDeletedAtMs }: DeliveredResult): string | undefined {
	if (messageDeletedAtMs !== undefined) return undefined;
	return shown.kind === "delivered" && shown.route !== "directMessage" ? shown.messageId : undefined;
}
