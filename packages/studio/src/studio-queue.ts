/** An open task in the queue of an engine. */
export interface QueuedTask {
	readonly taskId: string;
	readonly account: string;
	readonly engine: string;
	readonly notBeforeMs: number;
}

/**
 * Runs a task until it ends or has to be queued again; resolves to the new queue entry then. `stop` is aborted when
 * this process has to leave the task to another process, or to its own next start.
 */
export type TaskHandler = (
	task: Pick<QueuedTask, "taskId" | "engine">,
	stop: AbortSignal,
) => Promise<QueuedTask | undefined>;

/** The queue of an engine, and the limit of concurrent tasks per process. */
export interface EngineQueueSpec {
	readonly engine: string;
	readonly concurrency: number;
}

/**
 * Decides which task runs next, and in which process: accounts take turns in each queue, and a task runs in one process
 * at a time. The store is the truth: this state may be lost at any time, and the sweep restores it.
 */
export interface StudioQueue {
	/**
	 * The sweep leaves younger tasks and those that changed within this time: another process may be about to queue a task, or may not
	 * know yet that it has lost one.
	 */
	readonly recoverAfterMs: number;
	/** Adds a task unless it is in the queue. */
	add(task: QueuedTask): Promise<void>;
	/** Returns the engines of those of these tasks that wait or run, in any process. Rejects during an outage of the queue. */
	findQueued(taskIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
	/** Removes a waiting or delayed task. A running one stays. */
	remove(taskId: string): Promise<void>;
	/** Resolves to the position of a waiting task, from 1; `null` if the task waits in none of these queues. */
	positionOf(taskId: string, engines: readonly string[]): Promise<number | null>;
	/** The number of waiting, delayed and running tasks, in all processes together. */
	openTasks(): Promise<number>;
	/** Starts to run tasks. */
	start(handleTask: TaskHandler): void;
	/** Starts no more tasks, and waits until the running ones are stopped. */
	stop(): Promise<void>;
}
