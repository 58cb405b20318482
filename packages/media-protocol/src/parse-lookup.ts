import type { MediaProfile } from "./profiles.ts";
import { readTaskId } from "./parse-task.ts";
import { isObject } from "./parse-value.ts";

/** Result of looking up a submit whose answer was lost. Only `absent` means that the service took nothing. */
export type SubmissionLookup =
	| { readonly kind: "found"; readonly remoteId: string }
	| { readonly kind: "absent" }
	| { readonly kind: "cannot_tell" };

/**
 * What a list of the tasks of one key says; `undefined` where it is none. Two tasks of one key, or one of another key, mean
 * that the service does not filter by it as it should.
 */
export function readFinding(
	payload: unknown,
	idempotencyKey: string,
	profile: MediaProfile,
): SubmissionLookup | undefined {
	const tasks: unknown = isObject(payload) ? payload["tasks"] : payload;
	if (!Array.isArray(tasks)) return undefined;
	const [task, ...more]: unknown[] = tasks;
	if (task === undefined) return { kind: "absent" };
	const remoteId = readTaskId(task, profile);
	const key = isObject(task) ? (task["idempotencyKey"] ?? idempotencyKey) : undefined;
	if (remoteId === undefined || more.length > 0 || key !== idempotencyKey) return { kind: "cannot_tell" };
	return { kind: "found", remoteId };
}
