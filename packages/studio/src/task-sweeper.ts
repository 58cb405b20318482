/**
 * Regularly aborts canceled runs in every process, and runs a sweep in one process on a store for all of them. During an outage of
 * the queue, the sweep uses the store alone.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import type { Store } from "@atelier/store/store";
import type { Cancellation } from "./task-cancellation.ts";
import type { TaskQueue } from "./task-queue.ts";

export interface TaskSweeperDeps {
	readonly store: Store;
	readonly queue: Pick<TaskQueue, "ping">;
	/** Runs in every process. */
	readonly cancellation: Pick<Cancellation, "abortCanceledRuns">;
	/** Runs in one process of the studio, for all processes. */
	readonly sweep: (mode: SweepMode) => Promise<void>;
	readonly everyMs: number;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** `storeOnly`: the queue, which knows the running tasks, is not available. */
export type SweepMode = "queue" | "storeOnly";

const TURN_KEY = "studio-sweep-turn";

/** Starts sweeping. Returns a function that stops it. */
export function startTaskSweeper(deps: TaskSweeperDeps): () => Promise<void> {
	const { queue, everyMs, clock, logger } = deps;
	let isQueueDown = false;

	async function currentMode(): Promise<SweepMode> {
		try {
			await queue.ping();
			if (isQueueDown) logger.info("queue reachable again: sweeps are complete");
			isQueueDown = false;
			return "queue";
		} catch (error) {
			if (!isQueueDown) logger.warn({ err: error }, "queue unavailable: sweeps use the store alone");
			isQueueDown = true;
			return "storeOnly";
		}
	}

	async function sweepOnce(stop: AbortSignal): Promise<void> {
		try {
			await deps.cancellation.abortCanceledRuns();
			if (await takesTurn(deps)) await deps.sweep(await currentMode());
		} catch (error) {
			// The next sweep finds what this one missed during an outage of the store.
			if (!stop.aborted) logger.error({ err: error }, "sweep failed");
		}
	}

	return startInterval({ clock, everyMs, run: sweepOnce });
}

/** Returns true in one of the processes on a store, about once per interval; more often if their clocks differ. */
async function takesTurn({ store, everyMs, clock }: TaskSweeperDeps): Promise<boolean> {
	const before = await store.get<{ readonly atMs: number }>(TURN_KEY);
	const atMs = clock.nowMs();
	const passedMs = before ? atMs - before.value.atMs : everyMs;
	if (passedMs >= 0 && passedMs < 0.9 * everyMs) return false;
	return (await store.compareAndSet(TURN_KEY, before?.raw, { atMs })) !== undefined;
}
