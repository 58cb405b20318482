/**
 * Puts right, now and then, what nobody looks after. One of the processes that share a queue does it for all of them; while the
 * queue is away nobody knows who works on what, and one of them puts right what the store alone can tell.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startRounds } from "@atelier/common/intervals";
import type { Store } from "@atelier/store/store";
import type { CallingOff } from "./cancellation.ts";
import type { TaskQueue } from "./task-queue.ts";

export interface SweepingDeps {
	readonly store: Store;
	readonly queue: Pick<TaskQueue, "takesTurn">;
	/** In every process, whoever's turn it is. */
	readonly callingOff: Pick<CallingOff, "lookAtRuns">;
	/** For all of them. */
	readonly sweep: (knowledge: SweepKnowledge) => Promise<void>;
	readonly everyMs: number;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** Whether the queue says who works on what, or the store is all there is. */
export type SweepKnowledge = "queue" | "storeAlone";

const TURN_KEY = "studio-sweep-turn";

/** Sweeps from now on. Returns how to end it. */
export function startSweeping(deps: SweepingDeps): () => Promise<void> {
	const { queue, everyMs, clock, logger } = deps;
	let isQueueAway = false;

	/** `undefined` where it is another process's turn. */
	async function turn(): Promise<SweepKnowledge | undefined> {
		try {
			const isOurs = await queue.takesTurn(everyMs);
			if (isQueueAway) logger.info("open tasks are compared with the queue again");
			isQueueAway = false;
			return isOurs ? "queue" : undefined;
		} catch (error) {
			if (!isQueueAway) logger.warn({ err: error }, "the queue is away: only what the store can tell is put right");
			isQueueAway = true;
			return (await takesTurnInStore(deps)) ? "storeAlone" : undefined;
		}
	}

	async function round(over: AbortSignal): Promise<void> {
		try {
			await deps.callingOff.lookAtRuns();
			const knowledge = await turn();
			if (knowledge) await deps.sweep(knowledge);
		} catch (error) {
			// The store may be away for a while; the next sweep finds what this one could not.
			if (!over.aborted) logger.error({ err: error }, "sweep failed");
		}
	}

	return startRounds({ clock, everyMs, round });
}

/** True in one of the processes on one store, about once in so long: where their clocks differ, somewhat more often. */
async function takesTurnInStore({ store, everyMs, clock }: SweepingDeps): Promise<boolean> {
	const before = await store.get<{ readonly atMs: number }>(TURN_KEY);
	const atMs = clock.nowMs();
	const passedMs = before ? atMs - before.value.atMs : everyMs;
	if (passedMs >= 0 && passedMs < 0.9 * everyMs) return false;
	return (await store.compareAndSet(TURN_KEY, before?.raw, { atMs })) !== undefined;
}
