import type { FinalReply } from "../services/delivery/reply-client.ts";
import type { PostedMessage } from "./read-message.ts";

interface SearchResult {
	readonly applicationId: string;
	readonly answer: FinalReply;
	/** Identifies a message without files. */
	readonly text: string;
}

/** Finds the reply among a channel's messages: by the bot, after the command, with the same files or text. */
export function findPostedReply(
	posted: readonly PostedMessage[],
	{ applicationId, answer, text }: SearchResult,
): PostedMessage | undefined {
	return posted.find(
		(message) =>
			message.author.id === applicationId &&
			BigInt(message.id) >= BigInt(answer.nonce) &&
			showsReply(message, answer, [text]),
	);
}

/** Returns whether a message has the files of the reply or, without files, one of its texts. */
export function showsReply(
	{ content, attachments }: Pick<PostedMessage, "content" | "attachments">,
	{ files }: Pick<FinalReply, "files">,
	texts: readonly string[],
): boolean {
	const names = files.map(({ name }) => name).toSorted();
	const found = attachments.map(({ filename }) => filename).toSorted();
	if (found.length !== names.length || found.some((name, index) => name !== names[index])) return false;
	// File names contain the task id; text alone has to be equal.
	return names.length > 0 || texts.some((text) => content === text.trim());
}
