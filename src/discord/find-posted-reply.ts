import type { FinalReply } from "../services/delivery/final-reply.ts";
import type { PostedMessage } from "./read-message.ts";

interface PostedReplyCriteria {
	readonly botUserId: string;
	readonly finalReply: FinalReply;
	/** The text that was sent; it identifies a reply without files. */
	readonly text: string;
}

/** Finds the reply among a channel's messages: by the bot, after the command, with the same files or text. */
export function findPostedReply(
	messages: readonly PostedMessage[],
	{ botUserId, finalReply, text }: PostedReplyCriteria,
): PostedMessage | undefined {
	return messages.find(
		(message) =>
			message.authorId === botUserId &&
			BigInt(message.id) >= BigInt(finalReply.taskId) &&
			showsReply(message, finalReply, [text]),
	);
}

/** Returns whether a message has the files of the reply or, without files, one of its texts. */
export function showsReply(
	{ text: shownText, filenames }: Pick<PostedMessage, "text" | "filenames">,
	{ files }: Pick<FinalReply, "files">,
	texts: readonly string[],
): boolean {
	const names = files.map(({ name }) => name).toSorted();
	const found = filenames.toSorted();
	if (found.length !== names.length || found.some((name, index) => name !== names[index])) return false;
	// File names contain the task id; text alone has to be equal.
	return names.length > 0 || texts.some((text) => shownText === text.trim());
}
