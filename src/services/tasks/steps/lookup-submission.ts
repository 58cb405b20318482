import { MediaError } from "../../generation/media-api.ts";
import type { SubmissionLookup } from "@atelier/media-protocol/parse-lookup";
import { logMediaError } from "./log-media-error.ts";
import type { StepContext, StepDeps } from "./step.ts";

/** An order may arrive after its sender gave up on the answer: before this "not here" only means "not yet". */
export const ARRIVES_WITHIN_MS = 30_000;

/** Looks an order up by its key. A service that does not answer, or answers nonsense, cannot tell. */
export async function lookupSubmission(
	{ media }: Pick<StepDeps, "media">,
	idempotencyKey: string,
	context: StepContext,
): Promise<SubmissionLookup> {
	try {
		return await media.find(idempotencyKey, context.signal);
	} catch (error) {
		if (!(error instanceof MediaError)) throw error;
		logMediaError(context, "away", error, "order not looked up");
		return { kind: "cannot_tell" };
	}
}
