/**
 * Tasks in the store. `studio-task:ID` is the task; `studio-open:ID` stands from the step that reserves its credits until
 * after they are posted or voided, so that recovery finds every task that it may have to repair and reads no other.
 * `studio-list:ACCOUNT:…` leads to the tasks of an account, newest first; what it leads to may be gone. The three of them
 * and the hold come to be in one step.
 */
import { taskListKey, taskListPrefix } from "./task-list-key.ts";
import type { NewDocument } from "@atelier/ledger/operations";
import type { ScanOptions, Store, StoredDocument } from "@atelier/store/store";
import type { Clock } from "@atelier/common/clock";
import type { MediaType } from "./engines/engine.ts";
import type { Move, PendingTask, Task } from "./task.ts";

/** What recovery must know of a task whose document was never written. */
export interface OpenMark {
	readonly taskId: string;
	readonly account: string;
	readonly capAccount: string | null;
	/** Where the account's list leads to it. */
	readonly createdAtMs: number;
}

/** What the list of an account says of a task, so that a page reads only what may belong on it. */
export interface ListedTask {
	readonly taskId: string;
	readonly createdAtMs: number;
	readonly mediaType: MediaType;
	readonly model: string;
}

export interface TaskStore {
	/** `undefined` also where the id was given up. */
	read(taskId: string): Promise<Task | undefined>;
	/**
	 * Gives up an id whose task was never written, so that it never can be; false where it was. Without this, a task
	 * could come to be after its credits were given back.
	 */
	giveUp(taskId: string): Promise<boolean>;
	/** The only way in which a task changes. `undefined` where its state does not allow the move. */
	move<T extends Task>(taskId: string, move: Move<T>): Promise<T | undefined>;
	/** Whether this id was given up. */
	isGivenUp(taskId: string): Promise<boolean>;
	/**
	 * Removes a task whose time is over. Where its id stands for an idempotency key, the id stays used up, so that the ledger,
	 * which never forgets, is not asked for it again.
	 */
	remove(task: Task): Promise<void>;
	/** Newest first, from behind one of them where given. */
	listed(account: string, after?: Pick<ListedTask, "taskId" | "createdAtMs">): AsyncIterable<ListedTask>;
	unmarkOpen(taskId: string): Promise<void>;
	openMarks(onCorrupt?: ScanOptions["onCorrupt"]): AsyncIterable<OpenMark>;
}

/** What stands in the place of a task whose submit was cut short. */
interface GivenUp {
	readonly taskId: string;
	readonly state: "givenUp";
}

/** Lost races for one document before the move is given up as an outage. */
const MOVE_TRIES_MAX = 20;
const OPEN_PREFIX = "studio-open:";

/** What a new task is made of: who writes the mark has its id, and nobody else writes the others. */
export function documentsOf(task: PendingTask): {
	readonly mark: NewDocument;
	readonly others: readonly NewDocument[];
} {
	const { taskId, account, capAccount, createdAtMs } = task;
	const { mediaType, model } = task.order;
	const mark: OpenMark = { taskId, account, createdAtMs, capAccount };
	const listed: ListedTask = { taskId, createdAtMs, mediaType, model };
	return {
		mark: { key: OPEN_PREFIX + taskId, value: mark },
		others: [
			{ key: taskKey(taskId), value: task },
			{ key: taskListKey(account, listed), value: listed },
		],
	};
}

export function createTaskStore({
	store,
	clock,
	onMoved,
}: {
	readonly store: Store;
	readonly clock: Clock;
	readonly onMoved: (taskId: string, task: Task, before: Task) => void;
}): TaskStore {
	async function load(taskId: string): Promise<StoredDocument<Task> | undefined> {
		const stored = await store.get<Task | GivenUp>(taskKey(taskId));
		return stored && isTask(stored) ? stored : undefined;
	}

	return {
		async read(taskId) {
			return (await load(taskId))?.value;
		},
		async giveUp(taskId) {
			const givenUp: GivenUp = { taskId, state: "givenUp" };
			return (await store.compareAndSet(taskKey(taskId), undefined, givenUp)) !== undefined;
		},
		async isGivenUp(taskId) {
			return (await store.get<Task | GivenUp>(taskKey(taskId)))?.value.state === "givenUp";
		},
		async remove({ taskId, account, createdAtMs, bodySha256 }) {
			const givenUp: GivenUp = { taskId, state: "givenUp" };
			await store.delete(taskListKey(account, { taskId, createdAtMs }));
			if (bodySha256 === null) await store.delete(taskKey(taskId));
			else await store.set(taskKey(taskId), givenUp);
		},
		async *listed(account, after) {
			const options = after && { after: taskListKey(account, after) };
			for await (const { value } of store.scan<ListedTask>(taskListPrefix(account), options)) yield value;
		},
		async move(taskId, move) {
			for (let tries = 0; tries < MOVE_TRIES_MAX; tries++) {
				const stored = await load(taskId);
				const next = stored && move(stored.value, clock.nowMs());
				if (!next) return undefined;
				if ((await store.compareAndSet(stored.key, stored.raw, next)) === undefined) continue;
				onMoved(taskId, next, stored.value);
				return next;
			}
			throw new Error(`the task ${taskId} changes too often to be moved`);
		},
		async unmarkOpen(taskId) {
			await store.delete(OPEN_PREFIX + taskId);
		},
		async *openMarks(onCorrupt) {
			for await (const { value } of store.scan<OpenMark>(OPEN_PREFIX, onCorrupt && { onCorrupt })) yield value;
		},
	};
}

function isTask(stored: StoredDocument<Task | GivenUp>): stored is StoredDocument<Task> {
	return stored.value.state !== "givenUp";
}

function taskKey(taskId: string): string {
	return `studio-task:${taskId}`;
}
