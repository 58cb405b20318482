import type { Clock } from "@atelier/common/clock";
import type { ThrottledLogger } from "@atelier/common/throttled-logger";
import type { ScheduledRun } from "./task-queue.ts";

/** The most runs in one call of `send`. */
const BATCH_RUNS_MAX = 256;
const RETRY_MS = 1_000;
/** Beyond this number the oldest runs are dropped: the sweeper schedules them again. */
const WAITING_RUNS_MAX = 10_000;

/** Sends the runs of woken tasks to a shared queue, in batches, so that no command waits for the queue or fails with it. */
export interface ScheduledRunOutbox {
	add(run: ScheduledRun): void;
	/** Waits until all runs that were added are sent. */
	drain(): Promise<void>;
	/** Ends the retries. Runs that are not sent are dropped. */
	stop(): void;
}

interface ScheduledRunOutboxDeps {
	readonly clock: Clock;
	readonly throttledLogger: ThrottledLogger;
	/** Sends runs to the queue. A rejection is logged, and the runs are sent again. */
	readonly send: (runs: readonly ScheduledRun[]) => Promise<void>;
}

export function createScheduledRunOutbox({ clock, throttledLogger, send }: ScheduledRunOutboxDeps): ScheduledRunOutbox {
	const waiting = new Map<string, ScheduledRun>();
	const stopping = new AbortController();
	let sending: Promise<void> | undefined;

	async function sendWaiting(): Promise<void> {
		while (waiting.size > 0 && !stopping.signal.aborted) {
			const batch = [...waiting.values().take(BATCH_RUNS_MAX)];
			try {
				await send(batch);
				for (const run of batch) if (waiting.get(run.taskId) === run) waiting.delete(run.taskId);
			} catch (error) {
				throttledLogger.add(error);
				await clock.sleep(RETRY_MS, stopping.signal).catch(() => {});
			}
		}
	}

	async function sendAll(): Promise<void> {
		// One batch contains all runs of this turn of the event loop.
		await Promise.resolve();
		await sendWaiting();
		sending = undefined;
	}

	return {
		add(run) {
			// Keeps the order of requests.
			waiting.delete(run.taskId);
			waiting.set(run.taskId, run);
			if (waiting.size > WAITING_RUNS_MAX) waiting.delete(waiting.keys().next().value ?? "");
			sending ??= sendAll();
		},
		drain: () => sending ?? Promise.resolve(),
		stop: () => stopping.abort(),
	};
}
