import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";

/**
 * The kinds of failed attempts: the service or Discord is unavailable; the service names no file; Discord's response is unusable; a
 * download fails; this machine cannot store or convert results; the transcode queue is full; any other error. They are counted
 * separately: an outage of an hour must not count towards the bound of the next kind.
 */
export type AttemptFailureKind =
	| "unavailable"
	| "missingFile"
	| "unusableResponse"
	| "download"
	| "machine"
	| "transcodeQueueFull"
	| "unexpected";

/** Consecutive failed attempts of a task in this process. */
export interface FailedAttempts {
	readonly counts: Readonly<Partial<Record<AttemptFailureKind, number>>>;
	/** Absent without any, as is `sinceMs`. */
	readonly latestKind?: AttemptFailureKind;
	/** The time of the first one. */
	readonly sinceMs?: number;
}

export const NO_FAILED_ATTEMPTS: FailedAttempts = { counts: {} };

/** Tasks that continued in another process would otherwise stay in memory. */
const COUNTED_TASKS_MAX = 100_000;
/** Longer than any wait before a retry: after it, another process has run the task, perhaps with success. */
const COUNTED_MS_MAX = 2 * 60_000;

/** Counts the consecutive failed attempts of each task in this process. */
export function createAttemptCounter({ clock }: { readonly clock: Clock }) {
	const failures = new LRUCache<string, FailedAttempts>({
		// With `max`, it would allocate all entries at once.
		maxSize: COUNTED_TASKS_MAX,
		sizeCalculation: () => 1,
		ttl: COUNTED_MS_MAX,
		ttlResolution: 0,
		// Only `beginRun` forgets.
		allowStale: true,
		noDeleteOnStaleGet: true,
		perf: { now: () => clock.nowMs() },
	});
	return {
		/** Forgets attempts that another process must have ended. Called before a run, so that a long attempt cannot outlast its counts. */
		beginRun(taskId: string): void {
			if (!failures.has(taskId)) failures.delete(taskId);
		},
		of: (taskId: string): FailedAttempts => failures.get(taskId) ?? NO_FAILED_ATTEMPTS,
		/** Counts a failure. Returns the number of consecutive ones of its kind. */
		add(taskId: string, kind: AttemptFailureKind): number {
			const { counts, sinceMs = clock.nowMs() } = failures.get(taskId) ?? NO_FAILED_ATTEMPTS;
			const count = (counts[kind] ?? 0) + 1;
			failures.set(taskId, { counts: { ...counts, [kind]: count }, latestKind: kind, sinceMs });
			return count;
		},
		reset(taskId: string): void {
			failures.delete(taskId);
		},
	};
}
