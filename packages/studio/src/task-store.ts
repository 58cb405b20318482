/**
 * Tasks in the store. `studio-task:ID` is the task; `studio-open:ID` exists from the reservation of its credits until
 * after they are posted or voided, so that recovery finds every task that may need a repair and reads no other. Both and the
 * hold are created in one transaction.
 */
import type { NewDocument } from "@atelier/ledger/operations";
import type { DocumentWrite, ScanOptions, Store } from "@atelier/store/store";
import type { Clock } from "@atelier/common/clock";
import type { Transition, PendingTask, Task } from "./task.ts";

/** Marks a task as open. */
export interface OpenTaskMarker {
	readonly taskId: string;
	readonly createdAtMs: number;
}

export interface TaskStore {
	read(taskId: string): Promise<Task | undefined>;
	/** The only way to change a task. `undefined` if there is no task, or its state does not allow the transition. */
	move<T extends Task>(taskId: string, transition: Transition<T>): Promise<T | undefined>;
	/** Removes an expired task. Its idempotency key stays used, because the ledger remembers the hold. */
	remove(taskId: string): Promise<void>;
	/** Removes the marker, and writes the expiry and other documents. Resolves to `false` without a write after the first call. */
	removeOpenMarker(taskId: string, expiry: NewDocument, writes: readonly DocumentWrite[]): Promise<boolean>;
	/** Yields a marker for each task that may need a repair. */
	openTaskMarkers(onCorrupt?: ScanOptions["onCorrupt"]): AsyncIterable<OpenTaskMarker>;
}

/** The tries of a transition: each may lose the compare-and-set to another process. */
const MOVE_TRIES_MAX = 20;
const OPEN_PREFIX = "studio-open:";

/** Returns the documents of a new task. */
export function documentsOf(task: PendingTask): readonly NewDocument[] {
	const { taskId, createdAtMs } = task;
	const marker: OpenTaskMarker = { taskId, createdAtMs };
	return [
		{ key: OPEN_PREFIX + taskId, value: marker },
		{ key: taskKey(taskId), value: task },
	];
}

export function createTaskStore({
	store,
	clock,
	onTransition,
}: {
	readonly store: Store;
	readonly clock: Clock;
	readonly onTransition: (task: Task, before: Task) => void;
}): TaskStore {
	return {
		async read(taskId) {
			return (await store.get<Task>(taskKey(taskId)))?.value;
		},
		remove: (taskId) => store.delete(taskKey(taskId)),
		async move(taskId, transition) {
			for (let tries = 0; tries < MOVE_TRIES_MAX; tries++) {
				const stored = await store.get<Task>(taskKey(taskId));
				const next = stored && transition(stored.value, clock.nowMs());
				if (!next) return undefined;
				if ((await store.compareAndSet(stored.key, stored.raw, next)) === undefined) continue;
				onTransition(next, stored.value);
				return next;
			}
			throw new Error(`too many concurrent changes of task ${taskId}`);
		},
		async removeOpenMarker(taskId, expiry, writes) {
			const newExpiry = { key: expiry.key, expectedRaw: undefined, next: expiry.value };
			const removal = { key: OPEN_PREFIX + taskId, value: undefined };
			return (await store.compareAndSetAll([newExpiry], [...writes, removal])) !== undefined;
		},
		async *openTaskMarkers(onCorrupt) {
			for await (const { value } of store.scan<OpenTaskMarker>(OPEN_PREFIX, onCorrupt && { onCorrupt })) yield value;
		},
	};
}

function taskKey(taskId: string): string {
	return `studio-task:${taskId}`;
}
