import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import type { StudioLimits } from "./limits.ts";
import type { Cancellation } from "./task-cancellation.ts";
import type { QueueRunner } from "./queue-runner.ts";
import type { Settlement } from "./settlement.ts";
import type { SweepMode } from "./task-sweeper.ts";
import type { TaskQueue } from "./task-queue.ts";
import type { OpenTaskMarker, TaskStore } from "./task-store.ts";
import { isEnded, isLate, recoveryOf, unlessCanceled, type PendingTask, type Task } from "./task.ts";

export interface TaskRecoveryDeps {
	readonly taskStore: TaskStore;
	readonly settlement: Settlement;
	readonly runner: Pick<QueueRunner, "enqueue">;
	readonly cancellation: Pick<Cancellation, "cancelJobAndSettle">;
	readonly queue: TaskQueue;
	readonly clock: Clock;
	readonly limits: StudioLimits;
	readonly logger: Logger;
	/** Serializes the repair and the submit of a task. */
	readonly mutex: <T>(taskId: string, work: () => Promise<T>) => Promise<T>;
}

/** The number of tasks that are looked up in the queue at once. */
const BATCH_SIZE = 256;

/**
 * Recovers every open task that no process runs. A task that was never written gets its credits back, an ended one is
 * settled, all others are queued again under the same id, oldest first. One that waited too long is ended.
 *
 * During an outage of the queue, it is unknown which tasks are running. Then none is queued, and an open task is ended only if it has
 * been overdue for longer than the grace period, or if its cancellation was requested and it has not changed for that long. Tasks that
 * were never written, and those that ended before the grace period, are settled as usual.
 */
export function createTaskRecovery(deps: TaskRecoveryDeps): { sweep(mode: SweepMode): Promise<void> } {
	const { taskStore, settlement, runner, queue, clock, limits, logger } = deps;
	const throttledLogger = createThrottledLogger({ clock, logger, message: "task postponed to the next sweep" });
	const shortestDeadlineMs = Math.min(limits.queueDeadlineMs, ...Object.values(limits.runDeadlineMs));

	/** Logs the error of one task, so that it does not stop the recovery of others. Rethrows an outage of the store. */
	function logPostponed(taskId: string, error: unknown): undefined {
		if (error instanceof StoreUnavailableError) throw error;
		throttledLogger.add(new Error(`${taskId}: ${error instanceof Error ? error.message : ""}`, { cause: error }));
	}

	async function isQueued(taskId: string): Promise<boolean> {
		return (await queue.findQueued([taskId])).has(taskId);
	}

	/** Removes a waiting task from the queue if it is late. */
	async function unqueueIfLate(taskId: string): Promise<void> {
		const task = await taskStore.read(taskId);
		if (task?.state === "pending" && isLate(task, limits, clock.nowMs())) await queue.remove(taskId);
	}

	/** Repairs one task. Resolves to the task if it has to be queued. */
	async function repair(marker: OpenTaskMarker, mode: SweepMode): Promise<PendingTask | undefined> {
		// Asked again under the mutex: a submit may have queued the task since the batch was read.
		if (mode === "queue" && (await isQueued(marker.taskId))) {
			await unqueueIfLate(marker.taskId);
			if (await isQueued(marker.taskId)) return undefined;
		}
		const task = await taskStore.read(marker.taskId);
		if (!task) return await blockIdAndVoidHold(marker);
		const next = await reopenOrEnd(task, mode);
		if (isEnded(next)) {
			// Without the queue, the process that ended the task may be about to settle it.
			if (mode === "storeOnly" && task === next && next.completedAtMs > clock.nowMs() - queue.graceMs) return undefined;
			await deps.cancellation.cancelJobAndSettle(next, logger.child({ taskId: next.taskId }));
		}
		return mode === "queue" && next.state === "pending" ? next : undefined;
	}

	async function blockIdAndVoidHold(marker: OpenTaskMarker): Promise<undefined> {
		const isNewlyBlocked = await taskStore.blockId(marker.taskId);
		// A process may have blocked the id and died before it voided the hold. A task that was just written is left to the next sweep.
		if (isNewlyBlocked || !(await taskStore.read(marker.taskId))) await settlement.voidHoldOfBlockedId(marker);
	}

	/** If the transition fails, another process has changed the task: the task stays as it is. */
	async function reopenOrEnd(task: Task, mode: SweepMode): Promise<Task> {
		if (isEnded(task)) return task;
		const nowMs = clock.nowMs();
		const lostBeforeMs = nowMs - queue.graceMs;
		if (task.state === "pending" && !isLate(task, limits, nowMs)) return task;
		// A process that lost the task may not know it yet.
		if (task.state === "processing" && task.updatedAtMs > lostBeforeMs) return task;
		// Without the queue, ends only tasks that their own process should have ended by now.
		if (mode === "storeOnly" && !isLate(task, limits, lostBeforeMs) && !task.cancelRequested) return task;
		return (await taskStore.move(task.taskId, unlessCanceled<Task>(recoveryOf(task, limits, nowMs)))) ?? task;
	}

	async function recoverBatch(markers: readonly OpenTaskMarker[], mode: SweepMode): Promise<readonly PendingTask[]> {
		const found: PendingTask[] = [];
		const queuedIds = mode === "queue" ? await queue.findQueued(markers.map(({ taskId }) => taskId)) : new Set();
		for (const marker of markers) {
			const ageMs = clock.nowMs() - marker.createdAtMs;
			if (queuedIds.has(marker.taskId) ? ageMs < shortestDeadlineMs : ageMs < queue.graceMs) continue;
			const task = await deps
				.mutex(marker.taskId, () => repair(marker, mode))
				.catch((error: unknown) => logPostponed(marker.taskId, error));
			if (task) found.push(task);
		}
		return found;
	}

	return {
		async sweep(mode) {
			const found: PendingTask[] = [];
			let batch: OpenTaskMarker[] = [];
			for await (const marker of taskStore.openTaskMarkers((_key, error) => throttledLogger.add(error))) {
				batch.push(marker);
				if (batch.length < BATCH_SIZE) continue;
				found.push(...(await recoverBatch(batch, mode)));
				batch = [];
			}
			found.push(...(await recoverBatch(batch, mode)));
			if (found.length > 0) logger.info({ tasks: found.length }, "open tasks recovered");
			for (const task of found.toSorted((a, b) => a.createdAtMs - b.createdAtMs)) {
				await runner.enqueue(task).catch((error: unknown) => logPostponed(task.taskId, error));
			}
		},
	};
}
