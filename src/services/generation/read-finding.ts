import type { Finding } from "./media-api.ts";
import type { MediaProfile } from "./profiles.ts";
import { readTaskId } from "./read-task.ts";
import { isObject } from "./read-value.ts";

/**
 * What a list of the tasks of one key says; `undefined` where it is none. Two tasks of one key, or one of another key, mean
 * that the service does not filter by it as it should.
 */
export function readFinding(payload: unknown, idempotencyKey: string, profile: MediaProfile): Finding | undefined {
	const tasks: unknown = isObject(payload) ? payload["tasks"] : payload;
	if (!Array.isArray(tasks)) return undefined;
	const [task, ...more]: unknown[] = tasks;
	if (task === undefined) return { kind: "absent" };
	const remoteId = readTaskId(task, profile);
	const key = isObject(task) ? (task["idempotencyKey"] ?? idempotencyKey) : undefined;
	if (remoteId === undefined || more.length > 0 || key !== idempotencyKey) return { kind: "cannot_tell" };
	return { kind: "found", remoteId };
}
