import { inBatches } from "@atelier/common/in-batches";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import type { Cancellation } from "./task-cancellation.ts";
import type { EngineRouter } from "./engine-router.ts";
import type { QueueRunner } from "./queue-runner.ts";
import type { StudioContext } from "./studio-context.ts";
import type { StudioQueue } from "./studio-queue.ts";
import type { OpenTaskMarker } from "./studio-task-store.ts";
import { isEnded, isLate, recover, unlessCanceled, type PendingStudioTask } from "./studio-task.ts";

export interface TaskRecoveryDeps extends StudioContext {
	readonly runner: Pick<QueueRunner, "enqueue">;
	readonly cancellation: Pick<Cancellation, "cancelJobAndSettle">;
	readonly queue: StudioQueue;
	readonly router: Pick<EngineRouter, "find" | "selectFor">;
	/** Running tasks of this process. */
	readonly runs: ReadonlyMap<string, unknown>;
}

/** The number of tasks that are looked up in the queue at once. */
const BATCH_SIZE = 256;

/**
 * Recovers every task with a marker that no process runs: settles an ended one, fails one that waited too long, and queues all
 * others again under the same id, oldest first. During an outage of the queue it is unknown which tasks are running: the
 * recovery fails until the queue is back.
 */
export function createTaskRecovery(deps: TaskRecoveryDeps): { sweep(stop?: AbortSignal): Promise<void> } {
	const { taskStore, runner, queue, router, runs, clock, limits, logger } = deps;
	const throttledLogger = createThrottledLogger({ clock, logger, message: "task postponed to the next sweep" });
	const shortestDeadlineMs = Math.min(limits.queueDeadlineMs, ...Object.values(limits.runDeadlineMs));

	/** Logs the error of one task, such as a rejected write: it does not stop the recovery of others. Rethrows an outage of the store. */
	function logPostponed(taskId: string, error: unknown): undefined {
		if (error instanceof StoreUnavailableError) throw error;
		throttledLogger.add(new Error(`${taskId}: ${error instanceof Error ? error.message : ""}`, { cause: error }));
	}

	/**
	 * Removes a waiting task from the queue if it is late, or if it waits for an engine of another configuration and can be queued for
	 * one of this process.
	 */
	async function unqueueIfLateOrMovable(taskId: string, engine: string): Promise<void> {
		const task = await taskStore.read(taskId);
		if (!task) return;
		const isMovable = !router.find(engine) && (isEnded(task) || router.selectFor(task) !== undefined);
		if (isMovable || isLate(task, limits, clock.nowMs())) await queue.remove(taskId);
	}

	/** Repairs one task that is not queued. Resolves to the task if it has to be queued. */
	async function repair(taskId: string): Promise<PendingStudioTask | undefined> {
		const recovered = await taskStore.move(taskId, (each, nowMs) => {
			// A process that lost the task may not know it yet.
			if (each.updatedAtMs > nowMs - queue.recoverAfterMs) return undefined;
			// This process may have started it since the lookup in the queue.
			if (each.state === "processing" && runs.has(taskId)) return undefined;
			return unlessCanceled(recover(limits))(each, nowMs);
		});
		const task = recovered ?? (await taskStore.read(taskId));
		if (task && isEnded(task)) await deps.cancellation.cancelJobAndSettle(task, logger.child({ taskId }));
		return task?.state === "pending" ? task : undefined;
	}

	async function recoverBatch(
		markers: readonly OpenTaskMarker[],
		stop: AbortSignal | undefined,
	): Promise<readonly PendingStudioTask[]> {
		const found: PendingStudioTask[] = [];
		const queuedEngines = await queue.findQueued(markers.map(({ taskId }) => taskId));
		const taskIds = markers.flatMap(({ taskId, createdAtMs }) => {
			// A younger task cannot be late, or another process may be about to queue it.
			const minAgeMs = router.find(queuedEngines.get(taskId) ?? "") ? shortestDeadlineMs : queue.recoverAfterMs;
			return clock.nowMs() - createdAtMs < minAgeMs ? [] : [taskId];
		});
		if (taskIds.length === 0) return found;
		await Promise.all(
			taskIds.map(async (taskId) => {
				const engine = queuedEngines.get(taskId);
				if (engine === undefined) return;
				await unqueueIfLateOrMovable(taskId, engine).catch((error: unknown) => logPostponed(taskId, error));
			}),
		);
		// Late and movable tasks have left the queue, and a submit may have queued a task since the batch was read.
		const stillQueued = await queue.findQueued(taskIds);
		for (const taskId of taskIds.filter((each) => !stillQueued.has(each))) {
			if (stop?.aborted) break;
			const task = await repair(taskId).catch((error: unknown) => logPostponed(taskId, error));
			if (task) found.push(task);
		}
		return found;
	}

	return {
		async sweep(stop) {
			const found: PendingStudioTask[] = [];
			const markers = taskStore.openTaskMarkers((_key, error) => throttledLogger.add(error));
			for await (const batch of inBatches(markers, BATCH_SIZE)) {
				if (stop?.aborted) return;
				found.push(...(await recoverBatch(batch, stop)));
			}
			if (found.length > 0) logger.info({ tasks: found.length }, "open tasks recovered");
			for (const task of found.toSorted((a, b) => a.createdAtMs - b.createdAtMs)) {
				if (stop?.aborted) return;
				await runner.enqueue(task).catch((error: unknown) => logPostponed(task.taskId, error));
			}
		},
	};
}
