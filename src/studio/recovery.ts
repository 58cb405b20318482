import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { FAULTS } from "./faults.ts";
import type { StudioLimits } from "./limits.ts";
import type { Runner } from "./runner.ts";
import type { Settlement } from "./settlement.ts";
import type { OpenMark, TaskStore } from "./task-store.ts";
import { deadlineMs, fail, isEnded, resume, type PendingTask, type Task, unlessCanceled } from "./task.ts";

export interface RecoveryDeps {
	readonly tasks: TaskStore;
	readonly settlement: Settlement;
	readonly runner: Runner;
	readonly clock: Clock;
	readonly limits: StudioLimits;
	readonly logger: Logger;
	/** Keeps a repair and a submit of the same task apart. */
	readonly oneAtATime: <T>(taskId: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Brings every open task that nobody looks after to where it would be without the crash. A task that was never written
 * gets its credits back, an ended one is settled, all others are queued again under the same id, oldest first.
 */
export function createRecovery(deps: RecoveryDeps): { sweep(): Promise<void> } {
	const { tasks, settlement, runner, clock, limits } = deps;

	async function repair(mark: OpenMark): Promise<PendingTask | undefined> {
		const task = await tasks.read(mark.taskId);
		if (!task) {
			// False where it was given up before, by a process that died before it gave the credits back, or where it has
			// just been written after all: then the next sweep sees it.
			const givenUp = await tasks.giveUp(mark.taskId);
			if (givenUp || !(await tasks.read(mark.taskId))) await settlement.giveBack(mark);
			return undefined;
		}
		const next = await reopen(task);
		if (next.state === "pending") return next;
		if (isEnded(next)) await runner.settleWithoutRun(next, deps.logger.child({ taskId: next.taskId }));
		return undefined;
	}

	/** A lost move means that somebody else looks after the task. */
	async function reopen(task: Task): Promise<Task> {
		if (isEnded(task)) return task;
		const isLate = deadlineMs(task, limits) <= clock.nowMs();
		if (task.state === "pending" && !isLate) return task;
		const isOver = task.interruptions >= limits.interruptionsMax;
		const move = isLate ? fail(FAULTS.waitedTooLong) : isOver ? fail(FAULTS.interruptedTooOften) : resume;
		return (await tasks.move(task.taskId, unlessCanceled<Task>(move))) ?? task;
	}

	return {
		async sweep() {
			const found: { readonly mark: OpenMark; readonly task: PendingTask }[] = [];
			for await (const mark of tasks.openMarks()) {
				if (runner.knows(mark.taskId)) continue;
				const task = await deps.oneAtATime(mark.taskId, async () =>
					runner.knows(mark.taskId) ? undefined : await repair(mark),
				);
				if (task) found.push({ mark, task });
			}
			if (found.length > 0) deps.logger.info({ tasks: found.length }, "open tasks found again");
			for (const { task } of found.toSorted((a, b) => a.task.createdAtMs - b.task.createdAtMs)) {
				if (!runner.knows(task.taskId)) runner.enqueue(task);
			}
		},
	};
}
