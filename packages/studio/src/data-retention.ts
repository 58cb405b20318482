/**
 * Removes expired uploads, files and tasks. `studio-expiry:TIME:…` sorts by time, so that a sweep reads only what is
 * due.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import type { DocumentWrite, Store } from "@atelier/store/store";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import type { StudioLimits } from "./limits.ts";
import { uploadOwner, type MediaStore } from "./media-store.ts";
import type { TaskStore } from "./task-store.ts";
import { removeMedia, type EndedTask } from "./task.ts";

type Expiring =
	| { readonly kind: "upload"; readonly id: string; readonly file: string }
	/** The files of a task. */
	| { readonly kind: "media"; readonly id: string }
	/** The record of a task, with all documents about the task. */
	| { readonly kind: "record"; readonly id: string };

export interface DataRetention {
	/** Returns the documents that schedule the removal of an ended task. */
	expiriesOf(task: EndedTask): readonly DocumentWrite[];
	/** Schedules the removal of an uploaded file. */
	fileUploaded(id: string, file: string): Promise<void>;
	/** Removes the files of an ended task; the task stays. Idempotent. */
	removeFiles(taskId: string): Promise<void>;
	/** Removes expired data. */
	sweep(): Promise<void>;
}

export interface DataRetentionDeps {
	readonly store: Store;
	readonly tasks: TaskStore;
	readonly media: MediaStore;
	/** Removes the documents of other modules about a task: its callback log. */
	readonly removeRelated: (taskId: string) => Promise<void>;
	readonly limits: RetentionLimits & Pick<StudioLimits, "uploadRetentionMs">;
	readonly clock: Clock;
	readonly logger: Logger;
}

export type RetentionLimits = Pick<StudioLimits, "mediaRetentionMs" | "recordRetentionMs">;

/** Returns when the files of a task are removed. */
export function mediaExpiresAtMs(task: EndedTask, { mediaRetentionMs }: RetentionLimits): number {
	return task.completedAtMs + mediaRetentionMs;
}

/** Returns when the task is removed. */
export function recordExpiresAtMs(task: EndedTask, { recordRetentionMs }: RetentionLimits): number {
	return task.completedAtMs + recordRetentionMs;
}

const PREFIX = "studio-expiry:";
const TIME_DIGITS = 15;

export function createDataRetention(deps: DataRetentionDeps): DataRetention {
	const { store, tasks, media, limits, clock, logger } = deps;
	const throttledLogger = createThrottledLogger({ clock, logger, message: "removal postponed to the next sweep" });
	const onCorrupt = (_key: string, error: unknown): void => throttledLogger.add(error);

	async function remove(expiring: Expiring): Promise<void> {
		switch (expiring.kind) {
			case "upload":
				return await media.release(expiring.file, uploadOwner(expiring.id));
			case "media":
				return await removeFiles(expiring.id);
			case "record": {
				const task = await tasks.read(expiring.id);
				if (!task) return;
				await removeFiles(expiring.id);
				await deps.removeRelated(expiring.id);
				await tasks.remove(task);
			}
		}
	}

	async function removeFiles(taskId: string): Promise<void> {
		const task = await tasks.read(taskId);
		if (task?.state !== "success") return;
		// The task first: a shown link always leads to a file.
		await tasks.move(taskId, removeMedia);
		for (const { file } of task.outputs) await media.release(file, taskId);
	}

	return {
		expiriesOf(task) {
			const id = task.taskId;
			const record = expiryOf(recordExpiresAtMs(task, limits), { kind: "record", id });
			return task.state === "success"
				? [record, expiryOf(mediaExpiresAtMs(task, limits), { kind: "media", id })]
				: [record];
		},
		async fileUploaded(id, file) {
			const { key, value } = expiryOf(clock.nowMs() + limits.uploadRetentionMs, { kind: "upload", id, file });
			await store.set(key, value);
		},
		removeFiles,
		async sweep() {
			let removed = 0;
			for await (const { key, value } of store.scan<Expiring>(PREFIX, { onCorrupt })) {
				if (Number(key.slice(PREFIX.length, PREFIX.length + TIME_DIGITS)) > clock.nowMs()) break;
				try {
					await remove(value);
					await store.delete(key);
					removed += 1;
				} catch (error) {
					// Without the store, every later entry would fail too. Any other failing entry must not block the later ones.
					if (error instanceof StoreUnavailableError) throw error;
					throttledLogger.add(error);
				}
			}
			if (removed > 0) logger.info({ removed }, "expired data removed");
		},
	};
}

function expiryOf(atMs: number, value: Expiring): DocumentWrite {
	return { key: `${PREFIX}${String(atMs).padStart(TIME_DIGITS, "0")}:${value.kind}-${value.id}`, value };
}
