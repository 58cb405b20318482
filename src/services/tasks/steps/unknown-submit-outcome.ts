import { MediaError } from "../../generation/media-api.ts";
import type { SubmissionLookup } from "@atelier/media-protocol/parse-submission-lookup";
import { logMediaError } from "./service-error.ts";
import {
	abandonedOutcome,
	finished,
	moved,
	type StepContext,
	type StepDeps,
	type StepResult,
	untilDeadline,
	waitAfterFailure,
} from "./step.ts";
import { ReplyClientUnavailableError } from "../../delivery/reply-client.ts";
import { t } from "../../../i18n/messages.ts";
import { toTimestampS } from "../../../i18n/timestamp.ts";
import type { TaskIn } from "../task.ts";

/** A request may arrive after its sender has timed out: "not found" becomes final after this time. */
export const ARRIVES_WITHIN_MS = 30_000;

/** Looks up a submission by its idempotency key. Resolves to `cannot_tell` without a valid response. */
export async function lookupSubmission(
	{ media }: Pick<StepDeps, "media">,
	idempotencyKey: string,
	context: StepContext,
): Promise<SubmissionLookup> {
	try {
		return await media.find(idempotencyKey, context.signal);
	} catch (error) {
		if (!(error instanceof MediaError)) throw error;
		logMediaError(context, "unavailable", error, "submission lookup failed");
		return { kind: "cannot_tell" };
	}
}

/** The member is notified of the unknown outcome after this time. */
const NOTICE_AFTER_MS = 10_000;
/** Most late responses arrive before this; the operator is notified of the others. */
const REPORTED_AFTER_MS = 2 * 60_000;

/**
 * Waits while it is unknown whether the service has the task: the credits stay on hold, and the log notifies the operator once.
 * After the deadline the task is abandoned, and its credits are returned.
 */
export async function awaitOutcome(
	deps: Pick<StepDeps, "clock" | "random">,
	task: TaskIn<"submitting">,
	context: StepContext,
): Promise<StepResult> {
	const { logger } = context;
	const nowMs = deps.clock.nowMs();
	const { unknown = { sinceMs: nowMs } } = task;
	if (nowMs > task.deadlineAtMs) {
		logger.error({ idempotencyKey: task.id }, "submit abandoned: the service may still run and bill it");
		return finished(task, abandonedOutcome(deps, { key: "service.outcomeUnknown" }, null));
	}
	if (!unknown.isReported && nowMs - unknown.sinceMs >= REPORTED_AFTER_MS) {
		logger.error({ idempotencyKey: task.id }, "submit outcome unknown: look the task up at the service");
		return moved({ ...task, unknown: { ...unknown, isReported: true } });
	}
	const wait = untilDeadline(waitAfterFailure(deps, context, "unavailable"), task);
	const noticeAtMs = unknown.sinceMs + NOTICE_AFTER_MS;
	return noticeAtMs > nowMs ? { ...wait, untilMs: Math.min(wait.untilMs, noticeAtMs) } : wait;
}

/**
 * Tells the member why the result takes so long. Resolves to `undefined` if no notice was sent. Runs before any other call of the step:
 * after a slow call, another process may have delivered the result, which a late notice would replace.
 */
export async function notifyOutcomePending(
	{ clock, replyClient }: Pick<StepDeps, "clock" | "replyClient">,
	task: TaskIn<"submitting">,
	{ logger, signal }: StepContext,
): Promise<StepResult | undefined> {
	const { unknown, deadlineAtMs, request } = task;
	const nowMs = clock.nowMs();
	if (!unknown || unknown.isNotified || nowMs > deadlineAtMs || nowMs - unknown.sinceMs < NOTICE_AFTER_MS)
		return undefined;
	const params = { costCredits: request.costCredits, deadlineAtS: toTimestampS(deadlineAtMs) };
	try {
		await replyClient.editText(task.reply, t(task.locale, { key: "service.outcomePending", params }), signal);
	} catch (error) {
		if (!(error instanceof ReplyClientUnavailableError)) throw error;
		logger.warn({ err: error }, "notice of unknown outcome postponed");
		return undefined;
	}
	return moved({ ...task, unknown: { ...unknown, isNotified: true } });
}
