/** Files that survive a crash of the machine: written and synced under a temporary name, then renamed to the final one. */
import { createWriteStream } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { isErrno } from "@atelier/common/is-errno";

/** The stream writes what it buffers at once: chunks from the network are small, and a write of each would cost more than its content. */
const BUFFER_BYTES = 512 * 1024;

/**
 * Writes a stream to a new file and syncs it. Resolves to its size. Rejects once the file is closed, so that the caller can remove it.
 */
export async function writeSyncedFile(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
	const target = createWriteStream(path, { highWaterMark: BUFFER_BYTES, flush: true });
	try {
		await pipeline(content, target);
	} catch (error) {
		// The stream may fail while the file is still being created.
		if (!target.closed) await new Promise<void>((resolve) => target.once("close", resolve));
		throw error;
	}
	return target.bytesWritten;
}

/** Returns whether a write failed because the disk is full, or the disk quota of the process is used up. */
export function isDiskFull(error: unknown): error is Error {
	return isErrno(error, "ENOSPC") || isErrno(error, "EDQUOT");
}

/** Renames a synced file, and replaces the file that has the new name. */
export async function renameDurably(from: string, to: string): Promise<void> {
	await rename(from, to);
	// The new name survives a crash only once its folder is synced.
	await using folder = await open(dirname(to));
	await folder.sync();
}

/** Handles the rejection of a file operation: a missing file becomes `undefined`, every other error is thrown again. */
export function undefinedIfMissing(error: unknown): undefined {
	if (isErrno(error, "ENOENT")) return undefined;
	throw error;
}
