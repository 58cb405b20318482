import type { DocumentWrite, Store } from "@atelier/store/store";
import type { Checkpoint } from "./engines/engine.ts";

export type TaskCheckpoints = ReturnType<typeof createTaskCheckpoints>;

/** A run of an attempt at an engine. After a crash the same run continues in another process. */
interface EngineRun {
	readonly taskId: string;
	readonly attempt: number;
	readonly engine: string;
}

interface StoredCheckpoint extends Omit<EngineRun, "taskId"> {
	readonly content: object;
}

/** Another process has taken over the run: continuing would submit a second job. */
export class RunTakenOverError extends Error {
	override readonly name = "RunTakenOverError";
}

/** Returns the write that removes the checkpoint of a task. */
export function checkpointRemoval(taskId: string): DocumentWrite {
	return { key: checkpointKey(taskId), value: undefined };
}

/** The checkpoints that engines write for open tasks: `studio-checkpoint:TASK`, for the last attempt only. */
export function createTaskCheckpoints(
	store: Store,
	/** Returns whether a task is at this attempt and still open. */
	isAtAttempt: (taskId: string, attempt: number) => Promise<boolean>,
) {
	/**
	 * Returns the checkpoint of a run. Rejects every write after another process has written, and the first write of a run
	 * that the task has passed: of two processes with the same run, only one submits a job.
	 */
	function checkpointOf({ taskId, attempt, engine }: EngineRun): Checkpoint {
		let isOurs = false;
		/** The stored text that this run last read or wrote. */
		let raw: string | undefined;

		return {
			async read() {
				const found = await store.get<StoredCheckpoint>(checkpointKey(taskId));
				raw = found?.raw;
				isOurs = found?.value.attempt === attempt && found.value.engine === engine;
				return isOurs ? found?.value.content : undefined;
			},
			async write(content) {
				// After a pause the checkpoint may be missing because the task has ended.
				if (!isOurs && !(await isAtAttempt(taskId, attempt)))
					throw new RunTakenOverError("the task is past this attempt");
				const checkpoint: StoredCheckpoint = { attempt, engine, content };
				const written = await store.compareAndSet(checkpointKey(taskId), raw, checkpoint);
				if (written === undefined) throw new RunTakenOverError("another process works on this attempt");
				raw = written;
				isOurs = true;
			},
		};
	}

	return {
		checkpointOf,
		/** Returns the run that last wrote a checkpoint of the task; `undefined` if there is no checkpoint. */
		async readLastRun(taskId: string): Promise<Omit<EngineRun, "taskId"> | undefined> {
			return (await store.get<StoredCheckpoint>(checkpointKey(taskId)))?.value;
		},
		remove: (taskId: string): Promise<void> => store.delete(checkpointKey(taskId)),
	};
}

function checkpointKey(taskId: string): string {
	return `studio-checkpoint:${taskId}`;
}
