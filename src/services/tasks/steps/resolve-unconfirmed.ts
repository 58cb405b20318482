import { MediaError, MediaRejectedError } from "../../generation/media-api.ts";
import type { SubmissionLookup } from "@atelier/media-protocol/parse-submission-lookup";
import { logFailedAttempt, messageOfRejection } from "../service-error.ts";
import {
	abandonedOutcome,
	canceledOutcome,
	failedOutcome,
	settled,
	moved,
	submitted,
	type StepContext,
	type StepDeps,
	type StepResult,
	untilDeadline,
	waitAfterFailure,
} from "./step.ts";
import { logFailedSend, reportRejection, send } from "./submit.ts";
import type { TaskIn } from "../task.ts";

/** Most lost submits are found before this time. The log names the others, once. */
const REPORTED_AFTER_MS = 2 * 60_000;
/** A task fails once its submits have stayed without a response for this long, and the service does not have it. */
const RETRY_BUDGET_WHEN_LOST_MS = 2 * 60_000;

/**
 * unconfirmed -> submitted if the service has the task. -> settled if it has not, and the task is canceled, restored, or out of retry
 * budget; if a repeat is rejected for its content; and after the deadline. Otherwise sends again where the service honors the
 * idempotency key, so that the request cannot run twice, and else waits.
 */
export async function resolveUnconfirmed(
	deps: StepDeps,
	task: TaskIn<"unconfirmed">,
	context: StepContext,
): Promise<StepResult> {
	const { media, clock } = deps;
	const { logger, retryBudgetStartMs } = context;
	const lookup = await lookupSubmission(deps, task.id, context);
	if (lookup.kind === "found") {
		logger.info({ remoteId: lookup.remoteId }, "task found at the service");
		return submitted(deps, task, lookup.remoteId, task.sentAtMs);
	}
	if (lookup.kind === "absent") {
		logger.info("submission not found at the service");
		const isBudgetUsed = clock.nowMs() - Math.max(task.sinceMs, retryBudgetStartMs) > RETRY_BUDGET_WHEN_LOST_MS;
		if (task.cancel || task.isRestored || isBudgetUsed) {
			const outcome = task.cancel ? canceledOutcome(task.cancel) : failedOutcome({ key: "service.down" });
			// Abandoned, not just failed: the request may still arrive, and is then canceled.
			return settled(abandonedOutcome(outcome, null));
		}
	}
	// Also after a cancel request: only an accepted request yields the remote id that the cancel needs.
	const mayBeSentAgain = media.honorsIdempotencyKey && clock.nowMs() < task.deadlineAtMs && !task.isRestored;
	return mayBeSentAgain ? await resend(deps, task, context) : waitReportOrAbandon(deps, task, context);
}

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
		logFailedAttempt(context, "unavailable", error, "submission lookup failed");
		return { kind: "cannot_tell" };
	}
}

/** Sends the request again. A failure says nothing about the earlier request, which may have been accepted. */
async function resend(deps: StepDeps, task: TaskIn<"unconfirmed">, context: StepContext): Promise<StepResult> {
	try {
		return await send(deps, task, context);
	} catch (error) {
		if (!(error instanceof MediaRejectedError)) {
			logFailedSend(context, error);
			return waitReportOrAbandon(deps, task, context);
		}
		const rejection = reportRejection(deps, task, context, error);
		// Only a rejection of the request itself ends the task: others may come from a proxy.
		const isRequestRejected = rejection.meaning === "contentPolicy" || rejection.meaning === "invalidRequest";
		if (!isRequestRejected) return waitReportOrAbandon(deps, task, context);
		return settled(abandonedOutcome(failedOutcome(messageOfRejection(rejection), rejection.details), null));
	}
}

/**
 * Waits while it is unknown whether the service has the task: the credits stay on hold, the reply says so, and the log tells the
 * operator once. After the deadline the task is abandoned, and its credits are returned.
 */
function waitReportOrAbandon(deps: StepDeps, task: TaskIn<"unconfirmed">, context: StepContext): StepResult {
	const nowMs = deps.clock.nowMs();
	if (nowMs > task.deadlineAtMs) {
		context.logger.error({ idempotencyKey: task.id }, "submit abandoned: the service may still run and bill it");
		return settled(abandonedOutcome(failedOutcome({ key: "service.outcomeUnknown" }), null));
	}
	if (!task.isReported && nowMs - task.sinceMs >= REPORTED_AFTER_MS) {
		// Stored, so that it is logged once. The step runs again at once, and then waits.
		context.logger.error({ idempotencyKey: task.id }, "submit unconfirmed: look the task up at the service");
		return moved({ ...task, isReported: true });
	}
	return untilDeadline(waitAfterFailure(deps, context, "unavailable"), task);
}
