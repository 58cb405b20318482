import { z } from "zod";
import { postJson } from "@atelier/common/post-json";
import {
	dataUrlOf,
	REVIEW_TIMEOUTS,
	textsOf,
	type ModerationClient,
	type PromptReview,
	type ReviewTimeouts,
} from "./moderation-client.ts";
import { verdictOn, type Verdict } from "./verdict.ts";

const RESPONSE_BYTES_MAX = 64 * 1024;

interface HookDeps {
	readonly url: string;
	readonly apiKey: string | undefined;
	readonly timeouts?: ReviewTimeouts;
}

const answerSchema = z.object({
	allow: z.boolean(),
	reason: z.string().nullish(),
	categories: z.array(z.string()).max(100).nullish(),
});

/** A moderation service with the interface of this bot: docs/deploy.md. */
export function createModerationHook({ url, apiKey, timeouts = REVIEW_TIMEOUTS }: HookDeps): ModerationClient {
	async function ask(body: object, timeoutMs: number): Promise<Verdict> {
		const answer = answerSchema.parse(await postJson({ url, apiKey, body, timeoutMs, bytesMax: RESPONSE_BYTES_MAX }));
		if (answer.allow) return { kind: "allowed" };
		const reason = answer.reason?.trim() ? answer.reason : undefined;
		const verdict = verdictOn(answer.categories ?? [], reason);
		if (verdict.kind !== "allowed") return verdict;
		return { kind: "refused", ...(reason !== undefined && { reason }) };
	}

	return {
		reviewPrompt: (review) => ask({ kind: "prompt", ...bodyOf(review) }, timeouts.promptMs),
		reviewResult: (review) =>
			ask({ kind: "result", ...bodyOf(review), images: review.images.map(dataUrlOf) }, timeouts.resultMs),
	};
}

function bodyOf({ guildId, userId, request }: PromptReview) {
	const { mediaType, model } = request;
	const { prompt: text, negativePrompt, lyrics } = textsOf(request);
	return { text, negativePrompt, lyrics, mediaType, model, guildId, userId };
}
