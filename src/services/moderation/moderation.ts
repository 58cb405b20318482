import type { Logger } from "pino";
import { quote } from "../../i18n/quote.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import type { ModerationClient, PromptReview, ResultReview } from "./moderation-client.ts";
import { applyRules, SHOW, type CategoryRules, type Ruling, type Verdict } from "./verdict.ts";

const REASON_CHARS_MAX = 200;

/** The rules of a server, and the channel of a request or its result. */
interface ModerationContext {
	readonly rules: CategoryRules;
	readonly isChannelAgeRestricted: () => Promise<boolean>;
}

/** Applies the verdicts of the operator's moderation service; without a response, the operator's `MODERATION_FAILURE` setting decides. */
export interface Moderation {
	/** Resolves to the message of a denial, or to `undefined` for an allowed prompt. */
	reviewPrompt(
		review: PromptReview,
		context: ModerationContext,
		logger: Logger,
	): Promise<MessageDescriptor | undefined>;
	/** Resolves to the decision about a result. Counts a rejection of `imagesOf`, for files that cannot be read, as a missing response. */
	reviewResult(
		review: PromptReview,
		imagesOf: () => Promise<ResultReview["images"]>,
		context: ModerationContext,
		logger: Logger,
	): Promise<Ruling>;
}

interface ModerationDeps {
	readonly client: ModerationClient;
	/** The decision if the service does not respond, or responds invalidly. */
	readonly failure: "deny" | "allow";
}

export function createModeration({ client, failure }: ModerationDeps): Moderation {
	return {
		async reviewPrompt(review, { rules, isChannelAgeRestricted }, logger) {
			let verdict: Verdict;
			try {
				verdict = await client.reviewPrompt(review);
			} catch (error) {
				logger.warn({ err: error, failure }, "moderation service did not respond");
				return failure === "allow" ? undefined : { key: "access.moderationDown" };
			}
			const ruling = await applyRules(verdict, rules, isChannelAgeRestricted);
			if (ruling.kind === "show") return undefined;
			const { cause, categories } = ruling;
			logger.info({ mediaType: review.request.mediaType, cause, categories }, "moderation service rejected content");
			if (cause === "ageRestricted") return { key: "access.promptAgeRestricted" };
			const reason = "reason" in verdict ? verdict.reason : undefined;
			const quotedReason = reason === undefined ? null : quote(reason, REASON_CHARS_MAX);
			return { key: "access.promptRejected", params: { reason: quotedReason } };
		},
		async reviewResult(review, imagesOf, { rules, isChannelAgeRestricted }, logger) {
			let verdict: Verdict;
			try {
				const images = await imagesOf();
				// Music has no images: its lyrics were reviewed with the prompt.
				if (images.length === 0) return SHOW;
				verdict = await client.reviewResult({ ...review, images });
			} catch (error) {
				logger.warn({ err: error, failure }, "result not checked by the moderation service");
				return failure === "allow" ? SHOW : { kind: "withhold", cause: "unchecked", categories: [] };
			}
			return await applyRules(verdict, rules, isChannelAgeRestricted);
		},
	};
}
