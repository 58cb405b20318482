import type { Logger } from "pino";
import { quote } from "../../i18n/quote.ts";
import type { Denial } from "../user-error.ts";
import type { ModerationClient, PromptReview } from "./moderation-client.ts";
import { WRITTEN_OPTIONS } from "../settings/server-policy.ts";
import { applyRules, type CategoryRules, type Verdict } from "./verdict.ts";

const REASON_CHARS_MAX = 200;

export type PromptReviewer = ReturnType<typeof createPromptReviewer>;

interface PromptReviewerDeps {
	readonly moderationClient: Pick<ModerationClient, "reviewPrompt">;
	/** The decision if the service does not respond, or responds invalidly. */
	readonly failure: "deny" | "allow";
}

/** Lets the operator's moderation service judge prompts before anything is charged. */
export function createPromptReviewer({ moderationClient, failure }: PromptReviewerDeps) {
	return {
		/** Resolves to the denial, or to `undefined` for an allowed prompt. */
		async review(
			review: PromptReview,
			context: { readonly rules: CategoryRules; readonly isChannelAgeRestricted: () => Promise<boolean> },
			logger: Logger,
		): Promise<Denial | undefined> {
			let verdict: Verdict;
			try {
				verdict = await moderationClient.reviewPrompt(review);
			} catch (error) {
				logger.warn({ err: error, failure }, "moderation service did not respond");
				return failure === "allow" ? undefined : { key: "access.moderationDown" };
			}
			const ruling = await applyRules(verdict, context.rules, context.isChannelAgeRestricted);
			if (ruling.kind === "show") return undefined;
			const { cause, categories } = ruling;
			logger.info({ mediaType: review.request.mediaType, cause, categories }, "moderation service rejected content");
			// The service does not say which of the texts it rejects.
			const hasOtherTexts = WRITTEN_OPTIONS.some((option) => review.request.options[option]);
			const remedy = hasOtherTexts ? "editTexts" : "editPrompt";
			if (cause === "ageRestricted") return { key: "access.promptAgeRestricted", remedy };
			const reason = "reason" in verdict ? verdict.reason : undefined;
			const quotedReason = reason === undefined ? null : quote(reason, REASON_CHARS_MAX);
			return { key: "access.promptRejected", params: { reason: quotedReason }, remedy };
		},
	};
}
