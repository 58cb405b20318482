import { fileTypeFromBuffer } from "file-type";
import { extensionOf } from "./detection/embeddable-types.ts";
import { addedBytesOf, applyPlan, UNSUPPORTED, type MarkPlan } from "./provenance/file-edits.ts";
import { planMarkOfHead } from "./provenance/plan-file-edits.ts";
import type { ProvenanceMark } from "./provenance/xmp.ts";

/** Contains the signature of a file, the first boxes of an MP4, and the metadata of most images. */
const HEAD_BYTES = 32 * 1024;

/** Receives a file during its download. */
interface Upload {
	write(bytes: Uint8Array): void;
	abort(): void;
}

/** Starts an upload of a file that grows by the `addedBytes` of its mark. Returns `undefined` if it cannot be uploaded now. */
type StartUpload = (contentType: string, extension: string, addedBytes: number) => Upload | undefined;

/**
 * Passes a file through during its download, and writes it to an upload if its first bytes show a type that Discord
 * displays. With `mark`, an uploaded file gets its mark on the way. The complete file decides later whether the upload is completed or
 * aborted.
 */
export async function* uploadWhileDownloading(
	content: AsyncIterable<Uint8Array>,
	start: StartUpload,
	mark?: ProvenanceMark,
): AsyncGenerator<Uint8Array> {
	let upload: Upload | undefined;
	let isComplete = false;
	const chunks = content[Symbol.asyncIterator]();
	try {
		const head = await readHead(chunks);
		const started = await startIfDisplayed(head, start, mark);
		upload = started?.upload;
		const file = concatenate(head.bytes, chunks);
		for await (const chunk of applyPlan(file, started?.plan ?? UNSUPPORTED, () => upload?.abort())) {
			upload?.write(chunk);
			yield chunk;
		}
		isComplete = true;
	} finally {
		if (!isComplete) upload?.abort();
		// Ends the download of a reader that stops early.
		await chunks.return?.();
	}
}

async function* concatenate(head: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
	yield head;
	for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** The first bytes of a file. */
interface FileHead {
	readonly bytes: Buffer;
	/** True if the file has no more bytes. */
	readonly isWholeFile: boolean;
}

async function readHead(chunks: AsyncIterator<Uint8Array>): Promise<FileHead> {
	const parts: Uint8Array[] = [];
	let readBytes = 0;
	while (readBytes < HEAD_BYTES) {
		const next = await chunks.next();
		if (next.done) return { bytes: Buffer.concat(parts), isWholeFile: true };
		parts.push(next.value);
		readBytes += next.value.byteLength;
	}
	return { bytes: Buffer.concat(parts), isWholeFile: false };
}

/** Starts the upload of a type that Discord displays. Resolves to `undefined` for a file that is not uploaded during its download. */
async function startIfDisplayed(
	{ bytes, isWholeFile }: FileHead,
	start: StartUpload,
	mark: ProvenanceMark | undefined,
): Promise<{ readonly upload: Upload; readonly plan: MarkPlan } | undefined> {
	const contentType = (await fileTypeFromBuffer(bytes))?.mime;
	const extension = contentType && extensionOf(contentType);
	if (!contentType || !extension) return undefined;
	// An MP4 with its index at the end is rewritten after the download.
	if (extension === "mp4" && secondBoxOf(bytes) !== "moov") return undefined;
	const plan = mark ? await planMarkOfHead(contentType, bytes, { isWholeFile, mark }) : UNSUPPORTED;
	if (!plan) return undefined;
	const upload = start(contentType, extension, addedBytesOf(plan));
	return upload && { upload, plan };
}

/** Returns the type of the second box of an MP4, which is `moov` if the index is at the start. */
function secondBoxOf(head: Buffer): string {
	const secondBoxAt = head.readUInt32BE(0);
	return head.toString("latin1", secondBoxAt + 4, secondBoxAt + 8);
}
