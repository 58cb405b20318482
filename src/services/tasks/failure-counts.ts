import { LRUCache } from "lru-cache";

/**
 * The kinds of failed attempts: the service is unavailable; its response is invalid; it names no file; a download fails; the disk
 * is full; the transcode queue is full; any other error. They are counted separately: an outage of an hour must not count towards
 * the bound of the next kind.
 */
export type FailureKind =
	| "unavailable"
	| "invalidResponse"
	| "missingFile"
	| "download"
	| "disk"
	| "busy"
	| "unexpected";
export type Failures = Readonly<Partial<Record<FailureKind, number>>>;

/** Tasks that continued in another process would otherwise stay in memory. */
const COUNTED_TASKS_MAX = 20_000;

/** Counts the consecutive failures of each task in this process. */
export interface FailureCounts {
	of(taskId: string): Failures;
	/** Counts a failure. Returns the number of consecutive ones of its kind. */
	add(taskId: string, kind: FailureKind): number;
	reset(taskId: string): void;
}

export function createFailureCounts(): FailureCounts {
	const counts = new LRUCache<string, Failures>({ max: COUNTED_TASKS_MAX });
	return {
		of: (taskId) => counts.get(taskId) ?? {},
		add(taskId, kind) {
			const before = counts.get(taskId);
			const count = (before?.[kind] ?? 0) + 1;
			counts.set(taskId, { ...before, [kind]: count });
			return count;
		},
		reset: (taskId) => void counts.delete(taskId),
	};
}
