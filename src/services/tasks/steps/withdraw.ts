import assert from "node:assert/strict";
import { MediaError, MediaHttpError, MediaRejectedError, type CancelResponse } from "../../generation/media-api.ts";
import type { Failure, TaskIn, WithdrawalEnd } from "../task.ts";
import { lookupSubmission } from "./resolve-unconfirmed.ts";
import { logFailedAttempt } from "../service-error.ts";
import { moved, type StepContext, type StepDeps, type StepResult, waitAfterFailure } from "./step.ts";

/** A request may arrive after its sender has timed out: "not found" becomes final after this time. */
export const ARRIVES_WITHIN_MS = 30_000;
/** The time for which the bot tries to cancel an abandoned task, from its delivery. */
const WITHDRAWAL_MS_MAX = 15 * 60_000;
/** Rare, because no member waits for an abandoned task. */
const LOOK_UP_AGAIN_AFTER_MS = 30_000;

/**
 * delivered -> withdrawn: asks the service to cancel a task that it may still be running, until it responds or the task has ended. It is
 * asked at least once, also after a long outage of Discord or a stop of the bot.
 */
export async function withdraw(deps: StepDeps, task: TaskIn<"delivered">, context: StepContext): Promise<StepResult> {
	const { outcome } = task;
	assert(outcome.kind === "failed" && outcome.abandoned, "the task was not abandoned");
	const { remoteId } = outcome.abandoned;
	const result =
		remoteId === null
			? await findAbandoned(deps, task, outcome, context)
			: await cancelAbandoned(deps, task, remoteId, context);
	const isOver = deps.clock.nowMs() > task.deliveredAtMs + WITHDRAWAL_MS_MAX;
	return result.kind === "wait" && isOver ? withdrawnUncertain(task, remoteId, context) : result;
}

async function cancelAbandoned(
	deps: StepDeps,
	task: TaskIn<"delivered">,
	remoteId: string,
	context: StepContext,
): Promise<StepResult> {
	const response = await cancelRemote(deps, remoteId, context);
	if (response === "requested") return withdrawn(task, "canceled");
	// Services reject the cancel of a task that has ended.
	const hasEnded = await pollAbandoned(deps, task, remoteId, context);
	if (hasEnded) return withdrawn(task, "ended");
	return response === undefined || hasEnded === undefined
		? waitAfterFailure(deps, context, "unavailable")
		: withdrawnUncertain(task, remoteId, context);
}

/** Returns whether the service reports that a task has ended; `undefined` if the poll failed. Its result is neither shown nor charged. */
async function pollAbandoned(
	{ media }: StepDeps,
	{ request }: TaskIn<"delivered">,
	remoteId: string,
	context: StepContext,
): Promise<boolean | undefined> {
	try {
		const { state } = await media.read(remoteId, request, context.signal);
		context.logger.info({ remoteId, state }, "abandoned task polled");
		return state !== "open";
	} catch (error) {
		if (!(error instanceof MediaError)) throw error;
		logFailedAttempt(context, "unavailable", error, "poll of abandoned task failed", { remoteId });
		return undefined;
	}
}

/** Looks up a task that was abandoned before its remote id was known. */
async function findAbandoned(
	deps: StepDeps,
	task: TaskIn<"delivered">,
	outcome: Failure,
	context: StepContext,
): Promise<StepResult> {
	const nowMs = deps.clock.nowMs();
	const lookup = await lookupSubmission(deps, task.id, context);
	if (lookup.kind === "found")
		return moved({ ...task, outcome: { ...outcome, abandoned: { remoteId: lookup.remoteId } } });
	if (lookup.kind === "absent" && nowMs >= task.deliveredAtMs + ARRIVES_WITHIN_MS)
		return withdrawn(task, "notAccepted");
	const hasFailed = lookup.kind === "cannot_tell";
	return { kind: "wait", untilMs: nowMs + LOOK_UP_AGAIN_AFTER_MS, ...(hasFailed && { failureKind: "unavailable" }) };
}

function withdrawnUncertain(task: TaskIn<"delivered">, remoteId: string | null, { logger }: StepContext): StepResult {
	const request = { remoteId, idempotencyKey: task.id };
	logger.error(request, "abandoned task may still run and be billed: look it up at the service");
	return withdrawn(task, "unknown");
}

function withdrawn(task: TaskIn<"delivered">, end: WithdrawalEnd): StepResult {
	return moved({ ...task, state: "withdrawn", end });
}

/**
 * Asks the service to cancel a task. Resolves to `not_supported` also if the service rejects the request, or reports a success in
 * another format; to `undefined` if the request failed otherwise: the next run repeats it.
 */
export async function cancelRemote(
	{ media }: StepDeps,
	remoteId: string,
	context: StepContext,
): Promise<CancelResponse | undefined> {
	const { logger, signal } = context;
	try {
		const response = await media.cancel(remoteId, signal);
		logger.info({ remoteId, response }, "cancel requested at the service");
		return response;
	} catch (error) {
		if (!(error instanceof MediaError)) throw error;
		logFailedAttempt(context, "unavailable", error, "service not asked to cancel", { remoteId });
		const isFinal = error instanceof MediaRejectedError || (error instanceof MediaHttpError && error.status < 400);
		return isFinal ? "not_supported" : undefined;
	}
}
