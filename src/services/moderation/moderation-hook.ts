import { z } from "zod";
import { postJson } from "../post-json.ts";
import {
	dataUrlOf,
	REVIEW_TIMEOUTS,
	textsOf,
	type ModerationClient,
	type PromptReview,
	type ReviewTimeouts,
} from "./moderation-client.ts";
import { verdictFor, type Verdict } from "./verdict.ts";

const RESPONSE_BYTES_MAX = 64 * 1024;

interface HookDeps {
	readonly url: string;
	readonly apiKey: string | undefined;
	readonly timeouts?: ReviewTimeouts;
}

const responseSchema = z.object({
	allow: z.boolean(),
	reason: z.string().nullish(),
	categories: z.array(z.string()).max(100).nullish(),
});

/** Creates the client of a moderation service with the interface that docs/deploy.md describes (`MODERATION_KIND=hook`). */
export function createModerationHook({ url, apiKey, timeouts = REVIEW_TIMEOUTS }: HookDeps): ModerationClient {
	async function requestVerdict(body: object, timeoutMs: number): Promise<Verdict> {
		const response = responseSchema.parse(
			await postJson({ url, apiKey, body, timeoutMs, bytesMax: RESPONSE_BYTES_MAX }),
		);
		if (response.allow) return { kind: "allowed" };
		const reason = response.reason?.trim() ? response.reason : undefined;
		const verdict = verdictFor(response.categories ?? [], reason);
		if (verdict.kind !== "allowed") return verdict;
		return { kind: "rejected", ...(reason !== undefined && { reason }) };
	}

	return {
		reviewPrompt: (review) => requestVerdict({ kind: "prompt", ...bodyOf(review) }, timeouts.promptMs),
		reviewResult: (review) =>
			requestVerdict({ kind: "result", ...bodyOf(review), images: review.images.map(dataUrlOf) }, timeouts.resultMs),
	};
}

function bodyOf({ guildId, userId, request }: PromptReview) {
	const { mediaType, model } = request;
	const { prompt: text, negativePrompt, lyrics } = textsOf(request);
	return { text, negativePrompt, lyrics, mediaType, model, guildId, userId };
}
