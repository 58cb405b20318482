/**
 * Tasks in the store. `studio-task:ID` is the task; `studio-open:ID` exists from the reservation of its credits until
 * after they are posted or voided, so that recovery finds every task that may need a repair and reads no other.
 * `studio-list:ACCOUNT:…` lists the tasks of an account, newest first. All three and the holds are created in one transaction.
 */
import { retryChange } from "@atelier/store/retry-change";
import type { DocumentChange, DocumentWrite, ScanOptions, Store } from "@atelier/store/store";
import type { Clock } from "@atelier/common/clock";
import type { Transition, PendingStudioTask, StudioTask } from "./studio-task.ts";

/** Marks a task as open. */
export interface OpenTaskMarker {
	readonly taskId: string;
	readonly createdAtMs: number;
}

export type StudioTaskStore = ReturnType<typeof createStudioTaskStore>;

const OPEN_PREFIX = "studio-open:";
const LIST_PREFIX = "studio-list:";
/** Scans are in ascending order, and the list starts with the newest: its positions count down. */
const COUNT_DOWN_FROM = 999_999_999_999_999;
/** The position of a task in the list of its account. */
export const LIST_POSITION = /^\d{15}-task_[0-9a-f]{32}$/;

/** Returns the documents of a new task. */
export function newDocuments(task: PendingStudioTask): readonly DocumentChange[] {
	const { taskId, createdAtMs } = task;
	const marker: OpenTaskMarker = { taskId, createdAtMs };
	return [
		{ key: OPEN_PREFIX + taskId, expectedRaw: undefined, next: marker },
		{ key: taskKey(taskId), expectedRaw: undefined, next: task },
		{ key: listKey(task), expectedRaw: undefined, next: { taskId } },
	];
}

/**
 * Returns the keys of the documents that an ended task leaves until it expires. Without them, its idempotency key stays used,
 * because the ledger remembers the hold.
 */
export function documentKeysOf(task: StudioTask): readonly string[] {
	return [taskKey(task.taskId), listKey(task)];
}

export function createStudioTaskStore({
	store,
	clock,
	onTransition,
}: {
	readonly store: Store;
	readonly clock: Clock;
	readonly onTransition: (task: StudioTask, before: StudioTask) => void;
}) {
	return {
		async read(taskId: string): Promise<StudioTask | undefined> {
			return (await store.get<StudioTask>(taskKey(taskId)))?.value;
		},
		/** Yields the tasks of an account with their position in its list, newest first; `after` is a position. */
		async *listed(account: string, { after, ...more }: ScanOptions) {
			const prefix = `${LIST_PREFIX}${account}:`;
			const options = { ...more, after: after && prefix + after };
			for await (const { key, value } of store.scan<{ readonly taskId: string }>(prefix, options)) {
				yield { position: key.slice(prefix.length), taskId: value.taskId };
			}
		},
		/** The only way to change a task. `undefined` if there is no task, or its state does not allow the transition. */
		move: <T extends StudioTask>(taskId: string, transition: Transition<T>): Promise<T | undefined> =>
			retryChange(`task ${taskId}`, async () => {
				const stored = await store.get<StudioTask>(taskKey(taskId));
				const next = stored && transition(stored.value, clock.nowMs());
				if (!next) return undefined;
				if ((await store.compareAndSet(stored.key, stored.raw, next)) === undefined) return "conflict";
				onTransition(next, stored.value);
				return next;
			}),
		/** Removes the marker, and writes the expiry and other documents. Resolves to `false` without a write after the first call. */
		async closeTask(taskId: string, expiry: DocumentChange, writes: readonly DocumentWrite[]): Promise<boolean> {
			const removal = { key: OPEN_PREFIX + taskId, value: undefined };
			return (await store.compareAndSetAll([expiry], [...writes, removal])) !== undefined;
		},
		/** Yields a marker for each task that may need a repair. */
		async *openTaskMarkers(onCorrupt: NonNullable<ScanOptions["onCorrupt"]>): AsyncGenerator<OpenTaskMarker> {
			for await (const { value } of store.scan<OpenTaskMarker>(OPEN_PREFIX, { onCorrupt })) yield value;
		},
	};
}

function listKey({ account, createdAtMs, taskId }: StudioTask): string {
	return `${LIST_PREFIX}${account}:${COUNT_DOWN_FROM - createdAtMs}-${taskId}`;
}

function taskKey(taskId: string): string {
	return `studio-task:${taskId}`;
}
