/** Writes a file under a temporary name, syncs it, and renames it: the final name always leads to a complete file. */
import { open, rename, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { isErrno } from "@atelier/common/is-errno";

/** Chunks from the network are small; single writes would cost more than their content. */
const BATCH_BYTES = 256 * 1024;
/** Beyond this number, the download waits for the disk. */
const BATCHES_AT_ONCE = 4;
/** A smaller sync would delay the last one by more than it saves. */
const SYNC_BYTES = 1024 * 1024;

/** A file that can be read. */
interface Written {
	readonly sizeBytes: number;
	/** Resolves once the file is synced. Before that, a crash of the machine loses it. */
	readonly synced: Promise<void>;
}

/**
 * Writes a stream to a new file. Writes and syncs while the rest arrives, so that little is left to wait for at the
 * end. The file can be read while the last sync runs.
 */
export async function writeSyncedFile(
	opening: Promise<FileHandle>,
	content: AsyncIterable<Uint8Array>,
): Promise<Written> {
	// Rejections are handled below; the first bytes are read meanwhile.
	opening.catch(() => {});
	const writes: Promise<void>[] = [];
	let batch: Uint8Array[] = [];
	let [batchBytes, sizeBytes, unsyncedBytes] = [0, 0, 0];
	let syncing: Promise<void> | undefined;

	/** A failure stays: the system reports it once, and the next sync would succeed despite the loss. */
	async function syncNow(file: FileHandle): Promise<void> {
		unsyncedBytes = 0;
		await file.datasync();
		syncing = undefined;
	}

	/** Runs at most one sync at a time, for the bytes written when it begins. */
	function syncEarly(file: FileHandle): void {
		if (syncing || unsyncedBytes < SYNC_BYTES) return;
		syncing = syncNow(file);
		syncing.catch(() => {});
	}

	/** Each batch has its own offset, so batches are written concurrently. */
	async function writeBatch(): Promise<void> {
		const [chunks, bytes, at] = [batch, batchBytes, sizeBytes - batchBytes];
		[batch, batchBytes] = [[], 0];
		const file = await opening;
		await writeAll(file, chunks, at, bytes);
		unsyncedBytes += bytes;
		syncEarly(file);
	}

	function beginBatch(): void {
		const writing = writeBatch();
		// Handled later; avoids an unhandled rejection until then.
		writing.catch(() => {});
		writes.push(writing);
	}

	async function sync(file: FileHandle): Promise<void> {
		try {
			await syncing;
			await file.sync();
		} finally {
			// The close is not awaited: the synced bytes are safe.
			file.close().catch(() => {});
		}
	}
	try {
		for await (const chunk of content) {
			batch.push(chunk);
			batchBytes += chunk.byteLength;
			sizeBytes += chunk.byteLength;
			if (batchBytes < BATCH_BYTES) continue;
			await writes.at(-BATCHES_AT_ONCE);
			beginBatch();
		}
		if (batchBytes > 0) beginBatch();
		await Promise.all(writes);
	} catch (error) {
		await Promise.allSettled(writes);
		await syncing?.catch(() => {});
		await (await opening.catch(() => undefined))?.close();
		throw error;
	}
	const synced = sync(await opening);
	// A caller that keeps the file awaits it; others ignore a failure.
	synced.catch(() => {});
	return { sizeBytes, synced };
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], at: number, bytes: number): Promise<void> {
	const { bytesWritten } = await file.writev(chunks, at);
	// A full disk accepts the part that fits, and reports no error for it.
	if (bytesWritten < bytes) {
		const error = new Error(`ENOSPC: only ${bytesWritten} of ${bytes} bytes were written`);
		throw Object.assign(error, { code: "ENOSPC" });
	}
}

/** Tells whether a file could not be written because the disk is full, or the quota of its user is used up. */
export function isDiskFull(error: unknown): error is Error {
	return isErrno(error, "ENOSPC") || isErrno(error, "EDQUOT");
}

/** Replaces the file that has the new name. */
export async function renameDurably(from: string, to: string): Promise<void> {
	await rename(from, to);
	// The new name is durable only when its folder is.
	const folder = await open(dirname(to));
	try {
		await folder.sync();
	} finally {
		folder.close().catch(() => {});
	}
}

export function undefinedIfMissing(error: unknown): undefined {
	if (isErrno(error, "ENOENT")) return undefined;
	throw error;
}
