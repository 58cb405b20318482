/** Files that survive a crash of the machine: written and synced under a temporary name, then renamed to the final one. */
import { open, rename, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { isErrno } from "@atelier/common/is-errno";

/** Chunks from the network are small; a write of each would cost more than its content. */
const BATCH_BYTES = 256 * 1024;

/** A complete file that can be read. */
interface WrittenFile {
	readonly sizeBytes: number;
	/** Resolves once the file is synced. Before that, a crash of the machine loses it. */
	readonly synced: Promise<void>;
}

/**
 * Writes a stream to a new file, and closes it. Resolves while the sync still runs, so that the caller can read the file
 * meanwhile.
 */
export async function writeSyncedFile(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
	let sizeBytes = 0;
	try {
		for await (const batch of batchesOf(content)) {
			await writeBatch(file, batch);
			sizeBytes += byteLengthOf(batch);
		}
	} catch (error) {
		await file.close();
		throw error;
	}
	const synced = syncAndClose(file);
	// Awaited only by a caller that keeps the file.
	synced.catch(() => {});
	return { sizeBytes, synced };
}

async function* batchesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Uint8Array[]> {
	let batch: Uint8Array[] = [];
	for await (const chunk of content) {
		batch.push(chunk);
		if (byteLengthOf(batch) < BATCH_BYTES) continue;
		yield batch;
		batch = [];
	}
	if (batch.length > 0) yield batch;
}

function byteLengthOf(batch: readonly Uint8Array[]): number {
	return batch.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

async function writeBatch(file: FileHandle, batch: readonly Uint8Array[]): Promise<void> {
	const { bytesWritten } = await file.writev(batch);
	// A full disk accepts the part that fits, and reports no error for it.
	const batchBytes = byteLengthOf(batch);
	if (bytesWritten < batchBytes) {
		const error = new Error(`ENOSPC: only ${bytesWritten} of ${batchBytes} bytes were written`);
		throw Object.assign(error, { code: "ENOSPC" });
	}
}

async function syncAndClose(file: FileHandle): Promise<void> {
	try {
		await file.sync();
	} finally {
		// The close is not awaited: the synced bytes are safe.
		file.close().catch(() => {});
	}
}

/** Returns whether a write failed because the disk is full, or the disk quota of the process is used up. */
export function isDiskFull(error: unknown): error is Error {
	return isErrno(error, "ENOSPC") || isErrno(error, "EDQUOT");
}

/** Renames a synced file, and replaces the file that has the new name. */
export async function renameDurably(from: string, to: string): Promise<void> {
	await rename(from, to);
	// The new name survives a crash only once its folder is synced.
	const folder = await open(dirname(to));
	try {
		await folder.sync();
	} finally {
		folder.close().catch(() => {});
	}
}

/** Handles the rejection of a file operation: a missing file becomes `undefined`, every other error is thrown again. */
export function undefinedIfMissing(error: unknown): undefined {
	if (isErrno(error, "ENOENT")) return undefined;
	throw error;
}
