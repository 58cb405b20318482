/** Rules for polls that Discord enforces beyond its schema. */
import type { FieldError } from "../simulator/api-error.ts";
import { POLL_ANSWER_CHARS_MAX } from "../user-actions/value-limits.ts";

interface PollMedia {
	readonly text?: string | null;
	readonly emoji?:
		| { readonly id?: string | null | undefined; readonly name?: string | null; readonly animated?: boolean | null }
		| null
		| undefined;
}

export interface PollBody {
	readonly question: PollMedia;
	readonly answers: readonly { readonly poll_media: PollMedia }[];
	readonly allow_multiselect?: boolean | null | undefined;
	/** Hours. */
	readonly duration?: number | null | undefined;
}

export function pollErrors({ question, answers }: PollBody): FieldError[] {
	return [
		...textErrors(question, ["poll", "question", "text"]),
		...answers.flatMap(({ poll_media: media }, index) =>
			textErrors(media, ["poll", "answers", index, "poll_media", "text"], POLL_ANSWER_CHARS_MAX),
		),
	];
}

function textErrors({ text }: PollMedia, path: FieldError["path"], charsMax = Number.POSITIVE_INFINITY): FieldError[] {
	if (!text?.trim()) return [{ path, code: "BASE_TYPE_REQUIRED", message: "This field is required" }];
	if (text.length <= charsMax) return [];
	return [{ path, code: "BASE_TYPE_MAX_LENGTH", message: `Must be ${charsMax} or fewer in length.` }];
}
