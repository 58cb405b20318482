/** Parses messages from Discord's responses. A success with another body, such as a proxy's page, proves nothing. */
import { z } from "zod";
import { filenameOf, mediaIn, textsIn } from "./message-contents.ts";

const Message = z
	.object({
		id: z.string().regex(/^\d{1,20}$/),
		content: z.string(),
		author: z.object({ id: z.string() }),
		attachments: z.array(z.object({ filename: z.string() })),
		components: z.unknown().optional(),
	})
	.transform(({ id, content, author, attachments, components }) => ({
		id,
		authorId: author.id,
		text: [content, ...textsIn(components)].join("\n").trim(),
		filenames: [...attachments.map(({ filename }) => filename), ...mediaIn(components).map(filenameOf)],
	}));

/** The fields of a message that identify our own. */
export type PostedMessage = Readonly<z.infer<typeof Message>>;

/** The response is a success, but not a message. */
export class NotAMessageError extends Error {
	override readonly name = "NotAMessageError";
}

/** Returns `undefined` unless the response is a message with at least that many files. */
export function messageIn(response: unknown, filesMin = 0): PostedMessage | undefined {
	const { data } = Message.safeParse(response);
	return data && data.filenames.length >= filesMin ? data : undefined;
}

export function requireMessage(response: unknown, filesMin = 0): PostedMessage {
	const message = messageIn(response, filesMin);
	if (!message) throw new NotAMessageError("Discord's response is not a message");
	return message;
}

/** Throws if the response is not a list. */
export function messagesIn(response: unknown): readonly PostedMessage[] {
	return z
		.array(z.unknown())
		.parse(response)
		.flatMap((each) => messageIn(each) ?? []);
}
