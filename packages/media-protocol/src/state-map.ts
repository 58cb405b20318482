/**
 * What services call the states of a task. The specification shows no word at all; these are those of its family. A
 * word that is not here is no end: the task goes on, and its deadline ends the wait.
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
		// Partial results of sunoapi: more is to come.
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

/** Ends that say why. */
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

/** `undefined` for a word that nobody here knows. `own` are those of the profile, which come first. */
export function meaningOf(word: string, own: Readonly<Record<string, StateMeaning>>): StateMeaning | undefined {
	return Object.hasOwn(own, word) ? own[word] : MEANINGS.get(word);
}

/** The code of a failure that the word itself tells. */
export function failureCodeOf(word: string): string | undefined {
	return TELLING.get(word);
}
