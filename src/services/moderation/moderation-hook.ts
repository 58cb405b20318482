import { z } from "zod";
import { postJson } from "@atelier/common/post-json";
import { dataUrlOf, textsOf, type ModerationClient, type PromptReview } from "./moderation-client.ts";
import { verdictOn, type Verdict } from "./verdict.ts";

const PROMPT_TIMEOUT_MS = 5_000;
const RESULT_TIMEOUT_MS = 15_000;
const RESPONSE_BYTES_MAX = 64 * 1024;

interface HookDeps {
	readonly url: string;
	readonly apiKey: string | undefined;
	readonly promptTimeoutMs?: number;
	readonly resultTimeoutMs?: number;
}

const answerSchema = z.object({
	allow: z.boolean(),
	reason: z.string().nullish(),
	categories: z.array(z.string()).max(100).nullish(),
});

/** A moderation service with the interface of this bot: docs/deploy.md. */
export function createModerationHook({
	url,
	apiKey,
	promptTimeoutMs = PROMPT_TIMEOUT_MS,
	resultTimeoutMs = RESULT_TIMEOUT_MS,
}: HookDeps): ModerationClient {
	async function ask(body: object, timeoutMs: number): Promise<Verdict> {
		const answer = answerSchema.parse(await postJson({ url, apiKey, body, timeoutMs, bytesMax: RESPONSE_BYTES_MAX }));
		if (answer.allow) return { kind: "allowed" };
		const reason = answer.reason?.trim() ? answer.reason : undefined;
		const verdict = verdictOn(answer.categories ?? [], reason);
		if (verdict.kind !== "allowed") return verdict;
		return { kind: "refused", ...(reason !== undefined && { reason }) };
	}

	return {
		reviewPrompt: (review) => ask({ kind: "prompt", ...bodyOf(review) }, promptTimeoutMs),
		reviewResult: (review) =>
			ask({ kind: "result", ...bodyOf(review), images: review.images.map(dataUrlOf) }, resultTimeoutMs),
	};
}

function bodyOf({ guildId, userId, request }: PromptReview) {
	const { mediaType, model } = request;
	const { prompt: text, negativePrompt, lyrics } = textsOf(request);
	return { text, negativePrompt, lyrics, mediaType, model, guildId, userId };
}
