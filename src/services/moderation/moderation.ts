import type { Logger } from "pino";
import { quote } from "../../i18n/quote.ts";
import type { MessageRef } from "../../i18n/message-ref.ts";
import type { ModerationClient, PromptReview, ResultReview } from "./moderation-client.ts";
import { ruleOn, SHOWN, type CategoryRules, type Ruling, type Verdict } from "./verdict.ts";

const REASON_CHARS_MAX = 200;

/** The rules of a server, and the channel of a request or its result. */
interface ModeratedPlace {
	readonly rules: CategoryRules;
	readonly isChannelAgeRestricted: () => Promise<boolean>;
}

/** Applies the verdicts of the operator's moderation service, and the operator's decision if it does not respond. */
export interface Moderation {
	/** Resolves to the reason of a denial, or `undefined`. */
	reviewPrompt(review: PromptReview, place: ModeratedPlace, logger: Logger): Promise<MessageRef | undefined>;
	/** `imagesOf` rejects if the files cannot be read: that counts as no response. */
	reviewResult(
		review: PromptReview,
		imagesOf: () => Promise<ResultReview["images"]>,
		place: ModeratedPlace,
		logger: Logger,
	): Promise<Ruling>;
}

interface ModerationDeps {
	readonly client: ModerationClient;
	/** The decision if the service does not respond, or with an invalid response. */
	readonly failure: "allow" | "refuse";
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
			const ruling = await ruleOn(verdict, rules, isChannelAgeRestricted);
			if (ruling.kind === "show") return undefined;
			const { cause, categories } = ruling;
			logger.info({ mediaType: review.request.mediaType, cause, categories }, "moderation service refused");
			if (cause === "ageRestricted") return { key: "access.promptAgeRestricted" };
			const reason = "reason" in verdict ? verdict.reason : undefined;
			const shown = reason === undefined ? null : quote(reason, REASON_CHARS_MAX);
			return { key: "access.promptRejected", params: { reason: shown } };
		},
		async reviewResult(review, imagesOf, { rules, isChannelAgeRestricted }, logger) {
			let verdict: Verdict;
			try {
				const images = await imagesOf();
				// Music has none: its lyrics were reviewed with the prompt.
				if (images.length === 0) return SHOWN;
				verdict = await client.reviewResult({ ...review, images });
			} catch (error) {
				logger.warn({ err: error, failure }, "result not checked by the moderation service");
				return failure === "allow" ? SHOWN : { kind: "withhold", cause: "unchecked", categories: [] };
			}
			return await ruleOn(verdict, rules, isChannelAgeRestricted);
		},
	};
}
