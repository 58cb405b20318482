import { Readable } from "node:stream";
import type { FileContent } from "../../src/services/delivery/media-file.ts";
import type { ResultStore } from "../../src/services/delivery/result-store.ts";

/** Wraps bytes as the content of a stored file. */
export function contentOf(bytes: Uint8Array | string): FileContent {
	const buffer = Buffer.from(bytes);
	return { sizeBytes: buffer.byteLength, readInto: async (target) => target.set(buffer) };
}

export async function readContent(content: FileContent | undefined): Promise<string> {
	return (await bytesOf(content)).toString();
}

export async function bytesOf(content: FileContent | undefined): Promise<Buffer> {
	if (!content) throw new Error("no content");
	const target = Buffer.alloc(content.sizeBytes);
	await content.readInto(target);
	return target;
}

/** Stores bytes as a file of a result. */
export async function storeFile(
	results: Pick<ResultStore, "stage">,
	taskId: string,
	index: number,
	bytes: Uint8Array,
): Promise<void> {
	await using staged = await results.stage(taskId, Readable.from([bytes]));
	await staged.store(index);
}
