/** Parses messages from Discord's responses. A success with another body, such as a proxy's page, proves nothing. */
import { z } from "zod";

const Message = z.object({
	id: z.string().regex(/^\d{1,20}$/),
	content: z.string(),
	author: z.object({ id: z.string() }),
	attachments: z.array(z.object({ filename: z.string() })),
});

/** The fields of a message that identify our own. */
export type PostedMessage = Readonly<z.infer<typeof Message>>;

/** The response is a success, but not a message. */
export class NotAMessageError extends Error {
	override readonly name = "NotAMessageError";
}

/** Returns `undefined` unless the response is a message with at least that many files. */
export function messageIn(answer: unknown, filesMin = 0): PostedMessage | undefined {
	const { data } = Message.safeParse(answer);
	return data && data.attachments.length >= filesMin ? data : undefined;
}

export function requireMessage(answer: unknown, filesMin = 0): PostedMessage {
	const message = messageIn(answer, filesMin);
	if (!message) throw new NotAMessageError("Discord's response is not a message");
	return message;
}

/** Throws if the response is not a list. */
export function messagesIn(answer: unknown): readonly PostedMessage[] {
	return z
		.array(z.unknown())
		.parse(answer)
		.flatMap((each) => messageIn(each) ?? []);
}
