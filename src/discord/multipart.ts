import { randomUUID } from "node:crypto";
import type { FileContent } from "../services/delivery/media-file.ts";

export interface FormFile {
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

interface MultipartParts {
	readonly headers: Readonly<Record<string, string>>;
	/** The bytes before the file at `index`. */
	head(index: number): Buffer;
	/** The bytes after the last file. Spaces after the JSON fill them up to `bytesMin`. */
	end(payload: object, bytesMin?: number): Buffer;
}

/** Builds `multipart/form-data`: the files first, then the payload. */
export function multipartOf(files: readonly FormFile[]): MultipartParts {
	const boundary = `atelier-${randomUUID()}`;
	const heads = files.map(({ name, contentType }, index) =>
		Buffer.from(
			`${index > 0 ? "\r\n" : ""}--${boundary}\r\ncontent-disposition: form-data; name="files[${index}]"; ` +
				`filename="${quoted(name)}"\r\ncontent-type: ${contentType}\r\n\r\n`,
		),
	);
	return {
		headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
		head: (index) => heads[index] ?? Buffer.alloc(0),
		end(payload, bytesMin = 0) {
			const start = Buffer.from(
				`\r\n--${boundary}\r\ncontent-disposition: form-data; name="payload_json"\r\n\r\n${JSON.stringify(payload)}`,
			);
			const close = Buffer.from(`\r\n--${boundary}--\r\n`);
			const spaces = Buffer.alloc(Math.max(0, bytesMin - start.byteLength - close.byteLength), " ");
			return Buffer.concat([start, spaces, close]);
		},
	};
}

/**
 * Builds the whole body and reads each file directly into it. `FormData` would copy every file once more and stream it
 * in small pieces through the event loop.
 */
export async function fileMultipart(payload: object, files: readonly FileWithContent[]): Promise<MultipartBody> {
	const form = multipartOf(files);
	const end = form.end(payload);
	const partBytes = files.map(({ content }, index) => form.head(index).byteLength + content.sizeBytes);
	const body = Buffer.allocUnsafeSlow(partBytes.reduce((sum, bytes) => sum + bytes, end.byteLength));
	let offset = 0;
	for (const [index, { content }] of files.entries()) {
		offset += form.head(index).copy(body, offset);
		await content.readInto(body.subarray(offset, offset + content.sizeBytes));
		offset += content.sizeBytes;
	}
	end.copy(body, offset);
	return { headers: form.headers, body };
}

/** Escapes a file name as browsers do. */
function quoted(name: string): string {
	return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
