import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createFaultLog } from "@atelier/common/throttled-logger";
import { CorruptDocumentError } from "@atelier/store/keyv-store";
import type { StudioLimits } from "./limits.ts";
import { isLate, reopening } from "./resume-policy.ts";
import type { CallingOff } from "./cancellation.ts";
import type { Runner } from "./runner.ts";
import type { Settlement } from "./settlement.ts";
import type { SweepKnowledge } from "./sweeper.ts";
import type { TaskQueue } from "./task-queue.ts";
import type { OpenMark, TaskStore } from "./task-store.ts";
import { isEnded, unlessCanceled, type EndedTask, type PendingTask, type Task } from "./task.ts";

export interface RecoveryDeps {
	readonly tasks: TaskStore;
	readonly settlement: Settlement;
	readonly runner: Pick<Runner, "enqueue">;
	readonly callingOff: Pick<CallingOff, "settleWithoutRun">;
	readonly queue: TaskQueue;
	readonly clock: Clock;
	readonly limits: StudioLimits;
	readonly logger: Logger;
	/** Keeps a repair and a submit of the same task apart. */
	readonly oneAtATime: <T>(taskId: string, work: () => Promise<T>) => Promise<T>;
}

const BATCH_MARKS = 256;

/**
 * Brings every open task that nobody looks after to where it would be without the crash. A task that was never written
 * gets its credits back, an ended one is settled, all others are queued again under the same id, oldest first. One that
 * waited too long is ended.
 *
 * While the queue is away nobody can tell whose task has nobody: then only those are looked at that have been over, by the
 * store, for longer than anybody takes to see to it, and none is begun.
 */
export function createRecovery(deps: RecoveryDeps): { sweep(knowledge: SweepKnowledge): Promise<void> } {
	const { tasks, settlement, runner, queue, clock, limits, logger } = deps;
	const faults = createFaultLog({ clock, logger, message: "task left to the next sweep" });
	const waitMsMin = Math.min(limits.queueDeadlineMs, ...Object.values(limits.runDeadlineMs));

	/** One that cannot be read, or whose account cannot, keeps no other from being looked at. */
	function leaveDamaged(error: unknown): undefined {
		if (!(error instanceof CorruptDocumentError)) throw error;
		faults.add(error);
	}

	const openMarks = (): AsyncIterable<OpenMark> => tasks.openMarks((_key, error) => faults.add(error));

	async function isAttended(taskId: string): Promise<boolean> {
		return (await queue.known([taskId])).has(taskId);
	}

	/** The task, where it is to be lined up. */
	async function look(mark: OpenMark): Promise<PendingTask | undefined> {
		if (await isAttended(mark.taskId)) {
			await dropIfLate(mark.taskId);
			if (await isAttended(mark.taskId)) return undefined;
		}
		return await repair(mark);
	}

	async function dropIfLate(taskId: string): Promise<void> {
		const task = await tasks.read(taskId);
		if (task?.state === "pending" && isLate(task, limits, clock.nowMs())) await queue.remove(taskId);
	}

	async function repair(mark: OpenMark): Promise<PendingTask | undefined> {
		const task = await tasks.read(mark.taskId);
		if (!task) return await giveBack(mark);
		const next = await reopen(task);
		if (next.state === "pending") return next;
		if (isEnded(next)) await settle(next);
		return undefined;
	}

	async function giveBack(mark: OpenMark): Promise<undefined> {
		// False where it was given up before, by a process that died before it gave the credits back, or where it has
		// just been written after all: then the next sweep sees it.
		const givenUp = await tasks.giveUp(mark.taskId);
		if (givenUp || !(await tasks.read(mark.taskId))) await settlement.giveBack(mark);
	}

	async function settle(task: EndedTask): Promise<void> {
		await deps.callingOff.settleWithoutRun(task, logger.child({ taskId: task.taskId }));
	}

	/** What whoever has the task would have done by now. If he does it after all, one of the two writes comes second. */
	async function repairWithoutQueue(mark: OpenMark): Promise<void> {
		const task = await tasks.read(mark.taskId);
		if (!task) return await giveBack(mark);
		const nowMs = clock.nowMs();
		const sinceMs = nowMs - queue.graceMs;
		if (isEnded(task)) return task.completedAtMs <= sinceMs ? await settle(task) : undefined;
		const isOver = isLate(task, limits, sinceMs) || task.cancelRequested;
		if (!isOver || task.updatedAtMs > sinceMs) return;
		const next = await tasks.move(task.taskId, unlessCanceled<Task>(reopening(task, limits, nowMs)));
		if (next && isEnded(next)) await settle(next);
	}

	/** A lost move means that somebody else looks after the task. */
	async function reopen(task: Task): Promise<Task> {
		if (isEnded(task)) return task;
		const nowMs = clock.nowMs();
		if (task.state === "pending" && !isLate(task, limits, nowMs)) return task;
		// Somebody who has lost his turn may not know it yet.
		if (task.state === "processing" && task.updatedAtMs > nowMs - queue.graceMs) return task;
		return (await tasks.move(task.taskId, unlessCanceled<Task>(reopening(task, limits, nowMs)))) ?? task;
	}

	async function lookAtEach(marks: readonly OpenMark[]): Promise<readonly PendingTask[]> {
		const found: PendingTask[] = [];
		const known = await queue.known(marks.map(({ taskId }) => taskId));
		for (const mark of marks) {
			const ageMs = clock.nowMs() - mark.createdAtMs;
			if (known.has(mark.taskId) ? ageMs < waitMsMin : ageMs < queue.graceMs) continue;
			const task = await deps.oneAtATime(mark.taskId, () => look(mark)).catch(leaveDamaged);
			if (task) found.push(task);
		}
		return found;
	}

	async function sweepWithoutQueue(): Promise<void> {
		for await (const mark of openMarks()) {
			if (clock.nowMs() - mark.createdAtMs < queue.graceMs) continue;
			await deps.oneAtATime(mark.taskId, () => repairWithoutQueue(mark)).catch(leaveDamaged);
		}
	}

	return {
		async sweep(knowledge) {
			if (knowledge === "storeAlone") return await sweepWithoutQueue();
			const found: PendingTask[] = [];
			let batch: OpenMark[] = [];
			for await (const mark of openMarks()) {
				batch.push(mark);
				if (batch.length < BATCH_MARKS) continue;
				found.push(...(await lookAtEach(batch)));
				batch = [];
			}
			found.push(...(await lookAtEach(batch)));
			if (found.length > 0) logger.info({ tasks: found.length }, "open tasks found again");
			for (const task of found.toSorted((a, b) => a.createdAtMs - b.createdAtMs)) await runner.enqueue(task);
		},
	};
}
