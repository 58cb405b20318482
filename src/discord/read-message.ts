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

/** Discord accepted a message without its files. */
export class FilesMissingError extends Error {
	override readonly name = "FilesMissingError";
}

/** Returns the message of a response, which has to have at least that many files. */
export function requireMessage(response: unknown, filesMin = 0): PostedMessage {
	const { data } = Message.safeParse(response);
	if (!data) throw new NotAMessageError("Discord's response is not a message");
	if (data.filenames.length < filesMin) throw new FilesMissingError("Discord's message lacks files");
	return data;
}

/** Throws if the response is not a list. */
export function messagesIn(response: unknown): readonly PostedMessage[] {
	return z
		.array(z.unknown())
		.parse(response)
		.flatMap((each) => Message.safeParse(each).data ?? []);
}
