import { randomUUID } from "node:crypto";
import type { FileContent } from "../services/delivery/media-file.ts";
import { buildMessageBody, type MessageForm } from "./message-forms.ts";

interface FormFile {
	readonly name: string;
	readonly contentType: string;
}

interface FileWithContent extends FormFile {
	readonly content: FileContent;
}

/** A multipart body in one buffer. */
interface MultipartBody {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
}

interface MultipartForm {
	readonly headers: Readonly<Record<string, string>>;
	/** Returns the bytes before the file at `index`. */
	fileHeader(index: number): Buffer;
	/** Returns the bytes after the last file: the payload, with spaces after its JSON up to `bytesMin`. */
	trailer(payload: object, bytesMin?: number): Buffer;
}

/** Builds `multipart/form-data`: the files first, then the payload. */
export function createMultipartForm(files: readonly FormFile[]): MultipartForm {
	const boundary = `atelier-${randomUUID()}`;
	const fileHeaders = files.map(({ name, contentType }, index) =>
		Buffer.from(
			`${index > 0 ? "\r\n" : ""}--${boundary}\r\ncontent-disposition: form-data; name="files[${index}]"; ` +
				`filename="${escapeFileName(name)}"\r\ncontent-type: ${contentType}\r\n\r\n`,
		),
	);
	return {
		headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
		fileHeader: (index) => fileHeaders[index] ?? Buffer.alloc(0),
		trailer(payload, bytesMin = 0) {
			const payloadPart = Buffer.from(
				`\r\n--${boundary}\r\ncontent-disposition: form-data; name="payload_json"\r\n\r\n${JSON.stringify(payload)}`,
			);
			const close = Buffer.from(`\r\n--${boundary}--\r\n`);
			const spaces = Buffer.alloc(Math.max(0, bytesMin - payloadPart.byteLength - close.byteLength), " ");
			return Buffer.concat([payloadPart, spaces, close]);
		},
	};
}

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

/**
 * Builds the whole body and reads each file directly into it. `FormData` would copy every file once more and stream it
 * in small pieces through the event loop.
 */
async function buildMultipartBody(payload: object, files: readonly FileWithContent[]): Promise<MultipartBody> {
	const form = createMultipartForm(files);
	const trailer = form.trailer(payload);
	const partBytes = files.map(({ content }, index) => form.fileHeader(index).byteLength + content.sizeBytes);
	const body = Buffer.allocUnsafeSlow(partBytes.reduce((sum, bytes) => sum + bytes, trailer.byteLength));
	let offset = 0;
	for (const [index, { content }] of files.entries()) {
		offset += form.fileHeader(index).copy(body, offset);
		await content.readInto(body.subarray(offset, offset + content.sizeBytes));
		offset += content.sizeBytes;
	}
	trailer.copy(body, offset);
	return { headers: form.headers, body };
}

/** Escapes a file name as browsers do. */
function escapeFileName(name: string): string {
	return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
