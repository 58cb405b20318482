import type { Store } from "@atelier/store/store";
import type { Memo } from "./engine.ts";

/** The checkpoints that engines write for open tasks: `studio-memo:TASK`, for the last attempt only. */
export interface EngineMemos {
	/**
	 * Returns the checkpoint of a run. Writes are rejected after another process wrote, and the first write if the task
	 * has passed this run: of two processes with the same run, one submits.
	 */
	of(run: Run): Memo;
	/** Returns the last checkpoint of a task, written by any run. */
	left(taskId: string): Promise<{ readonly attempt: number; readonly engine: string } | undefined>;
	remove(taskId: string): Promise<void>;
}

interface Run {
	readonly taskId: string;
	readonly attempt: number;
	readonly engine: string;
}

interface StoredMemo {
	readonly attempt: number;
	readonly engine: string;
	readonly content: object;
}

/** Another process has the run: continuing would submit twice. */
class RunTakenOverError extends Error {
	override readonly name = "RunTakenOverError";
}

export function createEngineMemos(
	store: Store,
	/** Returns whether a task is at this attempt and still open. */
	isAt: (taskId: string, attempt: number) => Promise<boolean>,
): EngineMemos {
	function memoOf({ taskId, attempt, engine }: Run): Memo {
		let isRead = false;
		let isOurs = false;
		/** The stored text, as far as this run knows. */
		let raw: string | undefined;

		async function load(): Promise<StoredMemo | undefined> {
			const found = await store.get<StoredMemo>(memoKey(taskId));
			[isRead, raw] = [true, found?.raw];
			isOurs = found?.value.attempt === attempt && found.value.engine === engine;
			return found?.value;
		}

		return {
			async read() {
				const found = await load();
				return isOurs ? found?.content : undefined;
			},
			async write(content) {
				if (!isRead) await load();
				// After a pause the checkpoint may be missing because the task has ended.
				if (!isOurs && !(await isAt(taskId, attempt))) throw new RunTakenOverError("the task is past this attempt");
				const memo: StoredMemo = { attempt, engine, content };
				const written = await store.compareAndSet(memoKey(taskId), raw, memo);
				if (written === undefined) throw new RunTakenOverError("another process works on this attempt");
				[raw, isOurs] = [written, true];
			},
		};
	}

	return {
		of: memoOf,
		async left(taskId) {
			return (await store.get<StoredMemo>(memoKey(taskId)))?.value;
		},
		remove: (taskId) => store.delete(memoKey(taskId)),
	};
}

function memoKey(taskId: string): string {
	return `studio-memo:${taskId}`;
}
