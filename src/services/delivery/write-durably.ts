import { open, type FileHandle } from "node:fs/promises";

/** Pieces as they come from a line are small; written one by one they cost more than what is in them. */
const BATCH_BYTES = 1024 * 1024;

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
	const file = await open(path, "w");
	const earlySync = syncWhileWriting(file);
	let sizeBytes = 0;
	let batch: Uint8Array[] = [];
	let batchBytes = 0;
	let writing: Promise<unknown> = Promise.resolve();

	async function flush(isLast: boolean): Promise<void> {
		const chunks = batch;
		[batch, batchBytes] = [[], 0];
		// One batch is written while the next one comes, and no third is held in memory.
		await writing;
		writing = writeAll(file, chunks).then(() => isLast || earlySync.begin());
		// It is waited for at the next batch; a failure until then is not one that nobody heard of.
		writing.catch(() => {});
	}

	async function sync(): Promise<void> {
		try {
			await earlySync.done();
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
			if (batchBytes >= BATCH_BYTES) await flush(false);
		}
		if (batchBytes > 0) await flush(true);
		await writing;
	} catch (error) {
		await writing.catch(() => {});
		await earlySync.done().catch(() => {});
		await file.close();
		throw error;
	}
	const synced = sync();
	// Whoever keeps the file waits for it; whoever does not has no use for its failure.
	synced.catch(() => {});
	return { sizeBytes, synced };
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
	const wantedBytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
	const { bytesWritten } = await file.writev(chunks);
	// A disk that takes less than it was given is one that is full.
	if (bytesWritten < wantedBytes) throw new Error(`only ${bytesWritten} of ${wantedBytes} bytes were written`);
}

/** At most one sync at a time, of whatever is there when it begins. */
function syncWhileWriting(file: FileHandle) {
	let syncing: Promise<void> | undefined;
	return {
		begin(): void {
			syncing ??= file.datasync().finally(() => (syncing = undefined));
			syncing.catch(() => {});
		},
		done: async () => await syncing,
	};
}
