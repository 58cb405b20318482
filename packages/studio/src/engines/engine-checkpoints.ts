import type { Store } from "@atelier/store/store";
import type { Memo } from "./engine.ts";

/** What engines write down of tasks that are open: `studio-memo:TASK`, of the last attempt alone. */
export interface EngineMemos {
	/**
	 * Its writes are rejected once somebody else has written, and the first one where the task is past this run: of two that
	 * hold the same run for theirs, one orders.
	 */
	of(run: Run): Memo;
	/** What was written last, whoever's run it was. */
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

/** Somebody else has the run by now: what is ordered here would be ordered twice. */
class RunTakenOverError extends Error {
	override readonly name = "RunTakenOverError";
}

export function createEngineMemos(
	store: Store,
	/** Whether a task is at this attempt, and still at work. */
	isAt: (taskId: string, attempt: number) => Promise<boolean>,
): EngineMemos {
	function memoOf({ taskId, attempt, engine }: Run): Memo {
		let isRead = false;
		let isOurs = false;
		/** What stands there, as far as this run knows. */
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
				// Whoever stood still may find no memo because the end of the task has taken it away.
				if (!isOurs && !(await isAt(taskId, attempt))) throw new RunTakenOverError("the task is past this attempt");
				const memo: StoredMemo = { attempt, engine, content };
				const written = await store.compareAndSet(memoKey(taskId), raw, memo);
				if (written === undefined) throw new RunTakenOverError("somebody else works on this attempt");
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
