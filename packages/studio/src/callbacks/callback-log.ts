/**
 * What became of a task's callback. `studio-callback:ID` is the log, `studio-callback-due:ID` stands from when it is there until
 * the last attempt: after a crash these are the callbacks to go on with. One that ends between the two begins anew: the task is
 * not settled yet.
 */
import type { Store, StoredDocument } from "@atelier/store/store";

export interface CallbackAttempt {
	readonly atMs: number;
	readonly durationMs: number;
	/** `null` where there was no answer; then `error` says why. */
	readonly httpStatus: number | null;
	readonly error: string | null;
}

export interface CallbackLog {
	readonly taskId: string;
	readonly url: string;
	readonly state: "pending" | "delivered" | "failed";
	/** When the next attempt is due; of no meaning once the state is not `pending`. */
	readonly dueAtMs: number;
	readonly attempts: readonly CallbackAttempt[];
}

/** How long to wait after the first, the second, … attempt; after the last one nothing more is tried. */
export const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** The receiver is gone and says so. */
const GONE = 410;

/** The log after one more attempt. */
export function afterAttempt(log: CallbackLog, attempt: CallbackAttempt): CallbackLog {
	const attempts = [...log.attempts, attempt];
	const { httpStatus } = attempt;
	if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) return { ...log, state: "delivered", attempts };
	const delayMs = RETRY_DELAYS_MS[attempts.length - 1];
	if (httpStatus === GONE || delayMs === undefined) return { ...log, state: "failed", attempts };
	return { ...log, dueAtMs: attempt.atMs + attempt.durationMs + delayMs, attempts };
}

export interface CallbackLogs {
	read(taskId: string): Promise<StoredDocument<CallbackLog> | undefined>;
	/** Notes that a callback is due, once: a log that is there stays as it is. */
	begin(log: CallbackLog): Promise<void>;
	/** False where somebody else was first. */
	write(before: StoredDocument<CallbackLog>, next: CallbackLog): Promise<boolean>;
	/** Nothing more is to be tried for this task. */
	close(taskId: string): Promise<void>;
	due(): AsyncIterable<string>;
	/** The task is no more. */
	remove(taskId: string): Promise<void>;
}

const LOG_PREFIX = "studio-callback:";
const DUE_PREFIX = "studio-callback-due:";

export function createCallbackLogs(store: Store): CallbackLogs {
	return {
		read: (taskId) => store.get<CallbackLog>(LOG_PREFIX + taskId),
		async begin(log) {
			// The log first: a sweep that comes in between would take what is due without a log for what is over.
			await store.compareAndSet(LOG_PREFIX + log.taskId, undefined, log);
			await store.set(DUE_PREFIX + log.taskId, { taskId: log.taskId });
		},
		write: async (before, next) => (await store.compareAndSet(before.key, before.raw, next)) !== undefined,
		close: (taskId) => store.delete(DUE_PREFIX + taskId),
		async remove(taskId) {
			await Promise.all([store.delete(DUE_PREFIX + taskId), store.delete(LOG_PREFIX + taskId)]);
		},
		async *due() {
			const damaged: string[] = [];
			const onCorrupt = (key: string): void => void damaged.push(key);
			for await (const { key } of store.scan(DUE_PREFIX, { onCorrupt })) yield key.slice(DUE_PREFIX.length);
			// One that cannot be read still says whose it is.
			for (const key of damaged) yield key.slice(DUE_PREFIX.length);
		},
	};
}
