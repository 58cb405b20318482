/**
 * The state words of services. The specification defines none; these are common in its family. An unknown word is no
 * end: the task continues until its deadline.
 */
export type StateMeaning = "queued" | "running" | "success" | "failed" | "canceled";

const WORDS: Readonly<Record<StateMeaning, readonly string[]>> = {
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

const MEANINGS: ReadonlyMap<string, StateMeaning> = new Map(
	Object.entries(WORDS).flatMap(([meaning, words]) => words.map((word) => [word, meaning as StateMeaning] as const)),
);

/** End states that name their reason. */
const TELLING = new Map([
	["timeout", "timeout"],
	["timed_out", "timeout"],
	["expired", "timeout"],
	["nsfw", "content_policy"],
	["sensitive_word_error", "content_policy"],
	["request_moderated", "content_policy"],
	["content_moderated", "content_policy"],
]);

export function normalWord(word: string): string {
	return word
		.trim()
		.toLowerCase()
		.replaceAll(/[-\s]+/g, "_");
}

/** `undefined` for an unknown word. The profile's `own` words come first. */
export function meaningOf(word: string, own: Readonly<Record<string, StateMeaning>>): StateMeaning | undefined {
	return Object.hasOwn(own, word) ? own[word] : MEANINGS.get(word);
}

/** Returns the failure code that the word implies. */
export function failureCodeOf(word: string): string | undefined {
	return TELLING.get(word);
}
