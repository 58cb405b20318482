import { messageLink } from "../../i18n/message-param-values.ts";
import { awaitsReply, type Success, type Task, type TaskIn } from "./task.ts";

/** A task that has ended with a result, and whose delivery was attempted. A withdrawn task never has one. */
export type DeliveredResult = TaskIn<"delivered"> & {
	readonly outcome: Success;
};

export function isDeliveredResult(task: Task): task is DeliveredResult {
	return task.state === "delivered" && task.outcome.kind === "succeeded";
}

/** Returns whether everyone in the channel can see the result with its files. */
export function isPublicResult(task: DeliveredResult): boolean {
	return publicMessageIdOf(task) !== undefined && task.shown.kind === "delivered" && task.shown.withFiles;
}

/** Returns whether the message of a public result was deleted. Its post in the showcase may be left, if Discord was away then. */
export function isPartlyDeleted({ reply, messageDeletedAtMs }: DeliveredResult): boolean {
	return messageDeletedAtMs !== undefined && !reply.isEphemeral;
}

/** Returns the id of the message, if everyone in the channel can see it. */
export function publicMessageIdOf(task: Task): string | undefined {
	return task.reply.isEphemeral ? undefined : messageIdOf(task);
}

/** Returns the id of the channel message with the outcome; `undefined` if it was not delivered, deleted, or sent as a direct message. */
export function messageIdOf(task: Task): string | undefined {
	if (awaitsReply(task) || task.messageDeletedAtMs !== undefined) return undefined;
	const { shown } = task;
	return shown.kind === "delivered" && shown.route !== "directMessage" ? shown.messageId : undefined;
}

/** Returns the link to the message with the outcome; to the reply if there is none in the channel. */
export function messageLinkOf(task: Task): string {
	const { guildId, reply } = task;
	return messageLink(guildId, reply.channelId, messageIdOf(task) ?? reply.messageId);
}
