import { FAULTS } from "./task-errors.ts";
import type { StudioLimits } from "./limits.ts";
import { deadlineMs, fail, resume, type Move, type Task } from "./task.ts";

type Deadlines = Pick<StudioLimits, "queueDeadlineMs" | "runDeadlineMs">;

export function isLate(task: Task, limits: Deadlines, nowMs: number): boolean {
	return deadlineMs(task, limits) <= nowMs;
}

/** Decides what happens to an open task whose process ended during its run. */
export function reopening(task: Task, limits: Deadlines & Pick<StudioLimits, "interruptionsMax">, nowMs: number): Move {
	if (isLate(task, limits, nowMs)) return fail(FAULTS.waitedTooLong);
	return task.interruptions >= limits.interruptionsMax ? fail(FAULTS.interruptedTooOften) : resume;
}
