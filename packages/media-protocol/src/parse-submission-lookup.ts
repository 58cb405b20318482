import type { MediaProfile } from "./profiles.ts";
import { parseTaskId } from "./parse-task.ts";
import { isObject } from "./parse-value.ts";

/** The result of looking up a submit whose response was lost. Only `absent` means that the service did not accept it. */
export type SubmissionLookup =
	| { readonly kind: "found"; readonly remoteId: string }
	| { readonly kind: "absent" }
	| { readonly kind: "cannot_tell" };

/**
 * Parses the list of tasks of one idempotency key; `undefined` if it is not a list. Several tasks, or one with another
 * key, mean that the service does not filter by the key.
 */
export function parseSubmissionLookup(
	payload: unknown,
	idempotencyKey: string,
	profile: MediaProfile,
): SubmissionLookup | undefined {
	const tasks: unknown = isObject(payload) ? payload["tasks"] : payload;
	if (!Array.isArray(tasks)) return undefined;
	const [task, ...more]: unknown[] = tasks;
	if (task === undefined) return { kind: "absent" };
	const remoteId = parseTaskId(task, profile);
	const key = isObject(task) ? (task["idempotencyKey"] ?? idempotencyKey) : undefined;
	if (remoteId === undefined || more.length > 0 || key !== idempotencyKey) return { kind: "cannot_tell" };
	return { kind: "found", remoteId };
}
