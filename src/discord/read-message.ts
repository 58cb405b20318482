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

/** The response is a success, but has another body than Discord documents. */
export class UnexpectedBodyError extends Error {
	override readonly name = "UnexpectedBodyError";
}

/** Throws an `UnexpectedBodyError` unless the body has this form. */
export function requireBody<Body>(schema: z.ZodType<Body>, response: unknown): Body {
	const { data, success } = schema.safeParse(response);
	if (!success) throw new UnexpectedBodyError("Discord's response has an unexpected body");
	return data;
}

/** Returns `undefined` if the response is not a message. */
export function messageIn(response: unknown): PostedMessage | undefined {
	return Message.safeParse(response).data;
}

export function requireMessage(response: unknown): PostedMessage {
	return requireBody(Message, response);
}

/** Throws if the response is not a list. */
export function messagesIn(response: unknown): readonly PostedMessage[] {
	return requireBody(z.array(z.unknown()), response).flatMap((each) => messageIn(each) ?? []);
}
