/** Stores files by content: the hash is the only name on disk, so that no input ever becomes a path. */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const PARTIAL_PREFIX = "unfinished-";

export type MediaStore = ReturnType<typeof createMediaStore>;

export function createMediaStore(folder: string) {
	// Removes incomplete files of a killed process.
	const cleanup = removePartial(folder);
	const pathOf = (hash: string): string => {
		if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error("invalid hash");
		return join(folder, hash);
	};
	return {
		/** Resolves when the complete file is stored under its hash. */
		async put(hash: string, bytes: Buffer): Promise<void> {
			const existing = await stat(pathOf(hash)).catch(() => undefined);
			if (existing?.size === bytes.byteLength) return;
			await cleanup;
			await mkdir(folder, { recursive: true });
			// Renamed when complete: a file under its hash is never partial.
			const unfinished = join(folder, `${PARTIAL_PREFIX}${randomUUID()}`);
			await writeFile(unfinished, bytes);
			await rename(unfinished, pathOf(hash));
		},
		remove: (hash: string): Promise<void> => rm(pathOf(hash), { force: true }),
		folder: resolve(folder),
	};
}

async function removePartial(folder: string): Promise<void> {
	const names = await readdir(folder).catch((): string[] => []);
	const unfinished = names.filter((name) => name.startsWith(PARTIAL_PREFIX));
	await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })));
}

/** The uploaded bytes with their content hash. */
export interface UploadedContent {
	readonly bytes: Buffer;
	/** SHA-256 in hexadecimal. */
	readonly hash: string;
}

/** Reads the stream to its end; `undefined` if it was larger than allowed. Hashes while reading. */
export async function readUpload(
	stream: AsyncIterable<Buffer>,
	bytesMax: number,
): Promise<UploadedContent | undefined> {
	const chunks: Buffer[] = [];
	const hash = createHash("sha256");
	let bytes = 0;
	for await (const chunk of stream) {
		bytes += chunk.byteLength;
		if (bytes > bytesMax) continue;
		chunks.push(chunk);
		hash.update(chunk);
	}
	return bytes <= bytesMax ? { bytes: Buffer.concat(chunks, bytes), hash: hash.digest("hex") } : undefined;
}
