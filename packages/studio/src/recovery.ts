import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { CorruptDocumentError } from "@atelier/store/keyv-store";
import type { StudioLimits } from "./limits.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Runner } from "./runner.ts";
import type { Settlement } from "./settlement.ts";
import type { SweepMode } from "./sweeper.ts";
import type { TaskQueue } from "./task-queue.ts";
import type { OpenMark, TaskStore } from "./task-store.ts";
import { isEnded, isLate, recover, unlessCanceled, type PendingTask, type Task } from "./task.ts";

export interface RecoveryDeps {
	readonly tasks: TaskStore;
	readonly settlement: Settlement;
	readonly runner: Pick<Runner, "enqueue">;
	readonly cancellation: Pick<Cancellation, "settleWithoutRun">;
	readonly queue: TaskQueue;
	readonly clock: Clock;
	readonly limits: StudioLimits;
	readonly logger: Logger;
	/** Serializes the repair and the submit of a task. */
	readonly mutex: <T>(taskId: string, work: () => Promise<T>) => Promise<T>;
}

const BATCH_MARKS = 256;

/**
 * Recovers every open task that no process runs. A task that was never written gets its credits back, an ended one is
 * settled, all others are queued again under the same id, oldest first. One that waited too long is ended.
 *
 * During an outage of the queue, it is unknown which tasks are running: only tasks that have been overdue for long are
 * checked then, and none is started.
 */
export function createRecovery(deps: RecoveryDeps): { sweep(mode: SweepMode): Promise<void> } {
	const { tasks, settlement, runner, queue, clock, limits, logger } = deps;
	const throttledLogger = createThrottledLogger({ clock, logger, message: "task postponed to the next sweep" });
	const waitMsMin = Math.min(limits.queueDeadlineMs, ...Object.values(limits.runDeadlineMs));

	/** An unreadable task or account does not stop the recovery of others. */
	function logCorrupt(error: unknown): undefined {
		if (!(error instanceof CorruptDocumentError)) throw error;
		throttledLogger.add(error);
	}

	/** Removes a task that waited too long from the queue. Resolves to true if the queue still has the task. */
	async function isQueued(taskId: string): Promise<boolean> {
		const isInQueue = async (): Promise<boolean> => (await queue.findQueued([taskId])).has(taskId);
		if (!(await isInQueue())) return false;
		const task = await tasks.read(taskId);
		if (task?.state === "pending" && isLate(task, limits, clock.nowMs())) await queue.remove(taskId);
		return await isInQueue();
	}

	/** Resolves to the task if it has to be queued. */
	async function repair(mark: OpenMark, mode: SweepMode): Promise<PendingTask | undefined> {
		if (mode === "queue" && (await isQueued(mark.taskId))) return undefined;
		const task = await tasks.read(mark.taskId);
		if (!task) return await voidAbandoned(mark);
		const next = await reopen(task, mode);
		if (isEnded(next)) {
			// Without the queue, the process that ended the task may be about to settle it.
			if (mode === "storeOnly" && task === next && next.completedAtMs > clock.nowMs() - queue.graceMs) return undefined;
			await deps.cancellation.settleWithoutRun(next, logger.child({ taskId: next.taskId }));
		}
		return mode === "queue" && next.state === "pending" ? next : undefined;
	}

	async function voidAbandoned(mark: OpenMark): Promise<undefined> {
		// `false` if it was abandoned earlier by a process that died before it voided the hold, or if it was just
		// written: the next sweep handles it.
		const abandoned = await tasks.abandon(mark.taskId);
		if (abandoned || !(await tasks.read(mark.taskId))) await settlement.voidAbandoned(mark);
	}

	/** If the move fails, another process has changed the task: the task stays as it is. */
	async function reopen(task: Task, mode: SweepMode): Promise<Task> {
		if (isEnded(task)) return task;
		const nowMs = clock.nowMs();
		const sinceMs = nowMs - queue.graceMs;
		if (task.state === "pending" && !isLate(task, limits, nowMs)) return task;
		// A process that lost the task may not know it yet.
		if (task.state === "processing" && task.updatedAtMs > sinceMs) return task;
		// Without the queue, ends only tasks that their own process should have ended by now.
		if (mode === "storeOnly" && !isLate(task, limits, sinceMs) && !task.cancelRequested) return task;
		return (await tasks.move(task.taskId, unlessCanceled<Task>(recover(task, limits, nowMs)))) ?? task;
	}

	async function recoverBatch(marks: readonly OpenMark[], mode: SweepMode): Promise<readonly PendingTask[]> {
		const found: PendingTask[] = [];
		const queuedIds = mode === "queue" ? await queue.findQueued(marks.map(({ taskId }) => taskId)) : new Set();
		for (const mark of marks) {
			const ageMs = clock.nowMs() - mark.createdAtMs;
			if (queuedIds.has(mark.taskId) ? ageMs < waitMsMin : ageMs < queue.graceMs) continue;
			const task = await deps.mutex(mark.taskId, () => repair(mark, mode)).catch(logCorrupt);
			if (task) found.push(task);
		}
		return found;
	}

	return {
		async sweep(mode) {
			const found: PendingTask[] = [];
			let batch: OpenMark[] = [];
			for await (const mark of tasks.marksOfOpenTasks((_key, error) => throttledLogger.add(error))) {
				batch.push(mark);
				if (batch.length < BATCH_MARKS) continue;
				found.push(...(await recoverBatch(batch, mode)));
				batch = [];
			}
			found.push(...(await recoverBatch(batch, mode)));
			if (found.length > 0) logger.info({ tasks: found.length }, "open tasks recovered");
			for (const task of found.toSorted((a, b) => a.createdAtMs - b.createdAtMs)) await runner.enqueue(task);
		},
	};
}
