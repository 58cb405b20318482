/**
 * Removes expired files and tasks. `studio-expiry:TIME:TASK` sorts the records of tasks by time, so that a sweep reads only
 * what is due. Files are found by their references: also the outputs of attempts that failed or were interrupted.
 */
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import type { DocumentChange, StoredDocument } from "@atelier/store/store";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import type { StudioLimits } from "./limits.ts";
import { isUploadOwner, type MediaReference, type MediaStore } from "./media-store.ts";
import type { StudioContext } from "./studio-context.ts";
import { documentKeysOf } from "./studio-task-store.ts";
import { isEnded, type EndedTask } from "./studio-task.ts";

export interface DataRetentionDeps extends StudioContext {
	readonly media: MediaStore;
}

/** Returns when the files of a task are removed. */
export function mediaExpiresAtMs(task: EndedTask, { mediaRetentionMs }: StudioLimits): number {
	return task.completedAtMs + mediaRetentionMs;
}

/** Returns when the task is removed. */
export function recordExpiresAtMs(task: EndedTask, { recordRetentionMs }: StudioLimits): number {
	return task.completedAtMs + recordRetentionMs;
}

interface RecordExpiry {
	/** The keys of the documents to remove. */
	readonly keys: readonly string[];
}

const PREFIX = "studio-expiry:";
const TIME_DIGITS = 15;
/** Longer than the interval of sweeps, because it reads the references to all files. Links expire with their files, so it may be late. */
const FILES_SWEEP_INTERVAL_MS = 60 * 60 * 1000;

export function createDataRetention(deps: DataRetentionDeps) {
	const { store, taskStore, media, limits, clock, logger } = deps;
	const throttledLogger = createThrottledLogger({ clock, logger, message: "removal failed: it will be repeated" });
	const onCorrupt = (_key: string, error: unknown): void => throttledLogger.add(error);
	let filesDueAtMs = 0;

	async function* dueRecords(): AsyncGenerator<StoredDocument<RecordExpiry>> {
		for await (const expiry of store.scan<RecordExpiry>(PREFIX, { onCorrupt })) {
			if (Number(expiry.key.slice(PREFIX.length, PREFIX.length + TIME_DIGITS)) > clock.nowMs()) return;
			yield expiry;
		}
	}

	async function removeRecord({ key: expiryKey, value: { keys } }: StoredDocument<RecordExpiry>): Promise<boolean> {
		await store.compareAndSetAll(
			[],
			[...keys, expiryKey].map((key) => ({ key, value: undefined })),
		);
		return true;
	}

	/** Removes an expired reference to a file, unless an open task may still use it. The last reference removes the file. */
	async function removeFileIfExpired({ file, owner, sinceMs }: MediaReference): Promise<boolean> {
		const isUpload = isUploadOwner(owner);
		if (sinceMs + (isUpload ? limits.uploadRetentionMs : limits.mediaRetentionMs) > clock.nowMs()) return false;
		const task = isUpload ? undefined : await taskStore.read(owner);
		if (task && (!isEnded(task) || mediaExpiresAtMs(task, limits) > clock.nowMs())) return false;
		await media.release(file, owner);
		return true;
	}

	/** Resolves to the number of removed entries, until `stop`. An entry whose removal fails does not block the others. */
	async function removeEach<T>(
		entries: AsyncIterable<T>,
		remove: (entry: T) => Promise<boolean>,
		stop: AbortSignal,
	): Promise<number> {
		let removed = 0;
		for await (const entry of entries) {
			if (stop.aborted) break;
			try {
				if (await remove(entry)) removed += 1;
			} catch (error) {
				// Without the store, every later entry would fail too; a rejected write may concern only this entry.
				if (error instanceof StoreUnavailableError) throw error;
				throttledLogger.add(error);
			}
		}
		return removed;
	}

	async function sweepFiles(stop: AbortSignal): Promise<number> {
		if (clock.nowMs() < filesDueAtMs) return 0;
		filesDueAtMs = clock.nowMs() + FILES_SWEEP_INTERVAL_MS;
		return await removeEach(media.references(onCorrupt), removeFileIfExpired, stop);
	}

	return {
		/** Returns the document that schedules the removal of an ended task. */
		expiryDocument(task: EndedTask): DocumentChange {
			const { taskId } = task;
			const time = String(recordExpiresAtMs(task, limits)).padStart(TIME_DIGITS, "0");
			const next: RecordExpiry = { keys: documentKeysOf(task) };
			return { key: `${PREFIX}${time}:${taskId}`, expectedRaw: undefined, next };
		},
		/** Removes expired data until `stop`. */
		async sweep(stop: AbortSignal): Promise<void> {
			const [files, records] = [await sweepFiles(stop), await removeEach(dueRecords(), removeRecord, stop)];
			if (records + files > 0) logger.info({ files, records }, "expired data removed");
		},
	};
}
