/**
 * Tasks in the store. `studio-task:ID` is the task; `studio-open:ID` exists from the reservation of its credits until
 * after they are posted or voided, so that recovery finds every task that may need a repair and reads no other.
 * `studio-list:ACCOUNT:…` lists the tasks of an account, newest first; its entries may be outdated. All three and the
 * hold are created in one transaction or, for a key with a spend cap, in two: the marker and one of two holds come first.
 */
import type { MediaType } from "@atelier/media-protocol/model";
import { taskListKey, taskListPrefix } from "./task-list-key.ts";
import type { NewDocument } from "@atelier/ledger/operations";
import type { DocumentWrite, ScanOptions, Store, StoredDocument } from "@atelier/store/store";
import type { Clock } from "@atelier/common/clock";
import type { Transition, PendingTask, Task } from "./task.ts";

/** Marks a task as open. Has the fields that recovery needs if the task itself was never written. */
export interface OpenTaskMarker {
	readonly taskId: string;
	readonly account: string;
	readonly capAccount: string | null;
	/** The position in the account's list. */
	readonly createdAtMs: number;
}

/** The fields in an account's list, so that a page reads only tasks that may match. */
export interface ListedTask {
	readonly taskId: string;
	readonly createdAtMs: number;
	readonly mediaType: MediaType;
	readonly model: string;
}

export interface TaskStore {
	/** `undefined` also for a blocked id. */
	read(taskId: string): Promise<Task | undefined>;
	/**
	 * Blocks an id without a task, so that the task can never be created; `false` if the id has a task or is blocked. Otherwise a
	 * task could appear after its credits were returned.
	 */
	blockId(taskId: string): Promise<boolean>;
	/** The only way to change a task. `undefined` if there is no task, or its state does not allow the transition. */
	move<T extends Task>(taskId: string, transition: Transition<T>): Promise<T | undefined>;
	/** Returns whether this id is blocked. */
	isIdBlocked(taskId: string): Promise<boolean>;
	/** Removes an expired task. The id of an idempotency key stays used up, because the ledger remembers it. */
	remove(task: Task): Promise<void>;
	/** Newest first, optionally after a given entry. */
	listed(account: string, after?: Pick<ListedTask, "taskId" | "createdAtMs">): AsyncIterable<ListedTask>;
	/** Removes the marker, together with other writes. */
	removeOpenMarker(taskId: string, writes?: readonly DocumentWrite[]): Promise<void>;
	/** Yields a marker for each task that may need a repair. */
	openTaskMarkers(onCorrupt?: ScanOptions["onCorrupt"]): AsyncIterable<OpenTaskMarker>;
}

/** Takes the place of a task whose submit was interrupted. */
interface BlockedId {
	readonly taskId: string;
	readonly state: "blocked";
}

/** The tries of a transition: each may lose the compare-and-set to another process. */
const MOVE_TRIES_MAX = 20;
const OPEN_PREFIX = "studio-open:";

/** The documents of a new task. The writer of the marker owns the id, so no other process writes them. */
export function documentsOf(task: PendingTask): {
	readonly marker: NewDocument;
	readonly others: readonly NewDocument[];
} {
	const { taskId, account, capAccount, createdAtMs } = task;
	const { mediaType, model } = task.request;
	const marker: OpenTaskMarker = { taskId, account, createdAtMs, capAccount };
	const listed: ListedTask = { taskId, createdAtMs, mediaType, model };
	return {
		marker: { key: OPEN_PREFIX + taskId, value: marker },
		others: [
			{ key: taskKey(taskId), value: task },
			{ key: taskListKey(account, listed), value: listed },
		],
	};
}

export function createTaskStore({
	store,
	clock,
	onTransition,
}: {
	readonly store: Store;
	readonly clock: Clock;
	readonly onTransition: (taskId: string, task: Task, before: Task) => void;
}): TaskStore {
	async function load(taskId: string): Promise<StoredDocument<Task> | undefined> {
		const stored = await store.get<Task | BlockedId>(taskKey(taskId));
		return stored && isTask(stored) ? stored : undefined;
	}

	return {
		async read(taskId) {
			return (await load(taskId))?.value;
		},
		async blockId(taskId) {
			const blocked: BlockedId = { taskId, state: "blocked" };
			return (await store.compareAndSet(taskKey(taskId), undefined, blocked)) !== undefined;
		},
		async isIdBlocked(taskId) {
			return (await store.get<Task | BlockedId>(taskKey(taskId)))?.value.state === "blocked";
		},
		async remove({ taskId, account, createdAtMs }) {
			await store.delete(taskListKey(account, { taskId, createdAtMs }));
			await store.delete(taskKey(taskId));
		},
		async *listed(account, after) {
			const options = after && { after: taskListKey(account, after) };
			for await (const { value } of store.scan<ListedTask>(taskListPrefix(account), options)) yield value;
		},
		async move(taskId, transition) {
			for (let tries = 0; tries < MOVE_TRIES_MAX; tries++) {
				const stored = await load(taskId);
				const next = stored && transition(stored.value, clock.nowMs());
				if (!next) return undefined;
				if ((await store.compareAndSet(stored.key, stored.raw, next)) === undefined) continue;
				onTransition(taskId, next, stored.value);
				return next;
			}
			throw new Error(`too many concurrent changes of task ${taskId}`);
		},
		async removeOpenMarker(taskId, writes = []) {
			await store.compareAndSetAll([], [...writes, { key: OPEN_PREFIX + taskId, value: undefined }]);
		},
		async *openTaskMarkers(onCorrupt) {
			for await (const { value } of store.scan<OpenTaskMarker>(OPEN_PREFIX, onCorrupt && { onCorrupt })) yield value;
		},
	};
}

function isTask(stored: StoredDocument<Task | BlockedId>): stored is StoredDocument<Task> {
	return stored.value.state !== "blocked";
}

function taskKey(taskId: string): string {
	return `studio-task:${taskId}`;
}
