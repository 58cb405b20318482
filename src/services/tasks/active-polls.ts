import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { PollTask } from "./poll-queue.ts";

/** Delay before the retry of a poll that threw. */
const RETRY_AFTER_ERROR_MS = 30_000;
/** A longer poll hangs, because every wait in a poll has a shorter bound. */
const POLL_MS_MAX = 5 * 60_000;

interface RunningPoll {
	readonly startedAtMs: number;
	readonly done: Promise<void>;
	/** The earliest requested time of another poll (ms since epoch); infinity if none was requested. */
	requestedAtMs: number;
}

/** Tracks the polls that this process is running. */
export interface ActivePolls {
	readonly size: () => number;
	has(taskId: string): boolean;
	/** Requests one more poll after the running one, no later than `dueAtMs`. Returns false if the task is not being polled. */
	requestAnother(taskId: string, dueAtMs: number): boolean;
	/** Runs a poll and logs its error. Resolves to the time of the next poll; `undefined` if the task needs none. */
	run(taskId: string, poll: PollTask): Promise<number | undefined>;
	/** Returns by how many ms the longest running poll exceeds its bound; 0 if none does. */
	overdueMs(): number;
	/** Waits for the polls that are running now. */
	whenDone(): Promise<void>;
}

export function createActivePolls({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }): ActivePolls {
	const running = new Map<string, RunningPoll>();

	async function pollSafely(taskId: string, poll: PollTask): Promise<number | undefined> {
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
		requestAnother(taskId, dueAtMs) {
			const entry = running.get(taskId);
			if (entry) entry.requestedAtMs = Math.min(entry.requestedAtMs, dueAtMs);
			return entry !== undefined;
		},
		async run(taskId, poll) {
			const { promise: done, resolve } = Promise.withResolvers<void>();
			const entry: RunningPoll = { startedAtMs: clock.nowMs(), done, requestedAtMs: Number.POSITIVE_INFINITY };
			running.set(taskId, entry);
			const nextAtMs = (await pollSafely(taskId, poll)) ?? Number.POSITIVE_INFINITY;
			// After an expired lock, another poll of the same task may have replaced this entry.
			if (running.get(taskId) === entry) running.delete(taskId);
			resolve();
			const dueAtMs = Math.min(nextAtMs, entry.requestedAtMs);
			return dueAtMs === Number.POSITIVE_INFINITY ? undefined : dueAtMs;
		},
		overdueMs() {
			// Map entries keep the order in which polls started.
			const [longest] = running.values();
			return longest === undefined ? 0 : Math.max(0, clock.nowMs() - longest.startedAtMs - POLL_MS_MAX);
		},
		async whenDone() {
			await Promise.all([...running.values()].map(({ done }) => done));
		},
	};
}
