import { fileTypeFromBuffer } from "file-type";
import { extensionOf } from "./transcode/embeddable-types.ts";
import type { Upload } from "./reply-client.ts";

/** Contains the signature of a file and the first boxes of an MP4. */
const HEAD_BYTES = 4100;

/**
 * Passes a file through during its download, and writes it to an upload if its first bytes show a type that Discord
 * displays. The complete file decides later whether the upload is committed or dropped.
 */
export async function* streamUpload(
	content: AsyncIterable<Uint8Array>,
	start: (contentType: string, extension: string) => Upload | undefined,
): AsyncGenerator<Uint8Array> {
	let head: Buffer | undefined = Buffer.alloc(0);
	let upload: Upload | undefined;
	let isWhole = false;
	const startWith = async (bytes: Buffer): Promise<void> => {
		head = undefined;
		const contentType = (await fileTypeFromBuffer(bytes))?.mime;
		const extension = contentType && extensionOf(contentType);
		// An MP4 with its index at the end is always rewritten.
		const isRewritten =
			extension === "mp4" && bytes.toString("latin1", bytes.readUInt32BE(0) + 4).slice(0, 4) !== "moov";
		if (contentType && extension && !isRewritten) upload = start(contentType, extension);
		upload?.write(bytes);
	};
	try {
		for await (const chunk of content) {
			upload?.write(chunk);
			if (head) head = Buffer.concat([head, chunk]);
			if (head && head.byteLength >= HEAD_BYTES) await startWith(head);
			yield chunk;
		}
		if (head) await startWith(head);
		isWhole = true;
	} finally {
		if (!isWhole) upload?.abort();
	}
}
