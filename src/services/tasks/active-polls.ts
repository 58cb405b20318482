import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Poll } from "./poll-queue.ts";

/** Delay before the retry of a poll that threw. */
const RETRY_AFTER_ERROR_MS = 30_000;
/** Upper bound of one poll: every wait in it has a shorter bound, so a longer poll hangs. */
const POLL_MS_MAX = 5 * 60_000;

interface Running {
	readonly startedAtMs: number;
	readonly done: Promise<void>;
	/** Earliest poll requested since this one started (ms since epoch). */
	againAtMs: number;
}

/** Tracks the polls that this process is running. */
export interface ActivePolls {
	readonly size: () => number;
	has(taskId: string): boolean;
	/** Requests one more poll, no later than `dueAtMs`. Returns false if the task is not being polled. */
	askAgain(taskId: string, dueAtMs: number): boolean;
	/** Runs a poll without throwing. Resolves to the time of the next poll. */
	run(taskId: string, poll: Poll): Promise<number | undefined>;
	/** Returns by how many ms the longest poll exceeds its bound; 0 if none does. */
	overdueMs(): number;
	whenDone(): Promise<void>;
}

export function createActivePolls({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }): ActivePolls {
	const running = new Map<string, Running>();

	async function safely(taskId: string, poll: Poll): Promise<number | undefined> {
		try {
			return await poll(taskId);
		} catch (error) {
			logger.error({ err: error, taskId }, "poll failed");
			return clock.nowMs() + RETRY_AFTER_ERROR_MS;
		}
	}

	return {
		size: () => running.size,
		has: (taskId) => running.has(taskId),
		askAgain(taskId, dueAtMs) {
			const entry = running.get(taskId);
			if (entry) entry.againAtMs = Math.min(entry.againAtMs, dueAtMs);
			return entry !== undefined;
		},
		async run(taskId, poll) {
			const { promise: done, resolve } = Promise.withResolvers<void>();
			const entry: Running = { startedAtMs: clock.nowMs(), done, againAtMs: Number.POSITIVE_INFINITY };
			running.set(taskId, entry);
			const nextAtMs = (await safely(taskId, poll)) ?? Number.POSITIVE_INFINITY;
			// After an expired lock, another poll of the same task may have replaced this entry.
			if (running.get(taskId) === entry) running.delete(taskId);
			resolve();
			const dueAtMs = Math.min(nextAtMs, entry.againAtMs);
			return dueAtMs === Number.POSITIVE_INFINITY ? undefined : dueAtMs;
		},
		overdueMs() {
			// Map entries keep the order in which polls started.
			const [first] = running.values();
			return first === undefined ? 0 : Math.max(0, clock.nowMs() - first.startedAtMs - POLL_MS_MAX);
		},
		async whenDone() {
			await Promise.all([...running.values()].map(({ done }) => done));
		},
	};
}
