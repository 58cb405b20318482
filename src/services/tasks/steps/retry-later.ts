/** Repeats polls and downloads of a submitted task until its deadline. */
import type { FailureKind } from "../failure-counts.ts";
import type { TaskIn } from "../task.ts";
import { untilDeadline, waitAfterFailure, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/** Waits before the next attempt, and records since when attempts fail. */
export function retryLater(
	deps: Pick<StepDeps, "clock" | "random">,
	task: TaskIn<"submitted">,
	context: StepContext,
	kind: FailureKind,
	requestedMs?: number,
): StepResult {
	const wait = untilDeadline(waitAfterFailure(deps, context, kind, requestedMs), task);
	const { failing } = task;
	const isForDisk = kind === "disk";
	if (failing && (failing.isDiskFull ?? false) === isForDisk) return wait;
	const sinceMs = failing?.sinceMs ?? deps.clock.nowMs();
	return { ...wait, updatedTask: { ...task, failing: { sinceMs, ...(isForDisk && { isDiskFull: true }) } } };
}

/** Logs that attempts succeed again, if the last one had failed. */
export function logRecovery(
	{ clock }: Pick<StepDeps, "clock">,
	{ failing }: TaskIn<"submitted">,
	{ logger }: StepContext,
): void {
	if (!failing) return;
	const message = failing.isDiskFull ? "disk has space again" : "service requests succeed again";
	logger.info({ failedForMs: clock.nowMs() - failing.sinceMs }, message);
}
