/**
 * The record of restores of the store. Its epoch counts them. A restored store misses everything after its backup: a
 * restore increments the epoch and pauses new tasks until the operator confirms.
 *
 *     open -> restoring -> paused -> open
 *
 * No process starts on a store in state `restoring`. A process that is running when the epoch changes has stale state and
 * stops.
 */
import { commandHint, stoppedCommandHint } from "../../config/command-hint.ts";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import type { Store } from "@atelier/store/store";
import { StoreNotUsableError } from "@atelier/store/store-errors";

export const RESTORE_RECORD_KEY = "installation:epoch";

export interface RestoreRecord {
	readonly epoch: number;
	readonly state: "open" | "restoring" | "paused";
	/** The time from the backup to the restore, whose changes are lost. */
	readonly missing?: { readonly fromMs: number; readonly untilMs: number };
}

/** The record of a store that was never restored. */
const FIRST: RestoreRecord = { epoch: 0, state: "open" };
const WATCH_EVERY_MS = 5_000;

export interface RestoreWatch {
	/** True after a restore, until the operator confirms it. */
	isPaused(): boolean;
	stop(): Promise<void>;
}

interface RestoreWatchDeps {
	readonly store: Pick<Store, "get">;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Called when a restore of the store has begun or ended under this process, which must stop. */
	readonly onLost: (reason: string) => void;
}

export async function readRestoreRecord(store: Pick<Store, "get">): Promise<RestoreRecord> {
	return (await store.get<RestoreRecord>(RESTORE_RECORD_KEY))?.value ?? FIRST;
}

export function restoringError(advice: string): StoreNotUsableError {
	return new StoreNotUsableError(`A restore is running or was interrupted: ${advice}`);
}

/** Reads the record at startup, and watches it from then on. Throws `StoreNotUsableError` while a restore runs, or after an interrupted one. */
export async function watchRestores({ store, clock, logger, onLost }: RestoreWatchDeps): Promise<RestoreWatch> {
	let record = await readRestoreRecord(store);
	if (record.state === "restoring") throw restoringError(`run ${stoppedCommandHint("restore FILE --replace")}.`);
	if (record.state === "paused") {
		logger.warn(`new tasks are denied: the store was restored from a backup; see ${commandHint("restore --help")}`);
	}

	async function checkRecord(signal: AbortSignal): Promise<void> {
		const found = await readRestoreRecord(store).catch(() => undefined);
		// Other reads report an unavailable store.
		if (!found || signal.aborted) return;
		if (found.epoch !== record.epoch || found.state === "restoring") {
			onLost("the store was restored from a backup while this process used it. Start it again.");
		} else if (found.state !== record.state) {
			logger.info({ state: found.state }, "new tasks accepted again");
		}
		record = found;
	}

	const stop = startInterval({ clock, everyMs: WATCH_EVERY_MS, run: checkRecord });
	return { isPaused: () => record.state === "paused", stop };
}
