import { createHash } from "node:crypto";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaTimeoutError,
	MediaUnavailableError,
} from "../../generation/media-api.ts";
import { backoffMs } from "../retry-delay.ts";
import { baseOf, type TaskIn } from "../task.ts";
import { awaitOutcome, ARRIVES_WITHIN_MS, lookupSubmission } from "./unknown-submit-outcome.ts";
import { logMediaError, classifyFailure, failureDetailsOf, messageOfRejection } from "./service-error.ts";
import {
	abandonedOutcome,
	failed,
	finished,
	moved,
	untilDeadline,
	type StepContext,
	type StepDeps,
	type StepResult,
} from "./step.ts";

/** After this time, a task whose submits never reached the service fails. Covers a restart of the service. */
const RETRY_BUDGET_MS = 15_000;
/** The same for a service that asks to wait, or limits the rate. */
const RETRY_BUDGET_WHEN_LIMITED_MS = 5 * 60_000;
/** The same for a service in which each submit of unknown outcome is later not found. */
const RETRY_BUDGET_WHEN_LOST_MS = 2 * 60_000;
/** The longest time that a stop waits for the response to a running submit. A container is killed soon after. */
const SUBMIT_AFTER_STOP_MS_MAX = 15_000;
/** Added to the timeout of a submit that another process may be sending: for clock differences, and for storing the outcome. */
const OTHER_PROCESS_MARGIN_MS = 5_000;

/** reserved -> submitting, once a request may be sent again. The task fails after the deadline, or after a long rate limit. */
export function beginSubmit(deps: StepDeps, task: TaskIn<"reserved">, context: StepContext): StepResult {
	const { clock, media, random } = deps;
	const { retryBudgetStartMs, logger } = context;
	const nowMs = clock.nowMs();
	if (nowMs > task.deadlineAtMs) {
		logger.warn("task not submitted before its deadline");
		return failed(task, { key: "service.notSent" });
	}
	const { notBeforeMs = 0 } = task;
	if (nowMs < notBeforeMs) return untilDeadline({ kind: "wait", untilMs: notBeforeMs }, task);
	const rateLimitDelayMs = media.submitDelayMs();
	if (rateLimitDelayMs === 0) return moved({ ...baseOf(task), state: "submitting", sinceMs: nowMs });
	if (nowMs - retryBudgetStartMs > RETRY_BUDGET_WHEN_LIMITED_MS) return failed(task, { key: "service.busy" });
	const untilMs = nowMs + backoffMs({ failures: 1, requestedMs: rateLimitDelayMs, random: random() });
	return untilDeadline({ kind: "wait", untilMs }, task);
}

/**
 * submitting -> submitted. Repeats the request only if it cannot run twice: the service honors the idempotency key, or
 * the first request certainly did not arrive.
 */
export async function submit(deps: StepDeps, task: TaskIn<"submitting">, context: StepContext): Promise<StepResult> {
	const { media, clock } = deps;
	const { unknownSinceMs } = task;
	if (unknownSinceMs !== undefined) return await resolveUnknownOutcome(deps, task, unknownSinceMs, context);
	if (context.isFreshTransition) return (await send(deps, task, context)) ?? outcomeUnknown(deps, task);
	// Another process may be sending the request, and will store the outcome.
	const untilMs = Math.min(task.sinceMs + media.submitTimeoutMs + OTHER_PROCESS_MARGIN_MS, task.deadlineAtMs);
	if (!media.honorsIdempotencyKey && clock.nowMs() < untilMs) return { kind: "wait", untilMs };
	return outcomeUnknown(deps, task);
}

function outcomeUnknown({ clock }: StepDeps, task: TaskIn<"submitting">): StepResult {
	return moved({ ...task, unknownSinceMs: clock.nowMs() });
}

/** Sends the request. Resolves to `undefined` if the outcome is unknown. */
async function send(deps: StepDeps, task: TaskIn<"submitting">, context: StepContext): Promise<StepResult | undefined> {
	const { media, clock } = deps;
	try {
		const submitRequest = (signal: AbortSignal) => media.submit(task.request, task.id, signal);
		const { remoteId } = await withTimeLimit(deps, task, context.signal, submitRequest);
		context.logger.info({ remoteId }, "task submitted");
		return submitted(deps, task, remoteId, clock.nowMs());
	} catch (error) {
		return afterFailedSend(deps, task, context, error);
	}
}

/** Decides what follows a submit that failed. Returns `undefined` if the service may have accepted the task. */
function afterFailedSend(
	{ clock, random, operatorAlerts }: StepDeps,
	task: TaskIn<"submitting">,
	context: StepContext,
	error: unknown,
): StepResult | undefined {
	const { logger, retryBudgetStartMs } = context;
	if (error instanceof MediaRejectedError) {
		const rejection = classifyFailure(error, task.request);
		logger.info(rejection.serviceError, "submit rejected");
		operatorAlerts.report(rejection.meaning, rejection.serviceError, logger);
		const why = messageOfRejection(rejection);
		if (task.unknownSinceMs === undefined) return failed(task, why, rejection.serviceError);
		// An earlier request may have been accepted: only a rejection of the content ends the task, others may come from a proxy.
		const isContentRejected = rejection.meaning === "contentPolicy" || rejection.meaning === "invalidRequest";
		return isContentRejected
			? finished(task, abandonedOutcome({ clock }, why, null, rejection.serviceError))
			: undefined;
	}
	if (error instanceof MediaTimeoutError || error instanceof MediaHttpError) {
		logMediaError(context, "unavailable", error, "submit has an unknown outcome");
		return undefined;
	}
	if (!(error instanceof MediaUnavailableError)) throw error;
	const isBusy = error.kind === "rate_limited";
	const message = isBusy ? "submit postponed: the service is busy" : "submit did not reach the service";
	logMediaError(context, "unavailable", error, message);
	// The failure of this attempt says nothing about an earlier one whose response was lost.
	if (task.unknownSinceMs !== undefined) return undefined;
	const isLimited = isBusy || (error.kind !== "known_down" && error.retryAfterMs !== undefined);
	const retryBudgetMs = isLimited ? RETRY_BUDGET_WHEN_LIMITED_MS : RETRY_BUDGET_MS;
	if (clock.nowMs() - retryBudgetStartMs > retryBudgetMs)
		return failed(task, { key: isBusy ? "service.busy" : "service.down" }, failureDetailsOf(error, task.request));
	const notBeforeMs = clock.nowMs() + backoffMs({ failures: 1, requestedMs: error.retryAfterMs, random: random() });
	return moved({ ...baseOf(task), state: "reserved", notBeforeMs });
}

/**
 * Sends with a signal that aborts at the deadline, or some time after a stop: a request that may have arrived cannot
 * simply be repeated.
 */
async function withTimeLimit<T>(
	{ clock }: StepDeps,
	{ deadlineAtMs }: TaskIn<"submitting">,
	stopping: AbortSignal,
	sendWith: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const timeLimit = new AbortController();
	const timer = new AbortController();
	const abortAfter = (ms: number): void => {
		clock.sleep(ms, timer.signal).then(
			() => timeLimit.abort(new DOMException("no time left for a submit", "TimeoutError")),
			() => {},
		);
	};
	const onStop = (): void => abortAfter(SUBMIT_AFTER_STOP_MS_MAX);
	abortAfter(Math.max(0, deadlineAtMs - clock.nowMs()));
	if (stopping.aborted) onStop();
	else stopping.addEventListener("abort", onStop, { once: true });
	try {
		return await sendWith(timeLimit.signal);
	} finally {
		timer.abort("answered");
		stopping.removeEventListener("abort", onStop);
	}
}

function submitted(
	{ media }: StepDeps,
	task: TaskIn<"submitting">,
	remoteId: string,
	submittedAtMs: number,
): StepResult {
	const remoteKey = remoteKeyOf(media.origin, remoteId);
	return moved({ ...baseOf(task), state: "submitted", remoteId, remoteKey, submittedAtMs });
}

/**
 * submitting -> submitted if the service has the task; -> reserved if it certainly has not; -> finished once that has lasted too
 * long. Otherwise waits, or sends again if that is safe.
 */
async function resolveUnknownOutcome(
	deps: StepDeps,
	task: TaskIn<"submitting">,
	unknownSinceMs: number,
	context: StepContext,
): Promise<StepResult> {
	const { media, clock } = deps;
	const { logger, retryBudgetStartMs } = context;
	const lookup = await lookupSubmission(deps, task.id, context);
	if (lookup.kind === "found") {
		logger.info({ remoteId: lookup.remoteId }, "task found at the service");
		return submitted(deps, task, lookup.remoteId, task.sinceMs);
	}
	const isAbsenceFinal = media.honorsIdempotencyKey || clock.nowMs() > unknownSinceMs + ARRIVES_WITHIN_MS;
	if (lookup.kind === "absent" && isAbsenceFinal) {
		logger.info("submission not found at the service");
		// A restored task may have been submitted more than once, and may have ended after the backup.
		if (task.reply.isRestored) return failed(task, { key: "service.down" });
		const hasRetryBudget = clock.nowMs() - retryBudgetStartMs <= RETRY_BUDGET_WHEN_LOST_MS;
		if (hasRetryBudget) return moved({ ...baseOf(task), state: "reserved" });
		// A repeated request may still be on its way.
		return finished(task, abandonedOutcome(deps, { key: "service.down" }, null));
	}
	const mayBeSentAgain =
		media.honorsIdempotencyKey && clock.nowMs() < task.deadlineAtMs && task.reply.isRestored !== true;
	const sent = mayBeSentAgain ? await send(deps, task, context) : undefined;
	return sent ?? awaitOutcome(deps, task, context);
}

/** Names a task of a service in the store: its id may be longer than a key, and is unique only within that service. */
function remoteKeyOf(serviceOrigin: string, remoteId: string): string {
	return createHash("sha256").update(`${serviceOrigin}\n${remoteId}`).digest("base64url");
}
