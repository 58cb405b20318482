import type { Member } from "../access/member.ts";
import type { GenerationRequest } from "../generation/request.ts";
import type { Verdict } from "./verdict.ts";

export interface PromptReview extends Member {
	readonly request: GenerationRequest;
}

interface ResultReview extends PromptReview {
	/** JPEG files: the images of a result, or some frames of a video. */
	readonly images: readonly Uint8Array[];
}

/** Some images of a result could not be judged. `verdict` is the one on the others. */
export class IncompleteReviewError extends Error {
	override readonly name = "IncompleteReviewError";
	readonly verdict: Verdict;

	constructor(verdict: Verdict, cause: unknown) {
		super("the moderation service did not judge all images", { cause });
		this.verdict = verdict;
	}
}

/** A moderation service of the operator. Both methods reject if it does not respond in time, or not validly. */
export interface ModerationClient {
	reviewPrompt(review: PromptReview): Promise<Verdict>;
	reviewResult(review: ResultReview): Promise<Verdict>;
}

export interface ReviewTimeouts {
	readonly promptMs: number;
	readonly resultMs: number;
}

export const REVIEW_TIMEOUTS: ReviewTimeouts = { promptMs: 5_000, resultMs: 15_000 };

/** Returns the texts of a request that its member wrote; `undefined` for an option without text. */
export function textsOf({ prompt, options }: GenerationRequest) {
	return {
		prompt,
		negativePrompt: textOrUndefined(options["negative_prompt"]),
		lyrics: textOrUndefined(options["lyrics"]),
	};
}

export function dataUrlOf(jpeg: Uint8Array): string {
	return `data:image/jpeg;base64,${Buffer.from(jpeg).toString("base64")}`;
}

function textOrUndefined(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}
