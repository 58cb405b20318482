/**
 * The meanings of state words. The specification defines no words; these are common among services. A task with an
 * unknown word stays open until its deadline.
 */
export type StateMeaning = "queued" | "running" | "success" | "failed" | "canceled";

const WORDS_BY_MEANING: Readonly<Record<StateMeaning, readonly string[]>> = {
	queued: [
		"pending",
		"waiting",
		"queuing",
		"queueing",
		"queued",
		"in_queue",
		"created",
		"preparing",
		"starting",
		"submitted",
		"not_start",
		"throttled",
		"staged",
		"unprocessed",
		"task_queue",
		"scheduled",
	],
	running: [
		"processing",
		"in_progress",
		"running",
		"generating",
		"dreaming",
		"started",
		"retry",
		"retrying",
		// Partial results of sunoapi.
		"text_success",
		"first_success",
		"canceling",
		"cancelling",
	],
	success: ["success", "succeeded", "succeed", "completed", "complete", "done", "finished", "ready"],
	failed: [
		"failed",
		"fail",
		"failure",
		"error",
		"rejected",
		"timeout",
		"timed_out",
		"expired",
		"aborted",
		"faulted",
		"create_task_failed",
		"generate_audio_failed",
		"generate_mp4_failed",
		"callback_exception",
		"sensitive_word_error",
		"nsfw",
		"request_moderated",
		"content_moderated",
	],
	canceled: ["canceled", "cancelled", "revoked"],
};

const MEANING_BY_WORD: ReadonlyMap<string, StateMeaning> = new Map(
	Object.entries(WORDS_BY_MEANING).flatMap(([meaning, words]) =>
		words.map((word) => [word, meaning as StateMeaning] as const),
	),
);

/** Failure codes by the state words that imply one. */
const FAILURE_CODES = new Map([
	["timeout", "timeout"],
	["timed_out", "timeout"],
	["expired", "timeout"],
	["nsfw", "content_policy"],
	["sensitive_word_error", "content_policy"],
	["request_moderated", "content_policy"],
	["content_moderated", "content_policy"],
]);

/** Returns the word as `WORDS_BY_MEANING` spells it: in lower case, with underscores. */
export function normalizeState(word: string): string {
	return word
		.trim()
		.toLowerCase()
		.replaceAll(/[-\s]+/g, "_");
}

/** Returns `undefined` for an unknown word. The words of the profile come first. */
export function meaningOf(
	word: string,
	profileWords: Readonly<Record<string, StateMeaning>>,
): StateMeaning | undefined {
	return Object.hasOwn(profileWords, word) ? profileWords[word] : MEANING_BY_WORD.get(word);
}

/** Returns the failure code that a state word implies; `undefined` if it implies none. */
export function failureCodeOf(word: string): string | undefined {
	return FAILURE_CODES.get(word);
}
