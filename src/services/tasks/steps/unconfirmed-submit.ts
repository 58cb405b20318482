import { MediaError } from "../../generation/media-api.ts";
import type { SubmissionLookup } from "@atelier/media-protocol/parse-submission-lookup";
import { logServiceError } from "../service-error.ts";
import {
	abandonedOutcome,
	failedOutcome,
	settled,
	moved,
	type StepContext,
	type StepDeps,
	type StepResult,
	untilDeadline,
	waitAfterFailure,
} from "./step.ts";
import type { TaskIn } from "../task.ts";

/** A request may arrive after its sender has timed out: "not found" becomes final after this time. */
export const ARRIVES_WITHIN_MS = 30_000;
/** Most lost submits are found before this time. The operator gets a report of the others. */
const REPORTED_AFTER_MS = 2 * 60_000;

/** Looks up a submission by its idempotency key. Resolves to `cannot_tell` without a valid response. */
export async function lookupSubmission(
	{ media }: StepDeps,
	idempotencyKey: string,
	context: StepContext,
): Promise<SubmissionLookup> {
	try {
		return await media.find(idempotencyKey, context.signal);
	} catch (error) {
		if (!(error instanceof MediaError)) throw error;
		logServiceError(context, "unavailable", error, "submission lookup failed");
		return { kind: "cannot_tell" };
	}
}

/**
 * Waits while it is unknown whether the service has the task: the credits stay on hold, the reply says so, and the log tells the
 * operator once. After the deadline the task is abandoned, and its credits are returned.
 */
export function waitOrAbandon(deps: StepDeps, task: TaskIn<"submitting">, context: StepContext): StepResult {
	const nowMs = deps.clock.nowMs();
	const { unconfirmedSinceMs = nowMs } = task;
	if (nowMs > task.deadlineAtMs) {
		context.logger.error({ idempotencyKey: task.id }, "submit abandoned: the service may still run and bill it");
		return settled(abandonedOutcome(deps, failedOutcome({ key: "service.outcomeUnknown" }), null));
	}
	if (!task.isUnconfirmedReported && nowMs - unconfirmedSinceMs >= REPORTED_AFTER_MS) {
		context.logger.error({ idempotencyKey: task.id }, "submit unconfirmed: look the task up at the service");
		return moved({ ...task, isUnconfirmedReported: true });
	}
	return untilDeadline(waitAfterFailure(deps, context, "unavailable"), task);
}
