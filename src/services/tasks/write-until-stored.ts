import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ThrottledLogger } from "@atelier/common/throttled-logger";
import { isStoreFailure } from "@atelier/store/store-errors";
import type { MediaApi } from "../generation/media-api.ts";
import { backoffMs } from "./backoff.ts";
import type { Task } from "./task.ts";
import type { TaskCredits } from "./task-credits.ts";
import type { LoadedTask, TaskStore } from "./task-store.ts";
import { isSameExceptRequests, writeTransition } from "./write-transition.ts";
import type { Moved, Settled } from "./steps/step.ts";

/** The time after which a task whose result cannot be written returns to the queue, and another process may run it. */
const WRITE_RETRIES_MS_MAX = 60_000;
/** Bounds the runs that wait for the store without an end: a quarter of the runs at once of a queue. */
const KEPT_RUNS_MAX = 64;

interface WriteUntilStoredDeps {
	readonly taskStore: TaskStore;
	readonly taskCredits: Pick<TaskCredits, "settle">;
	readonly media: Pick<MediaApi, "honorsIdempotencyKey">;
	readonly clock: Clock;
	readonly random: () => number;
	readonly storeErrorLogger: ThrottledLogger;
	readonly stopping: AbortSignal;
}

export function createWriteUntilStored(deps: WriteUntilStoredDeps) {
	const { taskStore, media, clock, random, storeErrorLogger, stopping } = deps;
	/** The number of runs that keep a result until it is stored. */
	let keptRuns = 0;

	/** Repeats a failed write until it is stored, or fails after `untilMs`. Does not repeat a move from `reserved`. */
	async function retryWrite(
		from: LoadedTask,
		result: Moved | Settled,
		taskLogger: Logger,
		firstFailure: Error,
		untilMs: number,
	): Promise<LoadedTask | undefined> {
		let failure = firstFailure;
		for (let failedCount = 1; clock.nowMs() < untilMs; failedCount++) {
			storeErrorLogger.add(failure);
			await clock.sleep(backoffMs({ failures: failedCount, random: random() }), stopping);
			try {
				// A write without a response may have been executed.
				const current = await taskStore.load(from.task.id);
				if (current && isStored(current.task, result)) return current;
				if (from.task.state === "reserved") break;
				return await writeTransition(deps, from, result, taskLogger);
			} catch (error) {
				if (!isStoreFailure(error)) throw error;
				failure = error;
			}
		}
		throw failure;
	}

	/**
	 * Writes the result of a step, and tries again while the store fails, so that the step is not repeated. Resolves to `undefined` if
	 * the stored task has changed or is gone. Throws if the task has to return to the queue, which repeats the step:
	 *
	 * - A submit without idempotency keys is kept until it is stored: the remote id would be lost with this process. Few runs wait for
	 *   that, because no task can move to `submitting` during the outage.
	 * - A move from `submitted` or `settled` is kept too. A repeated step could show a reply or a moderator notice twice, or pay
	 *   twice for the moderation of a result. These runs occupy the queue, so their number is bounded.
	 * - A move from `reserved` has no side effect yet, and the deadline may pass. It throws once a load shows that it is not stored.
	 * - Any other move throws after a minute. A repeated submit learns the outcome of the first by the idempotency key.
	 */
	return async function writeUntilStored(
		from: LoadedTask,
		result: Moved | Settled,
		taskLogger: Logger,
	): Promise<LoadedTask | undefined> {
		try {
			return await writeTransition(deps, from, result, taskLogger);
		} catch (error) {
			if (!isStoreFailure(error)) throw error;
			const { state } = from.task;
			const isAcceptedSubmit = result.kind === "moved" && result.task.state === "submitted";
			const mayLoseRemoteId = isAcceptedSubmit && !media.honorsIdempotencyKey;
			const isRepeatVisible = state === "submitted" || state === "settled";
			const mustKeep = mayLoseRemoteId || (isRepeatVisible && keptRuns < KEPT_RUNS_MAX);
			if (mustKeep) keptRuns++;
			try {
				const retryMs = mustKeep ? Number.POSITIVE_INFINITY : WRITE_RETRIES_MS_MAX;
				return await retryWrite(from, result, taskLogger, error, clock.nowMs() + retryMs);
			} finally {
				if (mustKeep) keptRuns--;
			}
		}
	};
}

/** Returns whether a move is stored already. Never true for an outcome: a repeated settlement finds out by itself. */
function isStored(current: Task, result: Moved | Settled): boolean {
	return result.kind === "moved" && isSameExceptRequests(current, result.task);
}
