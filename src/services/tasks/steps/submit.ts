import { classifyFailure, type ClassifiedFailure } from "../../generation/classify-service-error.ts";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaTimeoutError,
	MediaUnavailableError,
} from "../../generation/media-api.ts";
import { backoffMs } from "../backoff.ts";
import { baseOf, type Task, type TaskIn } from "../task.ts";
import { serviceErrorDetailsOf, logFailedAttempt, messageOfRejection } from "../service-error.ts";
import { failed, moved, submitted, untilDeadline, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/** A task fails once its submits have not reached the service for this long. Covers a restart of the service. */
const RETRY_BUDGET_WHEN_UNREACHABLE_MS = 15_000;
/** The same for a service that asks to wait, or limits the rate: counted from the creation of the task, or from the start of the bot. */
const RETRY_BUDGET_WHEN_LIMITED_MS = 5 * 60_000;
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
		return failed({ key: "service.notSent" });
	}
	const { notBeforeMs = 0 } = task;
	if (nowMs < notBeforeMs) return untilDeadline({ kind: "wait", untilMs: notBeforeMs }, task);
	const rateLimitDelayMs = media.submitDelayMs();
	if (rateLimitDelayMs === 0) {
		const { unreachableSinceMs } = task;
		const unreachable = unreachableSinceMs === undefined ? undefined : { unreachableSinceMs };
		return moved({ ...baseOf(task), state: "submitting", sentAtMs: nowMs, ...unreachable });
	}
	// A rate limit shows that the service is reached. Its time must not use up the retry budget for failed connections.
	if (task.unreachableSinceMs !== undefined) return moved({ ...baseOf(task), state: "reserved" });
	if (nowMs - retryBudgetStartMs > RETRY_BUDGET_WHEN_LIMITED_MS) return failed({ key: "service.busy" });
	const untilMs = nowMs + backoffMs({ failures: 1, requestedMs: rateLimitDelayMs, random: random() });
	return untilDeadline({ kind: "wait", untilMs }, task);
}

/** submitting -> submitted; -> unconfirmed without a response; -> reserved if the request certainly did not arrive. */
export async function submit(deps: StepDeps, task: TaskIn<"submitting">, context: StepContext): Promise<StepResult> {
	const { media, clock } = deps;
	if (context.isFreshTransition) {
		try {
			return await send(deps, task, context);
		} catch (error) {
			return afterFailedSend(deps, task, context, error);
		}
	}
	// Another process may be sending the request, and will store the outcome.
	const untilMs = Math.min(task.sentAtMs + media.submitTimeoutMs + OTHER_PROCESS_MARGIN_MS, task.deadlineAtMs);
	if (!media.honorsIdempotencyKey && clock.nowMs() < untilMs) return { kind: "wait", untilMs };
	return unconfirmed(deps, task);
}

function unconfirmed({ clock }: StepDeps, task: TaskIn<"submitting">): StepResult {
	return moved({ ...baseOf(task), state: "unconfirmed", sentAtMs: task.sentAtMs, sinceMs: clock.nowMs() });
}

/** Sends the request, for the first time, or again while it is unconfirmed. */
export async function send(
	deps: StepDeps,
	task: TaskIn<"submitting" | "unconfirmed">,
	context: StepContext,
): Promise<StepResult> {
	const submitRequest = (signal: AbortSignal) => deps.media.submit(task.request, task.id, signal);
	const { remoteId } = await withTimeLimit(deps, task, context.signal, submitRequest);
	context.logger.info({ remoteId }, "task submitted");
	return submitted(deps, task, remoteId, deps.clock.nowMs());
}

/** Decides what follows a failed request, if no earlier one is unconfirmed. */
function afterFailedSend(deps: StepDeps, task: TaskIn<"submitting">, context: StepContext, error: unknown): StepResult {
	const { clock, random } = deps;
	if (error instanceof MediaRejectedError) {
		const rejection = reportRejection(deps, task, context, error);
		return failed(messageOfRejection(rejection), rejection.details);
	}
	logFailedSend(context, error);
	if (!(error instanceof MediaUnavailableError)) return unconfirmed(deps, task);
	const isBusy = error.kind === "rate_limited";
	// While the service is known to be down, the retry time is when the bot tries again: the service has asked for nothing.
	const isLimited = isBusy || (error.kind !== "known_down" && error.retryAfterMs !== undefined);
	const nowMs = clock.nowMs();
	const { retryBudgetStartMs } = context;
	// Not counted from the creation: the task may have waited for a rate limit before.
	const unreachableSinceMs = Math.max(task.unreachableSinceMs ?? nowMs, retryBudgetStartMs);
	const hasRetryBudget = isLimited
		? nowMs - retryBudgetStartMs <= RETRY_BUDGET_WHEN_LIMITED_MS
		: nowMs - unreachableSinceMs <= RETRY_BUDGET_WHEN_UNREACHABLE_MS;
	if (!hasRetryBudget)
		return failed({ key: isBusy ? "service.busy" : "service.down" }, serviceErrorDetailsOf(error, task.request));
	const notBeforeMs = nowMs + backoffMs({ failures: 1, requestedMs: error.retryAfterMs, random: random() });
	return moved({ ...baseOf(task), state: "reserved", notBeforeMs, ...(!isLimited && { unreachableSinceMs }) });
}

export function reportRejection(
	{ operatorAlerts }: StepDeps,
	task: Task,
	{ logger }: StepContext,
	error: MediaRejectedError,
): ClassifiedFailure {
	const rejection = classifyFailure(error, task.request);
	logger.info(rejection.details, "submit rejected");
	operatorAlerts.report(rejection.meaning, rejection.details, logger);
	return rejection;
}

/** Logs a failure other than a rejection. Rethrows an unexpected error. */
export function logFailedSend(context: StepContext, error: unknown): void {
	if (error instanceof MediaTimeoutError || error instanceof MediaHttpError) {
		logFailedAttempt(context, "unavailable", error, "submit unconfirmed");
		return;
	}
	if (!(error instanceof MediaUnavailableError)) throw error;
	const isBusy = error.kind === "rate_limited";
	const message = isBusy ? "submit postponed: the service is busy" : "submit did not reach the service";
	logFailedAttempt(context, "unavailable", error, message);
}

/**
 * Sends with a signal that aborts at the deadline, or some time after a stop: a request that may have arrived cannot
 * simply be repeated.
 */
async function withTimeLimit<T>(
	{ clock }: StepDeps,
	{ deadlineAtMs }: Task,
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
