import { fileTypeFromBuffer } from "file-type";
import { extensionOf } from "./transcode/embeddable-types.ts";
import { applyPlan, applyTail } from "./provenance/mark-edits.ts";
import { planMarkOfHead, type StreamPlan } from "./provenance/plan-mark.ts";
import type { MediaMark } from "./provenance/xmp.ts";
import type { Upload } from "./reply-client.ts";

/** Contains the signature of a file, the first boxes of an MP4, and the metadata of most images. */
const HEAD_BYTES = 32 * 1024;

/** Starts an upload. The mark adds `addedBytes` to the file on the way. */
type StartUpload = (contentType: string, extension: string, addedBytes: number) => Upload | undefined;

/**
 * Passes a file through during its download, and writes it to an upload if its first bytes show a type that Discord
 * displays. An uploaded file gets its mark on the way. The complete file decides later whether the upload is committed or
 * dropped.
 */
export async function* streamUpload(
	content: AsyncIterable<Uint8Array>,
	start: StartUpload,
	mark?: MediaMark,
): AsyncGenerator<Uint8Array> {
	let upload: Upload | undefined;
	let isComplete = false;
	const chunks = content[Symbol.asyncIterator]();
	try {
		const { head, isEnd } = await readHead(chunks);
		const started = await startUpload(head, isEnd, start, mark);
		upload = started?.upload;
		for await (const chunk of withMark(concatenate(head, chunks), started?.plan, () => upload?.abort())) {
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

function withMark(
	content: AsyncIterable<Uint8Array>,
	plan: StreamPlan | undefined,
	onConflict: () => void,
): AsyncIterable<Uint8Array> {
	if (!plan) return content;
	return plan.kind === "tail" ? applyTail(content, plan.tail, onConflict) : applyPlan(content, plan.plan);
}

async function readHead(
	chunks: AsyncIterator<Uint8Array>,
): Promise<{ readonly head: Buffer; readonly isEnd: boolean }> {
	const parts: Uint8Array[] = [];
	let readBytes = 0;
	while (readBytes < HEAD_BYTES) {
		const next = await chunks.next();
		if (next.done) return { head: Buffer.concat(parts), isEnd: true };
		parts.push(next.value);
		readBytes += next.value.byteLength;
	}
	return { head: Buffer.concat(parts), isEnd: false };
}

/** Starts the upload; `undefined` for a file that is not uploaded during its download. */
async function startUpload(
	head: Buffer,
	isEnd: boolean,
	start: StartUpload,
	mark: MediaMark | undefined,
): Promise<{ readonly upload: Upload; readonly plan: StreamPlan | undefined } | undefined> {
	const contentType = (await fileTypeFromBuffer(head))?.mime;
	const extension = contentType && extensionOf(contentType);
	if (!contentType || !extension) return undefined;
	// An MP4 with its index at the end is always rewritten.
	const isRewritten = extension === "mp4" && head.toString("latin1", head.readUInt32BE(0) + 4).slice(0, 4) !== "moov";
	if (isRewritten) return undefined;
	const plan = mark && (await planMarkOfHead(contentType, head, { isEnd, mark }));
	if (mark && !plan) return undefined;
	const upload = start(contentType, extension, plan?.addedBytes ?? 0);
	return upload && { upload, plan };
}
