/** Polls a task. Resolves to the time of its next poll (ms since epoch), or to `undefined` once it needs no more. */
export type PollTask = (taskId: string) => Promise<number | undefined>;

/** A poll to be scheduled. */
export interface PlannedPoll {
	readonly taskId: string;
	readonly dueAtMs: number;
}

/**
 * Schedules the polls of tasks. The schedule may be lost: the sweeper rebuilds it from the open tasks of the store. Processes that share a
 * queue never poll a task at the same time, unless one of them stalls for longer than its lock lasts; the compare-and-set
 * of the store is correct even then.
 */
export interface PollQueue {
	/** Polls a task as soon as possible. If it is being polled, polls it once more afterwards: the running poll may have read old data. */
	wake(taskId: string): void;
	/** Schedules a poll for each task that has none; the others keep theirs. The first poll is the earliest. */
	addMissing(polls: readonly PlannedPoll[]): Promise<void>;
	/**
	 * Resolves to true once in `everyMs`, in only one of the processes that share a queue: that one sweeps the open tasks. The queue
	 * of a single process always resolves to true.
	 */
	claimSweep(everyMs: number): Promise<boolean>;
	/** Resolves to the time (ms) by which the most overdue poll is late, waiting or running; 0 if all are on time. */
	oldestOverduePollMs(): Promise<number>;
	/** Starts polling. A poll that throws is logged as an error and retried later. */
	start(poll: PollTask): void;
	/** Starts no more polls, and waits for the active ones. */
	stop(): Promise<void>;
}
