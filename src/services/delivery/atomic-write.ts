/** Writes a file under a temporary name, syncs it, and renames it: its final name always leads to the whole of it. */
import { open, rename, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { isErrno } from "@atelier/common/is-errno";

/** Pieces as they come from a line are small; written one by one they cost more than what is in them. */
const BATCH_BYTES = 256 * 1024;
/** With more under way, the line waits for the disk. */
const BATCHES_AT_ONCE = 4;
/** A sync of less would put off the last one by more than it takes off it. */
const SYNC_BYTES = 1024 * 1024;

/** A file that is there to be read. */
interface Written {
	readonly sizeBytes: number;
	/** Settles when it is on the disk, and not only on its way there; until then a machine that stops has it not. */
	readonly synced: Promise<void>;
}

/**
 * Writes what comes to a new file. While the rest still comes, what came is written, and what is written is synced, so that
 * little is left to wait for at the end; and while that is waited for, the file can be read.
 */
export async function writeFileAtomically(
	opening: Promise<FileHandle>,
	content: AsyncIterable<Uint8Array>,
): Promise<Written> {
	// The first bytes are asked for meanwhile.
	opening.catch(() => {});
	const writes: Promise<void>[] = [];
	let batch: Uint8Array[] = [];
	let [batchBytes, sizeBytes, unsyncedBytes] = [0, 0, 0];
	let syncing: Promise<void> | undefined;

	/** A failure stays: the system tells it once, and the next sync would know nothing of what is lost. */
	async function syncNow(file: FileHandle): Promise<void> {
		unsyncedBytes = 0;
		await file.datasync();
		syncing = undefined;
	}

	/** At most one sync at a time, of whatever is there when it begins. */
	function syncEarly(file: FileHandle): void {
		if (syncing || unsyncedBytes < SYNC_BYTES) return;
		syncing = syncNow(file);
		syncing.catch(() => {});
	}

	/** Each has its place in the file, so that none has to wait until this process hears of the one before it. */
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
		// It is waited for later; a failure until then is not one that nobody heard of.
		writing.catch(() => {});
		writes.push(writing);
	}

	async function sync(file: FileHandle): Promise<void> {
		try {
			await syncing;
			await file.sync();
		} finally {
			// Nobody waits for it: what has been synced is there.
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
	// Whoever keeps the file waits for it; whoever does not has no use for its failure.
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
export async function renameAtomically(from: string, to: string): Promise<void> {
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
