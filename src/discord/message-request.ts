import { buildMessageBody, type MessageForm } from "./message-forms.ts";
import { buildMultipartBody } from "./multipart.ts";

/** Builds the options of a request that sends a message with its files. The files are read now. */
export async function buildMessageRequest(form: MessageForm) {
	const body = buildMessageBody(form);
	if (form.files.length === 0) return { body };
	return { ...(await buildMultipartBody(body, form.files)), passThroughBody: true };
}

/** Returns the memory that the files of a message take while they are uploaded. */
export function uploadBytesOf({ files }: MessageForm): number {
	return files.reduce((sum, { content }) => sum + content.sizeBytes, 0);
}
