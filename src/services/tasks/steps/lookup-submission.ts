import { MediaError } from "../../generation/media-api.ts";
import type { SubmissionLookup } from "@atelier/media-protocol/parse-lookup";
import { logMediaError } from "./log-media-error.ts";
import type { StepContext, StepDeps } from "./step.ts";

/** A request may arrive after its sender has timed out: "not found" becomes final after this time. */
export const ARRIVES_WITHIN_MS = 30_000;

/** Looks up a submission by its idempotency key. Without a valid response the outcome stays unknown. */
export async function lookupSubmission(
	{ media }: Pick<StepDeps, "media">,
	idempotencyKey: string,
	context: StepContext,
): Promise<SubmissionLookup> {
	try {
		return await media.find(idempotencyKey, context.signal);
	} catch (error) {
		if (!(error instanceof MediaError)) throw error;
		logMediaError(context, "unavailable", error, "order not looked up");
		return { kind: "cannot_tell" };
	}
}
