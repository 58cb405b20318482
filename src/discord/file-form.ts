import { randomUUID } from "node:crypto";
import type { FileContent } from "../services/delivery/media-file.ts";

interface FormFile {
	readonly name: string;
	readonly contentType: string;
	readonly content: FileContent;
}

/** A request's body with files in it, as one piece of memory. */
interface FileForm {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
}

/**
 * `multipart/form-data` written by hand, each file read from the disk to where it is sent from. What a `FormData` costs is
 * another copy of every file, and its way through the event loop in small pieces.
 */
export async function fileForm(payload: object, files: readonly FormFile[]): Promise<FileForm> {
	const boundary = `atelier-${randomUUID()}`;
	const heads = files.map(({ name, contentType }, index) =>
		Buffer.from(
			`--${boundary}\r\ncontent-disposition: form-data; name="files[${index}]"; filename="${quoted(name)}"\r\n` +
				`content-type: ${contentType}\r\n\r\n`,
		),
	);
	const rest = Buffer.from(
		`--${boundary}\r\ncontent-disposition: form-data; name="payload_json"\r\n\r\n` +
			`${JSON.stringify(payload)}\r\n--${boundary}--\r\n`,
	);
	const end = Buffer.from("\r\n");
	const sizes = files.map(({ content }, index) => (heads[index]?.byteLength ?? 0) + content.sizeBytes + end.byteLength);
	const body = Buffer.allocUnsafeSlow(sizes.reduce((sum, bytes) => sum + bytes, rest.byteLength));
	let at = 0;
	for (const [index, { content }] of files.entries()) {
		at += heads[index]?.copy(body, at) ?? 0;
		await content.readInto(body.subarray(at, at + content.sizeBytes));
		at += content.sizeBytes;
		at += end.copy(body, at);
	}
	rest.copy(body, at);
	return { headers: { "content-type": `multipart/form-data; boundary=${boundary}` }, body };
}

/** As browsers write a name in a form. */
function quoted(name: string): string {
	return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
