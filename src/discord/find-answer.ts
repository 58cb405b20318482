import type { Answer } from "../services/delivery/messenger.ts";

/** As much of a message of Discord's as it takes to know our own. */
export interface PostedMessage {
	readonly id: string;
	readonly content: string;
	readonly author: { readonly id: string };
	readonly attachments: readonly { readonly filename: string }[];
}

interface Looked {
	readonly applicationId: string;
	readonly answer: Answer;
	/** What the message says where it has no files to know it by. */
	readonly text: string;
}

/** The answer among a channel's messages, if it is there already: by the bot, after the command, with the same files or words. */
export function findAnswer(
	posted: readonly PostedMessage[],
	{ applicationId, answer, text }: Looked,
): PostedMessage | undefined {
	const names = answer.files.map(({ name }) => name).toSorted();
	return posted.find(({ id, author, content, attachments }) => {
		if (author.id !== applicationId || BigInt(id) < BigInt(answer.nonce)) return false;
		const found = attachments.map(({ filename }) => filename).toSorted();
		if (found.length !== names.length || found.some((name, index) => name !== names[index])) return false;
		// The names have the task's id in them; words alone have to be the very same.
		return names.length > 0 || content === text.trim();
	});
}
