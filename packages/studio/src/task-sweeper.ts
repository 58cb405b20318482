/** Runs a sweep regularly, in one process on a store for all of them. */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import type { Store } from "@atelier/store/store";

export interface TaskSweeperDeps {
	readonly store: Store;
	readonly sweep: () => Promise<void>;
	readonly everyMs: number;
	readonly clock: Clock;
	readonly logger: Logger;
}

const TURN_KEY = "studio-sweep-turn";

/** Starts sweeping. Returns a function that stops it. */
export function startTaskSweeper(deps: TaskSweeperDeps): () => Promise<void> {
	const { everyMs, clock, logger } = deps;

	async function sweepOnce(stop: AbortSignal): Promise<void> {
		try {
			if (await takesTurn(deps)) await deps.sweep();
		} catch (error) {
			// The next sweep finds what this one missed during an outage of the store or the queue.
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
