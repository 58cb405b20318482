/** Files that survive a crash of the machine: written and synced under a temporary name, then renamed to the final one. */
import { createWriteStream } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { isErrno } from "@atelier/common/is-errno";

/** The stream writes what it buffers at once: chunks from the network are small, and a write of each would cost more than its content. */
const BUFFER_BYTES = 512 * 1024;

/** A complete file that can be read. */
interface WrittenFile {
	readonly sizeBytes: number;
	/** Resolves once the file is synced. Before that, a crash of the machine loses it. */
	readonly synced: Promise<void>;
}

/**
 * Writes a stream to a new file. Resolves while the sync still runs, so that the caller can read the file meanwhile. Rejects once
 * the file is closed, so that the caller can remove it.
 */
export async function writeSyncedFile(path: string, content: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
	const target = createWriteStream(path, { highWaterMark: BUFFER_BYTES });
	try {
		await pipeline(content, target);
	} catch (error) {
		// The stream may fail while the file is still being created.
		if (!target.closed) await new Promise<void>((resolve) => target.once("close", resolve));
		throw error;
	}
	const synced = sync(path);
	// Awaited only by a caller that keeps the file.
	synced.catch(() => {});
	return { sizeBytes: target.bytesWritten, synced };
}

async function sync(path: string): Promise<void> {
	const file = await open(path);
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
	await sync(dirname(to));
}

/** Handles the rejection of a file operation: a missing file becomes `undefined`, every other error is thrown again. */
export function undefinedIfMissing(error: unknown): undefined {
	if (isErrno(error, "ENOENT")) return undefined;
	throw error;
}
