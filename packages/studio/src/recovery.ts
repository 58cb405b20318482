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
import { isEnded, isLate, recover, unlessCanceled, type EndedTask, type PendingTask, type Task } from "./task.ts";

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
export function createRecovery(deps: RecoveryDeps): { sweep(knowledge: SweepMode): Promise<void> } {
	const { tasks, settlement, runner, queue, clock, limits, logger } = deps;
	const faults = createThrottledLogger({ clock, logger, message: "task postponed to the next sweep" });
	const waitMsMin = Math.min(limits.queueDeadlineMs, ...Object.values(limits.runDeadlineMs));

	/** An unreadable task or account does not stop the recovery of others. */
	function logCorrupt(error: unknown): undefined {
		if (!(error instanceof CorruptDocumentError)) throw error;
		faults.add(error);
	}

	const openMarks = (): AsyncIterable<OpenMark> => tasks.openMarks((_key, error) => faults.add(error));

	async function isQueued(taskId: string): Promise<boolean> {
		return (await queue.known([taskId])).has(taskId);
	}

	/** Returns the task if it has to be queued. */
	async function recoverTask(mark: OpenMark): Promise<PendingTask | undefined> {
		if (await isQueued(mark.taskId)) {
			await dropIfLate(mark.taskId);
			if (await isQueued(mark.taskId)) return undefined;
		}
		return await repair(mark);
	}

	async function dropIfLate(taskId: string): Promise<void> {
		const task = await tasks.read(taskId);
		if (task?.state === "pending" && isLate(task, limits, clock.nowMs())) await queue.remove(taskId);
	}

	async function repair(mark: OpenMark): Promise<PendingTask | undefined> {
		const task = await tasks.read(mark.taskId);
		if (!task) return await voidAbandoned(mark);
		const next = await reopen(task);
		if (next.state === "pending") return next;
		if (isEnded(next)) await settle(next);
		return undefined;
	}

	async function voidAbandoned(mark: OpenMark): Promise<undefined> {
		// `false` if it was abandoned earlier by a process that died before it voided the hold, or if it was just
		// written: the next sweep handles it.
		const abandoned = await tasks.abandon(mark.taskId);
		if (abandoned || !(await tasks.read(mark.taskId))) await settlement.voidAbandoned(mark);
	}

	async function settle(task: EndedTask): Promise<void> {
		await deps.cancellation.settleWithoutRun(task, logger.child({ taskId: task.taskId }));
	}

	/**
	 * Ends tasks that their process should have ended by now. If that process still does, one of the two writes loses.
	 */
	async function repairWithoutQueue(mark: OpenMark): Promise<void> {
		const task = await tasks.read(mark.taskId);
		if (!task) return await voidAbandoned(mark);
		const nowMs = clock.nowMs();
		const sinceMs = nowMs - queue.graceMs;
		if (isEnded(task)) return task.completedAtMs <= sinceMs ? await settle(task) : undefined;
		const isOver = isLate(task, limits, sinceMs) || task.cancelRequested;
		if (!isOver || task.updatedAtMs > sinceMs) return;
		const next = await tasks.move(task.taskId, unlessCanceled<Task>(recover(task, limits, nowMs)));
		if (next && isEnded(next)) await settle(next);
	}

	/** A lost move means that another process has the task. */
	async function reopen(task: Task): Promise<Task> {
		if (isEnded(task)) return task;
		const nowMs = clock.nowMs();
		if (task.state === "pending" && !isLate(task, limits, nowMs)) return task;
		// A process that lost the task may not know it yet.
		if (task.state === "processing" && task.updatedAtMs > nowMs - queue.graceMs) return task;
		return (await tasks.move(task.taskId, unlessCanceled<Task>(recover(task, limits, nowMs)))) ?? task;
	}

	async function recoverBatch(marks: readonly OpenMark[]): Promise<readonly PendingTask[]> {
		const found: PendingTask[] = [];
		const known = await queue.known(marks.map(({ taskId }) => taskId));
		for (const mark of marks) {
			const ageMs = clock.nowMs() - mark.createdAtMs;
			if (known.has(mark.taskId) ? ageMs < waitMsMin : ageMs < queue.graceMs) continue;
			const task = await deps.mutex(mark.taskId, () => recoverTask(mark)).catch(logCorrupt);
			if (task) found.push(task);
		}
		return found;
	}

	async function sweepWithoutQueue(): Promise<void> {
		for await (const mark of openMarks()) {
			if (clock.nowMs() - mark.createdAtMs < queue.graceMs) continue;
			await deps.mutex(mark.taskId, () => repairWithoutQueue(mark)).catch(logCorrupt);
		}
	}

	return {
		async sweep(knowledge) {
			if (knowledge === "storeOnly") return await sweepWithoutQueue();
			const found: PendingTask[] = [];
			let batch: OpenMark[] = [];
			for await (const mark of openMarks()) {
				batch.push(mark);
				if (batch.length < BATCH_MARKS) continue;
				found.push(...(await recoverBatch(batch)));
				batch = [];
			}
			found.push(...(await recoverBatch(batch)));
			if (found.length > 0) logger.info({ tasks: found.length }, "open tasks recovered");
			for (const task of found.toSorted((a, b) => a.createdAtMs - b.createdAtMs)) await runner.enqueue(task);
		},
	};
}
