import type { Store } from "../../services/store/store.ts";
import type { Memo } from "./engine.ts";

/** What engines write down of tasks that are open: `studio-memo:TASK`, of the last attempt alone. */
export interface EngineMemos {
	of(run: { readonly taskId: string; readonly attempt: number; readonly engine: string }): Memo;
	/** What was written last, whoever's run it was. */
	left(taskId: string): Promise<{ readonly attempt: number; readonly engine: string } | undefined>;
	remove(taskId: string): Promise<void>;
}

interface StoredMemo {
	readonly attempt: number;
	readonly engine: string;
	readonly content: object;
}

export function createEngineMemos(store: Store): EngineMemos {
	return {
		of: ({ taskId, attempt, engine }) => ({
			async read() {
				const found = await store.get<StoredMemo>(memoKey(taskId));
				const isOfThisRun = found?.value.attempt === attempt && found.value.engine === engine;
				return isOfThisRun ? found.value.content : undefined;
			},
			async write(content) {
				const memo: StoredMemo = { attempt, engine, content };
				await store.set(memoKey(taskId), memo);
			},
		}),
		async left(taskId) {
			return (await store.get<StoredMemo>(memoKey(taskId)))?.value;
		},
		remove: (taskId) => store.delete(memoKey(taskId)),
	};
}

function memoKey(taskId: string): string {
	return `studio-memo:${taskId}`;
}
