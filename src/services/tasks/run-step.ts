import { TranscodeQueueFullError } from "../delivery/download-result.ts";
import { ReplyClientUnavailableError, UnusableResponseError } from "../delivery/reply-client.ts";
import type { Task } from "./task.ts";
import { deliver, verifyDelivery } from "./steps/deliver.ts";
import { poll } from "./steps/poll.ts";
import { resolveUnconfirmed } from "./steps/resolve-unconfirmed.ts";
import {
	canceledOutcome,
	settled,
	waitAfterFailure,
	type StepContext,
	type StepDeps,
	type StepResult,
} from "./steps/step.ts";
import { beginSubmit, submit } from "./steps/submit.ts";
import { withdraw } from "./steps/withdraw.ts";

/** About the duration of one video transcode: an earlier retry would seldom find room. */
const TRANSCODE_RETRY_MS = 10_000;

/** Runs the step of the task's state. Waits if Discord is unavailable or the transcode queue is full: the task did not fail. */
export async function runStepOrWait(deps: StepDeps, task: Task, context: StepContext): Promise<StepResult> {
	try {
		return await runStep(deps, task, context);
	} catch (error) {
		if (error instanceof ReplyClientUnavailableError) {
			context.logger.warn({ err: error }, "delivery postponed");
			const kind = error instanceof UnusableResponseError ? "unusableResponse" : "unavailable";
			return waitAfterFailure(deps, context, kind, error.retryAfterMs);
		}
		if (!(error instanceof TranscodeQueueFullError)) throw error;
		context.logger.warn({ err: error }, "transcode postponed");
		return waitAfterFailure(deps, context, "transcodeQueueFull", TRANSCODE_RETRY_MS);
	}
}

async function runStep(deps: StepDeps, task: Task, context: StepContext): Promise<StepResult> {
	switch (task.state) {
		case "reserved":
			return task.cancel ? settled(canceledOutcome(task.cancel)) : beginSubmit(deps, task, context);
		case "submitting":
			return await submit(deps, task, context);
		case "unconfirmed":
			return await resolveUnconfirmed(deps, task, context);
		case "submitted":
			return await poll(deps, task, context);
		case "settled":
			return await deliver(deps, task, context);
		case "delivered":
			return task.checkAtMs === undefined
				? await withdraw(deps, task, context)
				: await verifyDelivery(deps, task, task.checkAtMs, context);
		case "withdrawn":
			throw new Error(`task ${task.id} has ended`);
	}
}
