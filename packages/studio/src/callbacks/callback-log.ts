/**
 * The delivery log of a task's callback. `studio-callback:ID` is the log. `studio-callback-due:ID` exists until the last
 * attempt: after a crash these callbacks are continued. After a crash between the two writes the callback is scheduled
 * again, because the task is not settled yet.
 */
import type { Store, StoredDocument } from "@atelier/store/store";

export interface CallbackAttempt {
	readonly atMs: number;
	readonly durationMs: number;
	/** `null` without a response; `error` then gives the reason. */
	readonly httpStatus: number | null;
	readonly error: string | null;
}

export interface CallbackLog {
	readonly taskId: string;
	readonly url: string;
	readonly state: "pending" | "delivered" | "failed";
	/** Time of the next attempt; meaningful only in state `pending`. */
	readonly dueAtMs: number;
	readonly attempts: readonly CallbackAttempt[];
}

/** The delays after the first, second, … attempt. After the last one there is no retry. */
export const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** The receiver wants no more callbacks. */
const GONE = 410;

/** Returns the log with one more attempt. */
export function withAttempt(log: CallbackLog, attempt: CallbackAttempt): CallbackLog {
	const attempts = [...log.attempts, attempt];
	const { httpStatus } = attempt;
	if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) return { ...log, state: "delivered", attempts };
	const delayMs = RETRY_DELAYS_MS[attempts.length - 1];
	if (httpStatus === GONE || delayMs === undefined) return { ...log, state: "failed", attempts };
	return { ...log, dueAtMs: attempt.atMs + attempt.durationMs + delayMs, attempts };
}

export interface CallbackLogs {
	/** Returns `undefined` for a task without a callback. */
	read(taskId: string): Promise<StoredDocument<CallbackLog> | undefined>;
	/** Writes the log and marks the callback as due. An existing log stays unchanged. */
	create(log: CallbackLog): Promise<void>;
	/** Resolves to `false` if another write came first. */
	write(before: StoredDocument<CallbackLog>, next: CallbackLog): Promise<boolean>;
	/** Ends the attempts for this task. */
	close(taskId: string): Promise<void>;
	/** Yields the tasks whose callback has attempts left. */
	dueTaskIds(): AsyncIterable<string>;
	/** Removes the log, together with its task. */
	remove(taskId: string): Promise<void>;
}

const LOG_PREFIX = "studio-callback:";
const DUE_PREFIX = "studio-callback-due:";

export function createCallbackLogs(store: Store): CallbackLogs {
	return {
		read: (taskId) => store.get<CallbackLog>(LOG_PREFIX + taskId),
		async create(log) {
			// The log first: a sweep in between would treat a due marker without a log as finished.
			await store.compareAndSet(LOG_PREFIX + log.taskId, undefined, log);
			await store.set(DUE_PREFIX + log.taskId, { taskId: log.taskId });
		},
		write: async (before, next) => (await store.compareAndSet(before.key, before.raw, next)) !== undefined,
		close: (taskId) => store.delete(DUE_PREFIX + taskId),
		async remove(taskId) {
			await Promise.all([store.delete(DUE_PREFIX + taskId), store.delete(LOG_PREFIX + taskId)]);
		},
		async *dueTaskIds() {
			const corruptKeys: string[] = [];
			const onCorrupt = (key: string): void => void corruptKeys.push(key);
			for await (const { key } of store.scan(DUE_PREFIX, { onCorrupt })) yield key.slice(DUE_PREFIX.length);
			// A corrupt marker still names its task.
			for (const key of corruptKeys) yield key.slice(DUE_PREFIX.length);
		},
	};
}
