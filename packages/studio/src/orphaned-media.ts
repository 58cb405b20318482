/**
 * Removes media that no task shows: outputs of runs that failed or were interrupted, and uploads whose record could not
 * be written. Files of an open task stay, because it may still use them.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import type { StudioLimits } from "./limits.ts";
import { isUploadUser, type MediaStore, type MediaUse } from "./media-store.ts";
import type { TaskStore } from "./task-store.ts";
import { isEnded } from "./task.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Rare, because it reads one task per file, and orphans do no harm. */
const EVERY_MS = 24 * HOUR_MS;

export interface OrphanedMedia {
	/** Removes orphans. Runs daily, first an hour after the start. */
	sweep(): Promise<void>;
}

export function createOrphanedMedia(deps: {
	readonly media: MediaStore;
	readonly tasks: Pick<TaskStore, "read">;
	readonly limits: Pick<StudioLimits, "uploadRetentionMs">;
	readonly clock: Clock;
	readonly logger: Logger;
}): OrphanedMedia {
	const { media, clock, logger } = deps;
	const throttledLogger = createThrottledLogger({ clock, logger, message: "media check failed" });
	let dueAtMs = clock.nowMs() + HOUR_MS;

	async function isOrphaned({ file, user, sinceMs }: MediaUse): Promise<boolean> {
		// The regular expiry comes first and removes nearly all of them.
		if (isUploadUser(user)) return sinceMs + 2 * deps.limits.uploadRetentionMs < clock.nowMs();
		const task = await deps.tasks.read(user);
		if (!task) return true;
		if (task.state !== "success") return isEnded(task);
		return task.mediaRemovedAtMs !== null || task.outputs.every((output) => output.file !== file);
	}

	return {
		async sweep() {
			if (clock.nowMs() < dueAtMs) return;
			dueAtMs = clock.nowMs() + EVERY_MS;
			let removed = 0;
			for await (const use of media.uses((_key, error) => throttledLogger.add(error))) {
				try {
					if (!(await isOrphaned(use))) continue;
					await media.release(use.file, use.user);
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
