/** Looks at a task. Resolves to when to look again, or to `undefined` where there is nothing left to look at. */
export type Look = (taskId: string) => Promise<number | undefined>;

export interface DueLook {
	readonly taskId: string;
	readonly dueAtMs: number;
}

/**
 * Which task is looked at when. The store is the truth: this schedule may be lost at any time, and is rebuilt from it by
 * the sweeper. However many processes share a queue, no task is looked at twice at once, as long as none of them stops
 * turning for longer than its lock lasts; the compare-and-set below is right even then.
 */
export interface PollQueue {
	/**
	 * Looks at a task at `dueAtMs`, instead of when it was due before. One that is being looked at is looked at again at
	 * that time, or when its look says, whichever is earlier.
	 */
	schedule(taskId: string, dueAtMs: number): void;
	/** Looks at a task as soon as possible, and again where it is being looked at: what that look has read may be old. */
	wake(taskId: string): void;
	/** Gives a look to those tasks that have none coming; the others keep theirs. */
	addMissing(looks: readonly DueLook[]): Promise<void>;
	/** True in one of the processes that share the queue, once in `everyMs`: what one of them has done is done for all. */
	takesTurn(everyMs: number): Promise<boolean>;
	/** How late the latest look is that should have begun, or long have ended; 0 where none is late. */
	oldestOverdueMs(): Promise<number>;
	/** A look that throws is a fault: it is logged, and the task is looked at again a while later. */
	start(look: Look): void;
	/** Starts no further look, and waits for those under way. */
	stop(): Promise<void>;
}
