import { open, type FileHandle } from "node:fs/promises";

/** Pieces as they come from a line are small; written one by one they cost more than what is in them. */
const BATCH_BYTES = 256 * 1024;
/** Beyond this the line waits for the disk. */
const HELD_BYTES_MAX = 1024 * 1024;
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
export async function writeDurably(path: string, content: AsyncIterable<Uint8Array>): Promise<Written> {
	// The first bytes are asked for meanwhile.
	const opening = open(path, "w");
	let sizeBytes = 0;
	let batch: Uint8Array[] = [];
	let batchBytes = 0;
	let unsyncedBytes = 0;
	let isWriting = false;
	let writing: Promise<unknown> = opening;
	let syncing: Promise<void> | undefined;
	// Both are waited for later; a failure until then is not one that nobody heard of.
	opening.catch(() => {});

	/** At most one sync at a time, of whatever is there when it begins. */
	function syncEarly(file: FileHandle): void {
		if (syncing || unsyncedBytes < SYNC_BYTES) return;
		unsyncedBytes = 0;
		syncing = file.datasync().finally(() => (syncing = undefined));
		syncing.catch(() => {});
	}

	async function writeBatch(): Promise<FileHandle> {
		const [chunks, bytes] = [batch, batchBytes];
		[batch, batchBytes] = [[], 0];
		isWriting = true;
		const file = await opening;
		await writeAll(file, chunks, bytes);
		isWriting = false;
		unsyncedBytes += bytes;
		return file;
	}

	function beginBatch(): void {
		writing = writeBatch().then(syncEarly);
		writing.catch(() => {});
	}

	async function sync(file: FileHandle): Promise<void> {
		try {
			await syncing;
			await file.sync();
		} finally {
			await file.close();
		}
	}
	try {
		for await (const chunk of content) {
			batch.push(chunk);
			batchBytes += chunk.byteLength;
			sizeBytes += chunk.byteLength;
			if (batchBytes >= HELD_BYTES_MAX) await writing;
			if (batchBytes >= BATCH_BYTES && !isWriting) beginBatch();
		}
		await writing;
		if (batchBytes > 0) await writeBatch();
	} catch (error) {
		await writing.catch(() => {});
		await syncing?.catch(() => {});
		await (await opening.catch(() => undefined))?.close();
		throw error;
	}
	const synced = sync(await opening);
	// Whoever keeps the file waits for it; whoever does not has no use for its failure.
	synced.catch(() => {});
	return { sizeBytes, synced };
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], wantedBytes: number): Promise<void> {
	const { bytesWritten } = await file.writev(chunks);
	// A disk that takes less than it was given is one that is full.
	if (bytesWritten < wantedBytes) throw new Error(`only ${bytesWritten} of ${wantedBytes} bytes were written`);
}
