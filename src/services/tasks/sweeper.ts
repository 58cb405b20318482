import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startRounds } from "@atelier/common/intervals";
import type { DuePoll, PollQueue } from "./poll-queue.ts";
import type { TaskStore } from "./task-store.ts";

const BATCH_TASKS = 1024;
/** So many marks are read at a stretch. */
const STRETCH_TASKS = 128;
/** Looks that are given back do not all come at once: five hundred a second, the oldest tasks first. */
const LOOK_EVERY_MS = 2;
/** What a lost schedule costs a person at most, and for what it costs every open mark is read. */
const SWEEP_EVERY_MS = 30_000;

interface SweepDeps {
	readonly tasks: Pick<TaskStore, "openIds">;
	readonly queue: PollQueue;
	readonly clock: Clock;
}

/**
 * Rebuilds the schedule from the store: every open task that has no look coming gets one. Reads nothing but the marks of
 * open tasks, and lets others have their turn in between. Resolves to how many tasks are open.
 */
export async function sweep({ tasks, queue, clock }: SweepDeps): Promise<number> {
	let count = 0;
	let batch: DuePoll[] = [];

	async function handOver(): Promise<void> {
		const looks = batch;
		batch = [];
		await queue.addMissing(looks);
	}

	const startMs = clock.nowMs();
	for await (const taskId of tasks.openIds()) {
		batch.push({ taskId, dueAtMs: startMs + count * LOOK_EVERY_MS });
		count++;
		if (batch.length === BATCH_TASKS) await handOver();
		if (count % STRETCH_TASKS === 0) await nextTurn();
	}
	await handOver();
	return count;
}

interface SweeperDeps {
	readonly sweep: () => Promise<unknown>;
	readonly queue: PollQueue;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** Sweeps now and then: one of the processes that share the queue, for all of them. Returns how to end it. */
export function startSweeper({ sweep: work, queue, clock, logger }: SweeperDeps): () => Promise<void> {
	let isFailing = false;

	async function round(over: AbortSignal): Promise<void> {
		try {
			if (await queue.takesTurn(SWEEP_EVERY_MS)) await work();
			if (isFailing) logger.info("open tasks are swept again");
			isFailing = false;
		} catch (error) {
			// The store or the queue is away, which says so itself, and has nothing to sweep into until it is back.
			if (!isFailing && !over.aborted) logger.warn({ err: error }, "open tasks not swept");
			isFailing = true;
		}
	}

	return startRounds({ clock, everyMs: SWEEP_EVERY_MS, round });
}
