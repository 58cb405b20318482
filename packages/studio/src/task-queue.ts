/** An open task in the line of an engine. */
export interface QueuedTask {
	readonly taskId: string;
	readonly account: string;
	readonly engine: string;
	readonly notBeforeMs: number;
}

/**
 * Works on a task until it has ended, or is to be lined up again: then it resolves to where. `stop` is aborted when this
 * process is to leave the task to others, or to its own next start.
 */
export type Work = (task: Omit<QueuedTask, "notBeforeMs">, stop: AbortSignal) => Promise<QueuedTask | undefined>;

/** One line for each engine, and how many tasks a process works on there at a time. */
export interface EngineLine {
	readonly engine: string;
	readonly concurrency: number;
}

/**
 * Which task is worked on next, and by whom: in each line the accounts take turns, and nobody works on a task that somebody
 * else is working on. The store is the truth: what is here may be lost at any time, and is put back by the sweep.
 */
export interface TaskQueue {
	/** How long a task may be in the store and not here without being lost: another process may be about to line it up. */
	readonly graceMs: number;
	/** Lines a task up, unless it is here already. */
	add(task: QueuedTask): Promise<void>;
	/** Which of these wait here or are being worked on, by any process. */
	known(taskIds: readonly string[]): Promise<ReadonlySet<string>>;
	/** Takes out a task that waits. */
	remove(taskId: string): Promise<void>;
	/** 1 is next; `null` where it does not wait in one of these lines. */
	positionOf(taskId: string, engines: readonly string[]): Promise<number | null>;
	/** Tasks here, of every process. */
	openTasks(): Promise<number>;
	openTasksOf(account: string): Promise<number>;
	/** True in one of the processes that share the queue, once in `everyMs`. */
	takesTurn(everyMs: number): Promise<boolean>;
	start(work: Work): void;
	/** Begins nothing more, and waits for what is being worked on to be left. */
	stop(): Promise<void>;
}
