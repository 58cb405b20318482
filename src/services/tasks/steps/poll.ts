import { classifyFailure, type ClassifiedFailure } from "../../generation/classify-service-error.ts";
import { MediaError, MediaHttpError, MediaRejectedError, MediaUnavailableError } from "../../generation/media-api.ts";
import { httpStatusOf } from "@atelier/media-protocol/parse-envelope";
import type { OpenRemoteTask, RemoteTask } from "@atelier/media-protocol/remote-task";
import { FAILURES_SHOWN_AFTER_MS } from "../render-progress.ts";
import type { MessageDescriptor } from "../../../i18n/message-descriptor.ts";
import { isForOperator } from "../operator-alerts.ts";
import type { ServiceErrorDetails, TaskIn } from "../task.ts";
import { collectResult } from "./collect-result.ts";
import { cancelRemote } from "./withdraw.ts";
import { logFailedAttempt, serviceErrorDetailsOf, messageOfFailure, messageOfRejection } from "../service-error.ts";
import {
	abandonedOutcome,
	canceledOutcome,
	failed,
	failedOutcome,
	settled,
	moved,
	untilDeadline,
	waitAfterFailure,
	type StepContext,
	type StepDeps,
	type StepResult,
} from "./step.ts";

/** Statuses that deny the poll itself, and say nothing about the task. */
const REQUEST_DENIED = new Set([401, 403, 404]);

/** The bounds of the wait between polls of a task whose cancel the service has accepted. It grows with the time since the request. */
const CANCEL_POLL_MS_MIN = 5_000;
const CANCEL_POLL_MS_MAX = 30_000;

/** The progress of a task before its first successful poll. */
const UNKNOWN_PROGRESS = { phase: "unknown", progressPercent: null, queuePosition: null } as const;

/**
 * submitted -> settled, when the service reports the end and the files are stored, or at the deadline. Passes a
 * cancellation on to the service, which may finish first.
 */
export async function poll(deps: StepDeps, task: TaskIn<"submitted">, context: StepContext): Promise<StepResult> {
	const isCancelDue = task.cancel !== undefined && task.cancelResponse === undefined;
	if (!isCancelDue) return await readAndCollect(deps, task, context);
	const cancelResponse = await cancelRemote(deps, task.remoteId, context);
	if (cancelResponse) return moved({ ...task, cancelResponse });
	const result = await readAndCollect(deps, task, context);
	if (result.kind !== "wait" || result.failureKind) return result;
	// The next planned poll may be a minute away, which is too late for the cancel.
	const retry = waitAfterFailure(deps, context, "unavailable");
	return { ...result, ...retry, untilMs: Math.min(result.untilMs, retry.untilMs) };
}

async function readAndCollect(deps: StepDeps, task: TaskIn<"submitted">, context: StepContext): Promise<StepResult> {
	const nowMs = deps.clock.nowMs();
	const isRetry = context.failures.latestKind !== undefined;
	const waitMsMax = longestWaitMs(task, nowMs);
	const pollAtMs = isRetry ? 0 : deps.polling.pollTimeMs(task, context.isFreshTransition, waitMsMax);
	if (pollAtMs > nowMs) {
		const progress = { ...UNKNOWN_PROGRESS, ...estimateOf(deps.polling, task) };
		return { kind: "wait", untilMs: pollAtMs, progress };
	}
	let remote: RemoteTask;
	try {
		remote = await deps.media.read(task.remoteId, task.request, context.signal);
	} catch (error) {
		return await afterFailedPoll(deps, task, context, error);
	}
	switch (remote.state) {
		case "open":
			return await afterOpenPoll(deps, task, remote, context);
		case "failed": {
			deps.polling.recordEnd(task, remote);
			const error = classifyFailure(remote, task.request);
			const { meaning, details } = error;
			context.logger.info(details, "task failed at the service");
			deps.operatorAlerts.report(meaning, details, context.logger);
			const cancelRequest = meaning === "canceled" && task.cancel;
			return cancelRequest
				? settled(canceledOutcome(cancelRequest, details))
				: failed(messageOfFailure(error), details);
		}
		case "success":
			deps.polling.recordEnd(task, remote);
			return await collectResult(deps, task, remote, context);
	}
}

function estimateOf(polling: StepDeps["polling"], task: TaskIn<"submitted">) {
	return { readyAtMs: polling.readyAtMs(task), runningSinceMs: polling.runningSinceMs(task) };
}

/** Plans the next poll and shows the progress, until the deadline. */
async function afterOpenPoll(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	remote: OpenRemoteTask,
	context: StepContext,
): Promise<StepResult> {
	const nowMs = deps.clock.nowMs();
	if (nowMs > task.deadlineAtMs) return await abandon(deps, task, context, { key: "service.timedOut" });
	const untilMs = deps.polling.planNextPoll(task, remote, longestWaitMs(task, nowMs));
	const { phase, progressPercent, queuePosition } = remote;
	const progress = { phase, progressPercent, queuePosition, ...estimateOf(deps.polling, task) };
	if (remote.shape !== undefined) {
		deps.operatorAlerts.report("unknownState", { code: remote.word, reason: remote.shape }, context.logger);
	}
	return { kind: "wait", untilMs, progress };
}

/** Returns the longest wait for the next poll: the service ends a task soon after it has accepted a cancel, or ignores that. */
function longestWaitMs({ cancel, cancelResponse }: TaskIn<"submitted">, nowMs: number): number {
	if (!cancel || cancelResponse !== "requested") return Number.POSITIVE_INFINITY;
	return Math.min(CANCEL_POLL_MS_MAX, Math.max(CANCEL_POLL_MS_MIN, (nowMs - cancel.atMs) / 2));
}

/**
 * Retries until the deadline, because a failed poll says nothing about the task: it may finish during an outage. Only a rejection of
 * the content in response to the poll fails the task at once.
 */
async function afterFailedPoll(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	context: StepContext,
	error: unknown,
): Promise<StepResult> {
	if (!(error instanceof MediaError)) throw error;
	logFailedAttempt(context, "unavailable", error, "poll failed");
	const rejection = error instanceof MediaRejectedError ? classifyFailure(error, task.request) : undefined;
	if (rejection) deps.operatorAlerts.report(rejection.meaning, rejection.details, context.logger);
	if (rejection?.meaning === "contentPolicy" && isAboutTask(error))
		return failed({ key: "service.contentPolicy" }, rejection.details);
	if (deps.clock.nowMs() > task.deadlineAtMs) {
		const { sinceMs = deps.clock.nowMs() } = context.failures;
		// A bot that was stopped until the deadline could not poll before.
		const hasLasted =
			deps.clock.nowMs() - sinceMs >= FAILURES_SHOWN_AFTER_MS || context.retryBudgetStartMs > task.deadlineAtMs;
		const why: MessageDescriptor = hasLasted ? messageOfFailedPolls(error, rejection) : { key: "service.timedOut" };
		return await abandon(deps, task, context, why, serviceErrorDetailsOf(error, task.request));
	}
	const requestedMs = error instanceof MediaUnavailableError ? error.retryAfterMs : undefined;
	return untilDeadline(waitAfterFailure(deps, context, "unavailable", requestedMs), task);
}

/** Returns whether an error in response to a poll is about the task, not about the poll itself, as with 403. */
function isAboutTask(error: MediaError): boolean {
	if (!(error instanceof MediaRejectedError)) return false;
	const { code, httpStatus = 200 } = error;
	return httpStatus < 400 && !REQUEST_DENIED.has(httpStatusOf(code, httpStatus));
}

/** Selects the message: the operator has to act, the service was unreachable, or its responses were invalid. */
function messageOfFailedPolls(error: MediaError, rejection: ClassifiedFailure | undefined): MessageDescriptor {
	if (rejection && isForOperator(rejection.meaning)) return messageOfRejection(rejection);
	const isInvalidResponse = rejection !== undefined || (error instanceof MediaHttpError && error.status < 500);
	return { key: isInvalidResponse ? "service.invalidAnswer" : "service.down" };
}

/** Asks the service to cancel the task before its holds are voided. The withdraw step repeats a request that failed. */
async function abandon(
	deps: StepDeps,
	task: TaskIn<"submitted">,
	context: StepContext,
	why: MessageDescriptor,
	serviceError?: ServiceErrorDetails,
): Promise<StepResult> {
	const cancelResponse = task.cancelResponse ?? (await cancelRemote(deps, task.remoteId, context));
	const outcome = task.cancel ? canceledOutcome(task.cancel, serviceError) : failedOutcome(why, serviceError);
	if (cancelResponse === "requested") return settled(outcome);
	return settled(abandonedOutcome(outcome, task.remoteId));
}
