/** Restores a store from a backup without charging, submitting or delivering anything twice. */
import type { Clock } from "@atelier/common/clock";
import type { ScanOptions, Store } from "@atelier/store/store";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { KvEntry, KvAdapter } from "@atelier/store/kv-adapter";
import { inBatches } from "@atelier/common/in-batches";
import { createTaskStore } from "../tasks/task-store.ts";
import { restoreTask } from "./restore-task.ts";
import { RESTORE_RECORD_KEY, readRestoreRecord, restoringError, type RestoreRecord } from "./restore-record.ts";

/** Documents that are written or deleted in one transaction. */
const BATCH_ENTRIES = 500;
/** Sessions of the dashboard are not restored: some may have ended since the backup. */
const SESSION_PREFIX = "session:";

type OnCorrupt = NonNullable<ScanOptions["onCorrupt"]>;

interface RestoreDeps {
	/** The storage that receives the backup. Its existing documents are deleted. */
	readonly storage: KvAdapter;
	readonly store: Store;
	readonly clock: Clock;
	/** Cancels the studio's open tasks in this store, except for corrupt ones; resolves to their number. */
	readonly cancelStudioTasks: (store: Store, clock: Clock, onCorrupt: OnCorrupt) => Promise<number>;
}

export interface RestoreResult {
	readonly documents: number;
	/** Tasks that had not ended when the backup was made. */
	readonly openTasks: number;
	/** Tasks of the studio that had not ended, if it uses the same store. */
	readonly openStudioTasks: number;
	/** Open tasks that cannot be read. They stay as they are in the backup. */
	readonly corruptKeys: readonly string[];
	readonly record: RestoreRecord;
}

interface BackupSource {
	readonly madeAtMs: number;
	readonly epoch: number;
	readonly entries: () => AsyncIterable<KvEntry>;
}

/** Replaces all documents with those of the backup. Can be repeated after a crash: no process starts on a half-restored store. */
export async function restore(
	backup: BackupSource,
	{ storage, store, clock, cancelStudioTasks }: RestoreDeps,
): Promise<RestoreResult> {
	const epoch = Math.max(backup.epoch, (await readRestoreRecord(store)).epoch) + 1;
	await store.set(RESTORE_RECORD_KEY, { epoch, state: "restoring" } satisfies RestoreRecord);
	for await (const batch of restoredBatches(storage.scan("")))
		await storage.compareAndSet(
			[],
			batch.map(({ key }) => ({ key, text: undefined })),
		);
	let documents = 0;
	for await (const batch of restoredBatches(backup.entries())) {
		const kept = batch.filter(({ key }) => !key.startsWith(SESSION_PREFIX));
		await storage.compareAndSet([], kept);
		documents += kept.length;
	}
	const atMs = clock.nowMs();
	const corruptKeys: string[] = [];
	const onCorrupt = (key: string): void => void corruptKeys.push(key);
	const openTasks = await restoreOpenTasks(store, atMs, onCorrupt);
	const openStudioTasks = await cancelStudioTasks(store, clock, onCorrupt);
	const record: RestoreRecord = { epoch, state: "paused", missing: { fromMs: backup.madeAtMs, untilMs: atMs } };
	await store.set(RESTORE_RECORD_KEY, record);
	return { documents, openTasks, openStudioTasks, corruptKeys, record };
}

/**
 * Ends the pause after a restore. Resolves to false if nothing was paused, or if the record changed meanwhile. Throws a
 * `StoreNotUsableError` if the restore has not finished.
 */
export async function resumeNewTasks(store: Store): Promise<boolean> {
	const stored = await store.get<RestoreRecord>(RESTORE_RECORD_KEY);
	if (stored?.value.state === "restoring") throw restoringError("repeat it first.");
	if (stored?.value.state !== "paused") return false;
	const { epoch } = stored.value;
	return (
		(await store.compareAndSet(RESTORE_RECORD_KEY, stored.raw, { epoch, state: "open" } satisfies RestoreRecord)) !==
		undefined
	);
}

async function restoreOpenTasks(store: Store, atMs: number, onCorrupt: OnCorrupt): Promise<number> {
	const taskStore = createTaskStore(store);
	let count = 0;
	for await (const taskId of taskStore.openIds()) {
		try {
			const loaded = await taskStore.load(taskId);
			if (!loaded) continue;
			await taskStore.move(loaded, restoreTask(loaded.task, atMs));
			count++;
		} catch (error) {
			if (!(error instanceof CorruptDocumentError)) throw error;
			onCorrupt(error.key, error);
		}
	}
	return count;
}

/** Yields all entries but the record of the restore. */
async function* restoredBatches(entries: AsyncIterable<KvEntry>): AsyncGenerator<readonly KvEntry[]> {
	for await (const batch of inBatches(entries, BATCH_ENTRIES))
		yield batch.filter(({ key }) => key !== RESTORE_RECORD_KEY);
}
