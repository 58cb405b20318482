import { z } from "zod";
import { postJson } from "../post-json.ts";
import {
	dataUrlOf,
	IncompleteReviewError,
	REVIEW_TIMEOUTS,
	textsOf,
	type ModerationClient,
	type ReviewTimeouts,
} from "./moderation-client.ts";
import { joinVerdicts, verdictFor, type Verdict } from "./verdict.ts";

const RESPONSE_BYTES_MAX = 256 * 1024;

interface OpenAiModerationDeps {
	/** The base of an OpenAI-compatible API, such as `https://api.openai.com/v1`. */
	readonly url: string;
	readonly apiKey: string | undefined;
	readonly model: string;
	readonly timeouts?: ReviewTimeouts;
}

/** Categories that a model does not judge are null or absent. */
const responseSchema = z.object({
	results: z.array(z.object({ categories: z.record(z.string(), z.boolean().nullish()) })).min(1),
});

/** Creates the client of an OpenAI-compatible `POST /moderations`: https://platform.openai.com/docs/api-reference/moderations */
export function createOpenAiModeration({
	url,
	apiKey,
	model,
	timeouts = REVIEW_TIMEOUTS,
}: OpenAiModerationDeps): ModerationClient {
	const endpoint = `${url.replace(/\/+$/, "")}/moderations`;

	async function moderate(input: readonly unknown[], timeoutMs: number): Promise<Verdict> {
		const body = { model, input };
		const response = await postJson({ url: endpoint, apiKey, body, timeoutMs, bytesMax: RESPONSE_BYTES_MAX });
		const { results } = responseSchema.parse(response);
		const flaggedNames = results.map(({ categories }) =>
			Object.entries(categories).flatMap(([name, isFlagged]) => (isFlagged === true ? [name] : [])),
		);
		return joinVerdicts(flaggedNames.map((names) => verdictFor(names)));
	}

	return {
		async reviewPrompt({ request }) {
			const { prompt, negativePrompt = "", lyrics = "" } = textsOf(request);
			return await moderate(
				[prompt, negativePrompt, lyrics].filter((text) => text !== ""),
				timeouts.promptMs,
			);
		},
		async reviewResult({ images }) {
			// The API accepts one image in a request.
			const reviews = await Promise.allSettled(
				images.map((image) =>
					moderate([{ type: "image_url", image_url: { url: dataUrlOf(image) } }], timeouts.resultMs),
				),
			);
			const verdict = joinVerdicts(reviews.flatMap((review) => (review.status === "fulfilled" ? [review.value] : [])));
			const failed = reviews.find((review) => review.status === "rejected");
			if (failed) throw new IncompleteReviewError(verdict, failed.reason);
			return verdict;
		},
	};
}
