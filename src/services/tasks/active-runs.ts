import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { RunTask } from "./task-queue.ts";

/** Delay before the retry of a run that threw. */
const RETRY_AFTER_ERROR_MS = 30_000;

interface ActiveRun {
	readonly done: Promise<void>;
	/** The earliest requested time of another run (ms since epoch); infinity if none was requested. */
	requestedAtMs: number;
}

/** Tracks the tasks that this process is running. */
export function createActiveRuns({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
	const running = new Map<string, ActiveRun>();

	async function runSafely(taskId: string, runTask: RunTask): Promise<number | undefined> {
		try {
			return await runTask(taskId);
		} catch (error) {
			logger.error({ err: error, taskId }, "task run failed");
			return clock.nowMs() + RETRY_AFTER_ERROR_MS;
		}
	}

	return {
		size: (): number => running.size,
		has: (taskId: string): boolean => running.has(taskId),
		/** Requests one more run after the running one, no later than `dueAtMs`. Returns false if the task is not running. */
		requestAnother(taskId: string, dueAtMs: number): boolean {
			const entry = running.get(taskId);
			if (entry) entry.requestedAtMs = Math.min(entry.requestedAtMs, dueAtMs);
			return entry !== undefined;
		},
		/** Runs a task and logs its error. Resolves to the time of the next run; `undefined` if the task needs none. */
		async run(taskId: string, runTask: RunTask): Promise<number | undefined> {
			const { promise: done, resolve } = Promise.withResolvers<void>();
			const entry: ActiveRun = { done, requestedAtMs: Number.POSITIVE_INFINITY };
			running.set(taskId, entry);
			const nextAtMs = (await runSafely(taskId, runTask)) ?? Number.POSITIVE_INFINITY;
			running.delete(taskId);
			resolve();
			const dueAtMs = Math.min(nextAtMs, entry.requestedAtMs);
			return dueAtMs === Number.POSITIVE_INFINITY ? undefined : dueAtMs;
		},
		/** Waits for the runs that are active now. */
		async whenDone(): Promise<void> {
			await Promise.all([...running.values()].map(({ done }) => done));
		},
	};
}
