/** Runs the due steps of a task. Resolves to the time of its next run (ms since epoch), or to `undefined` once it needs no more. */
export type RunTask = (taskId: string) => Promise<number | undefined>;

/** The next run of a task. */
export interface ScheduledRun {
	readonly taskId: string;
	readonly dueAtMs: number;
}

/**
 * Decides when tasks run. The schedule may be lost: the sweeper rebuilds it from the open tasks of the store. Processes that share a
 * queue never run a task at the same time, unless one of them stalls for longer than its lease lasts; the compare-and-set
 * of the store is correct even then.
 */
export interface TaskQueue {
	/** Runs a task as soon as possible. A running task runs once more afterwards: it may have read old data. */
	wake(taskId: string): void;
	/** Schedules a run for each task that has none; the others keep theirs. The first run is the earliest. */
	addMissing(runs: readonly ScheduledRun[]): Promise<void>;
	/** Resolves to the time (ms) by which the most overdue run is late; 0 if none waits past its due time. */
	oldestOverdueRunMs(): Promise<number>;
	/** Starts to run tasks. A run that throws is logged as an error and retried later. */
	start(runTask: RunTask): void;
	/** Starts no more runs, and waits for the active ones. */
	stop(): Promise<void>;
}
