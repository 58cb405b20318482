import type { FinalReply } from "../services/delivery/reply-client.ts";
import type { PostedMessage } from "./read-message.ts";

interface Looked {
	readonly applicationId: string;
	readonly answer: FinalReply;
	/** What the message says where it has no files to know it by. */
	readonly text: string;
}

/** The answer among a channel's messages, if it is there already: by the bot, after the command, with the same files or words. */
export function findPostedReply(
	posted: readonly PostedMessage[],
	{ applicationId, answer, text }: Looked,
): PostedMessage | undefined {
	return posted.find(
		(message) =>
			message.author.id === applicationId &&
			BigInt(message.id) >= BigInt(answer.nonce) &&
			showsReply(message, answer, [text]),
	);
}

/** Whether a message has the answer's files, or where there are none says what it says, in one of its wordings. */
export function showsReply(
	{ content, attachments }: Pick<PostedMessage, "content" | "attachments">,
	{ files }: Pick<FinalReply, "files">,
	texts: readonly string[],
): boolean {
	const names = files.map(({ name }) => name).toSorted();
	const found = attachments.map(({ filename }) => filename).toSorted();
	if (found.length !== names.length || found.some((name, index) => name !== names[index])) return false;
	// The names have the task's id in them; words alone have to be the very same.
	return names.length > 0 || texts.some((text) => content === text.trim());
}
