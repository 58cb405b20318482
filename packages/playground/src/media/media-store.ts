/** Stores the files of attachments. Their ids are the only names on disk, so that no input ever becomes a path. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

export type MediaStore = ReturnType<typeof createMediaStore>;

export function createMediaStore(folder: string) {
	return {
		/** Resolves when the complete file is stored: an attachment whose record exists has its file. */
		async put(id: string, bytes: Buffer): Promise<void> {
			await mkdir(folder, { recursive: true });
			await writeFile(join(folder, id), bytes);
		},
		remove: (id: string): Promise<void> => rm(join(folder, id), { force: true }),
		folder: resolve(folder),
	};
}

/** Reads the stream to its end; `undefined` if it was larger than allowed. */
export async function readUpload(stream: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.byteLength;
		if (bytes <= bytesMax) chunks.push(chunk);
	}
	return bytes <= bytesMax ? Buffer.concat(chunks, bytes) : undefined;
}
