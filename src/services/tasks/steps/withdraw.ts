import {
	MediaError,
	MediaHttpError,
	MediaRejectedError,
	MediaTimeoutError,
	MediaUnavailableError,
	type CancelResponse,
} from "../../generation/media-api.ts";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import type { Abandoned, Outcome, TaskIn, WithdrawalEnd } from "../task.ts";
import { ARRIVES_WITHIN_MS, lookupSubmission } from "./unknown-submit-outcome.ts";
import { logMediaError } from "./service-error.ts";
import { moved, type StepContext, type StepDeps, type StepResult, waitAfterFailure } from "./step.ts";

/** Rare, because no member waits for an abandoned task. */
const POLL_AGAIN_AFTER_MS = 30_000;
/** Bounds the polls of a service that responds with errors, or no longer knows the task. */
const INVALID_RESPONSES_MAX = 5;

type Failed = Extract<Outcome, { kind: "failed" }>;

type WithdrawDeps = Pick<StepDeps, "clock" | "media" | "random">;

/** delivered -> withdrawn: asks the service, which may still be running the task, to cancel, and polls until it has ended. */
export async function withdraw(
	deps: WithdrawDeps,
	task: TaskIn<"delivered">,
	outcome: Failed,
	abandoned: Abandoned,
	context: StepContext,
): Promise<StepResult> {
	const { remoteId, untilMs } = abandoned;
	if (deps.clock.nowMs() > untilMs) {
		const request = { remoteId, idempotencyKey: task.id };
		context.logger.error(request, "abandoned task may still run and be billed: look it up at the service");
		return withdrawn(task, "unknown");
	}
	if (remoteId === null) return await findAbandoned(deps, task, outcome, abandoned, context);
	if (task.cancelResponse === undefined) {
		const cancelResponse = await cancelRemote(deps, remoteId, context);
		if (cancelResponse) return moved({ ...task, cancelResponse });
	}
	return await pollAbandoned(deps, task, remoteId, context);
}

/** Looks up a task that was abandoned before its remote id was known. */
async function findAbandoned(
	deps: WithdrawDeps,
	task: TaskIn<"delivered">,
	outcome: Failed,
	abandoned: Abandoned,
	context: StepContext,
): Promise<StepResult> {
	const lookup = await lookupSubmission(deps, task.id, context);
	switch (lookup.kind) {
		case "found":
			return moved({ ...task, outcome: { ...outcome, abandoned: { ...abandoned, remoteId: lookup.remoteId } } });
		case "absent":
			if (deps.clock.nowMs() < task.deliveredAtMs + ARRIVES_WITHIN_MS) return pollAgain(deps);
			return withdrawn(task, "notAccepted");
		case "cannot_tell":
			return pollAgain(deps);
	}
}

/** Polls an abandoned task until it has ended at the service. */
async function pollAbandoned(
	deps: WithdrawDeps,
	task: TaskIn<"delivered">,
	remoteId: string,
	context: StepContext,
): Promise<StepResult> {
	const { logger, signal, failures } = context;
	let remote: RemoteTask;
	try {
		remote = await deps.media.read(remoteId, task.request, signal);
	} catch (error) {
		if (!(error instanceof MediaError)) throw error;
		const isUnavailable = error instanceof MediaUnavailableError || error instanceof MediaTimeoutError;
		const kind = isUnavailable ? "unavailable" : "invalidResponse";
		logMediaError(context, kind, error, "poll of abandoned task failed", { remoteId });
		if (isUnavailable) return waitAfterFailure(deps, context, "unavailable");
		if ((failures.invalidResponse ?? 0) + 1 < INVALID_RESPONSES_MAX)
			return waitAfterFailure(deps, context, "invalidResponse");
		return withdrawn(task, "unknown");
	}
	switch (remote.state) {
		case "open":
			return pollAgain(deps);
		case "failed":
			return withdrawn(task, "stopped");
		case "success":
			logger.warn({ remoteId }, "result of abandoned task dropped, not charged");
			return withdrawn(task, "finishedTooLate");
	}
}

function pollAgain({ clock }: WithdrawDeps): StepResult {
	return { kind: "wait", untilMs: clock.nowMs() + POLL_AGAIN_AFTER_MS };
}

function withdrawn(task: TaskIn<"delivered">, end: WithdrawalEnd): StepResult {
	return moved({ ...task, state: "withdrawn", end });
}

/**
 * Asks the service to cancel a task. Resolves to `not_supported` also if the service rejects the request, or reports a success in
 * another format; to `undefined` if the request failed otherwise: the next poll repeats it.
 */
export async function cancelRemote(
	{ media }: Pick<StepDeps, "media">,
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
		logMediaError(context, "unavailable", error, "service not asked to cancel", { remoteId });
		const isFinal = error instanceof MediaRejectedError || (error instanceof MediaHttpError && error.status < 400);
		return isFinal ? "not_supported" : undefined;
	}
}
