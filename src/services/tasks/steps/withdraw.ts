import { MediaError, MediaTimeoutError, MediaUnavailableError } from "../../generation/media-api.ts";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import type { Abandoned, Outcome, TaskIn, WithdrawalEnd } from "../task.ts";
import { verifyDelivery } from "./verify-delivery.ts";
import { cancelRemote } from "./cancel-remote.ts";
import { ARRIVES_WITHIN_MS, lookupSubmission } from "./lookup-submission.ts";
import { logMediaError } from "./log-media-error.ts";
import { moved, waitAfterFailure, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/** Nobody waits for this any more. */
const LOOK_AGAIN_AFTER_MS = 30_000;
/** A service that answers nonsense, or has no memory of a task, is not asked for ever. */
const FAILURES_MAX = 5;

/**
 * delivered -> withdrawn, for a task that was given up and given back while the service may still be making it: the service
 * is told to stop, and followed until it says that it has ended. Every other task has its end in `delivered`.
 */
export async function withdraw(deps: StepDeps, task: TaskIn<"delivered">, context: StepContext): Promise<StepResult> {
	const { outcome, checkAtMs } = task;
	if (checkAtMs !== undefined) return await verifyDelivery(deps, task, checkAtMs, context);
	if (outcome.kind !== "failed" || !outcome.abandoned) return { kind: "ended" };
	const { remoteId, untilMs } = outcome.abandoned;
	if (deps.clock.nowMs() > untilMs) {
		const order = { remoteId, idempotencyKey: task.id };
		context.logger.error(order, "an order that was given up may still be made and billed, look it up at the service");
		return withdrawn(task, "unknown");
	}
	if (remoteId === null) return await search(deps, task, outcome, outcome.abandoned, context);
	if (task.cancelAnswer === undefined) {
		const cancelAnswer = await cancelRemote(deps, remoteId, context);
		if (!cancelAnswer) return waitAfterFailure(deps, context, "away");
		return moved({ ...task, cancelAnswer });
	}
	return await follow(deps, task, remoteId, context);
}

async function search(
	deps: StepDeps,
	task: TaskIn<"delivered">,
	outcome: Extract<Outcome, { kind: "failed" }>,
	abandoned: Abandoned,
	context: StepContext,
): Promise<StepResult> {
	const finding = await lookupSubmission(deps, task.id, context);
	switch (finding.kind) {
		case "found":
			return moved({ ...task, outcome: { ...outcome, abandoned: { ...abandoned, remoteId: finding.remoteId } } });
		case "absent":
			if (deps.clock.nowMs() < task.deliveredAtMs + ARRIVES_WITHIN_MS) return lookAgain(deps);
			return withdrawn(task, "notTaken");
		case "cannot_tell":
			return lookAgain(deps);
	}
}

async function follow(
	deps: StepDeps,
	task: TaskIn<"delivered">,
	remoteId: string,
	context: StepContext,
): Promise<StepResult> {
	const { logger, signal, failures } = context;
	let remote: RemoteTask;
	try {
		remote = await deps.media.read(remoteId, task.order, signal);
	} catch (error) {
		if (!(error instanceof MediaError)) throw error;
		const isAway = error instanceof MediaUnavailableError || error instanceof MediaTimeoutError;
		const kind = isAway ? "away" : "nonsense";
		logMediaError(context, kind, error, "look at an order that was given up failed", { remoteId });
		if (isAway) return waitAfterFailure(deps, context, "away");
		if ((failures.nonsense ?? 0) + 1 < FAILURES_MAX) return waitAfterFailure(deps, context, "nonsense");
		return withdrawn(task, "unknown");
	}
	switch (remote.state) {
		case "open":
			return lookAgain(deps);
		case "failed":
			return withdrawn(task, "stopped");
		case "success":
			logger.warn({ remoteId }, "made after it was given up: neither shown nor charged");
			return withdrawn(task, "madeTooLate");
	}
}

function lookAgain({ clock }: StepDeps): StepResult {
	return { kind: "wait", untilMs: clock.nowMs() + LOOK_AGAIN_AFTER_MS, failed: false };
}

function withdrawn(task: TaskIn<"delivered">, end: WithdrawalEnd): StepResult {
	return moved({ ...task, state: "withdrawn", end });
}
