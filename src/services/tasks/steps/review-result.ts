import { messageOfWithheld } from "../../moderation/withheld-results.ts";
import { settled, type StepContext, type StepDeps, type StepResult } from "./step.ts";
import type { Success, TaskIn } from "../task.ts";

type ReviewDeps = Pick<StepDeps, "resultReviewer" | "results">;

/**
 * submitted -> settled with the stored result, as the moderation service of the operator and the rules of the server allow it.
 * A withheld result is a failure, so that it costs nothing; its files stay if the moderators may see them.
 */
export async function finishReviewed(
	{ resultReviewer, results }: ReviewDeps,
	task: TaskIn<"submitted">,
	outcome: Success,
	{ signal, logger }: StepContext,
): Promise<StepResult> {
	if (!resultReviewer) return settled(outcome);
	const ruling = await resultReviewer.review(task, outcome.files, { signal, logger });
	if (ruling.kind === "show") {
		const isSpoiler = task.presentation.isSpoiler || ruling.isSpoiler;
		return { ...settled(outcome), presentation: { ...task.presentation, isSpoiler } };
	}
	const { cause, categories, isForModerators } = ruling;
	const failure = { kind: "failed", cause: "withheld", why: messageOfWithheld(cause, isForModerators) } as const;
	if (!isForModerators) {
		await results.remove(task.id);
		return settled(failure);
	}
	const { files, seed, leftOutCount } = outcome;
	const withheld = { files, seed, ...(leftOutCount !== undefined && { leftOutCount }), cause, categories };
	return settled({ ...failure, withheld });
}
