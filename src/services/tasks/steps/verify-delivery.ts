import { ReplyClientUnavailableError } from "../../delivery/reply-client.ts";
import type { TaskIn } from "../task.ts";
import { finalReplyOf } from "./deliver.ts";
import { moved, settledAgain, waitAfterFailure, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/**
 * delivered -> delivered if the reply still shows the result; -> settled, to deliver again, if a late progress edit
 * replaced it.
 */
export async function verifyDelivery(
	deps: StepDeps,
	task: TaskIn<"delivered">,
	checkAtMs: number,
	context: StepContext,
): Promise<StepResult> {
	const { clock, replyClient } = deps;
	if (clock.nowMs() < checkAtMs) return { kind: "wait", untilMs: checkAtMs, failed: false };
	try {
		const answer = await finalReplyOf(deps, task);
		const { checkAtMs: _over, ...certain } = task;
		// Files that are no longer stored cannot be delivered again: keep the reply as it is.
		const isKept = answer.files.length > 0 || !(task.shown.kind === "delivered" && task.shown.withFiles);
		if (!isKept || (await replyClient.isVisible(task.reply, answer, context.signal))) return moved(certain);
		context.logger.warn("late progress update replaced the result: delivering it again");
		return moved(settledAgain(task));
	} catch (error) {
		if (!(error instanceof ReplyClientUnavailableError)) throw error;
		context.logger.warn({ err: error }, "delivery not verified");
		return waitAfterFailure(deps, context, "unavailable", error.retryAfterMs);
	}
}
