/**
 * Removes media that no task shows: outputs of attempts that failed or were interrupted, and uploads whose removal was
 * not scheduled because of a crash. Files of an open task stay, because it may still use them.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import type { StudioLimits } from "./limits.ts";
import { isUploadOwner, type MediaStore, type MediaReference } from "./media-store.ts";
import type { TaskStore } from "./task-store.ts";
import { isEnded } from "./task.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Rare, because it reads one task per file, and orphans do no harm. */
const SWEEP_INTERVAL_MS = 24 * HOUR_MS;

export interface OrphanedMediaSweeper {
	/** Removes orphaned media, at most daily, first an hour after the start. */
	sweep(): Promise<void>;
}

export function createOrphanedMediaSweeper(deps: {
	readonly media: MediaStore;
	readonly tasks: Pick<TaskStore, "read">;
	readonly limits: Pick<StudioLimits, "uploadRetentionMs">;
	readonly clock: Clock;
	readonly logger: Logger;
}): OrphanedMediaSweeper {
	const { media, clock, logger } = deps;
	const throttledLogger = createThrottledLogger({ clock, logger, message: "media check failed" });
	let dueAtMs = clock.nowMs() + HOUR_MS;

	async function isOrphaned({ file, owner, sinceMs }: MediaReference): Promise<boolean> {
		// The regular expiry comes first and removes nearly all of them.
		if (isUploadOwner(owner)) return sinceMs + 2 * deps.limits.uploadRetentionMs < clock.nowMs();
		const task = await deps.tasks.read(owner);
		if (!task) return true;
		if (task.state !== "success") return isEnded(task);
		return task.mediaRemovedAtMs !== null || task.outputs.every((output) => output.file !== file);
	}

	return {
		async sweep() {
			if (clock.nowMs() < dueAtMs) return;
			dueAtMs = clock.nowMs() + SWEEP_INTERVAL_MS;
			let removed = 0;
			for await (const reference of media.references((_key, error) => throttledLogger.add(error))) {
				try {
					if (!(await isOrphaned(reference))) continue;
					await media.release(reference.file, reference.owner);
					removed += 1;
				} catch (error) {
					if (error instanceof StoreUnavailableError) throw error;
					throttledLogger.add(error);
				}
			}
			if (removed > 0) logger.info({ removed }, "orphaned media removed");
		},
	};
}
