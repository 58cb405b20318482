import assert from "node:assert/strict";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { DocumentChange, DocumentWrite, Store } from "@atelier/store/store";
import { undefinedIfCorrupt } from "../read-document.ts";
import { isTaskId, newestFirst } from "../task-id.ts";
import { UserError } from "../user-error.ts";
import { isEnded, type Task } from "./task.ts";
import type { HoldTaskState } from "@atelier/ledger/audit-store";
import type { Balance, BalanceDependentChange } from "@atelier/ledger/ledger";

/** A task with its stored text (`raw`), which the next compare-and-set expects. */
export interface LoadedTask {
	readonly task: Task;
	readonly raw: string;
}

/** Called by the store for every task that this process reads, writes or removes. */
export interface TaskEvents {
	/** A task was read or created. */
	readonly loaded: (task: Task) => void;
	readonly moved: (task: Task, before: Task) => void;
	/** A task was removed, or did not exist when it was read. */
	readonly removed: (taskId: string) => void;
}

const NO_EVENTS: TaskEvents = { loaded() {}, moved() {}, removed() {} };

/**
 * Stores tasks as documents `task:ID`, with a marker `open:ID` for each open task: recovery reads only those.
 * `member-task:GUILD:USER:…` and `guild-task:GUILD:…` index the tasks of a member and of a server, and `remote-task:KEY`
 * reserves the remote id, so that no two tasks share one.
 */
export interface TaskStore {
	/** Resolves to `undefined` if the task exists: a duplicate command starts one task. */
	create(task: Task): Promise<LoadedTask | undefined>;
	load(taskId: string): Promise<LoadedTask | undefined>;
	/**
	 * Moves a task to its next state, together with other writes. Removes the marker of a task that ends, and adds that of an ended
	 * task that opens again. Resolves to `undefined` if another process moved it first. Throws `RemoteIdTakenError` if another task has
	 * the remote id.
	 */
	move(from: LoadedTask, next: Task, writes?: readonly DocumentWrite[]): Promise<LoadedTask | undefined>;
	/** Returns the documents of a new task, for a transaction of the ledger. `recordWrite` then returns the task. */
	newDocuments(task: Task): readonly DocumentChange[];
	/** Returns the document of a task that changes but stays open, for a transaction of the ledger. `recordWrite` then returns the task. */
	changedDocument(from: LoadedTask, nextWith: (balance: Balance) => Task): BalanceDependentChange;
	/** Returns a task that was written outside of this store, with its stored text, which is the first of `raws`. */
	recordWrite(task: Task, raws: readonly string[], before?: Task): LoadedTask;
	/** Yields the ids of open tasks. Some may have ended or been removed: a crash can leave their markers. */
	openIds(): AsyncIterable<string>;
	/** Removes a marker that a crash has left: its task has ended or does not exist. */
	removeOpenMarker(taskId: string): Promise<void>;
	/** Yields the ids of a member's tasks, newest first, optionally those before one. */
	ofMember(guildId: string, userId: string, beforeId?: string): AsyncIterable<string>;
	/** Yields the ids of a server's tasks, newest first, optionally those before one. */
	ofGuild(guildId: string, beforeId?: string): AsyncIterable<string>;
	/** Yields all tasks in the text order of their ids, without corrupt ones. Ids of equal length are ordered by age. */
	all(): AsyncIterable<Task>;
	/** Removes an ended task with all of its keys. */
	remove(task: Task): Promise<void>;
}

/** The service returned a remote id that belongs to another task. */
export class RemoteIdTakenError extends Error {
	override readonly name = "RemoteIdTakenError";
	readonly ownerId: string | undefined;

	constructor(ownerId: string | undefined) {
		super("the service gave this task the id of another");
		this.ownerId = ownerId;
	}
}

const TASK = "task:";
const REMOTE_TASK = "remote-task:";
const OPEN = "open:";
const MEMBER_TASK = "member-task:";
export const GUILD_TASK_PREFIX = "guild-task:";
/** Corrupt documents are skipped without a log line: the runner logs an open task that is corrupt. */
const SKIP_CORRUPT = { onCorrupt: (): void => {} };

export function createTaskStore(store: Store, events: TaskEvents = NO_EVENTS): TaskStore {
	function recordWrite(task: Task, [raw]: readonly string[], before?: Task): LoadedTask {
		assert(raw !== undefined, "the task is the first document");
		if (before) events.moved(task, before);
		else events.loaded(task);
		return { task, raw };
	}

	async function move(
		from: LoadedTask,
		next: Task,
		writes: readonly DocumentWrite[] = [],
	): Promise<LoadedTask | undefined> {
		const { id, remoteKey } = next;
		const isRemoteKeyNew = remoteKey !== undefined && remoteKey !== from.task.remoteKey;
		const ownerKey = isRemoteKeyNew ? REMOTE_TASK + remoteKey : undefined;
		const marker = { key: OPEN + id, value: isEnded(next) ? undefined : { createdAtMs: next.createdAtMs } };
		const raws = await store.compareAndSetAll(
			[
				{ key: TASK + id, expectedRaw: from.raw, next },
				...(ownerKey === undefined ? [] : [newDocument(ownerKey, { taskId: id })]),
			],
			isEnded(next) || isEnded(from.task) ? [...writes, marker] : writes,
		);
		if (raws) return recordWrite(next, raws, from.task);
		const owner = ownerKey === undefined ? undefined : await store.get<{ taskId?: string } | null>(ownerKey);
		if (owner && owner.value?.taskId !== id) throw new RemoteIdTakenError(owner.value?.taskId);
		return undefined;
	}

	async function* scanIndex(prefix: string, beforeId: string | undefined): AsyncGenerator<string> {
		const after = beforeId === undefined ? undefined : prefix + newestFirst(beforeId);
		for await (const { value } of store.scan<{ taskId: string } | null>(prefix, { ...SKIP_CORRUPT, after })) {
			if (typeof value?.taskId === "string") yield value.taskId;
		}
	}

	async function load(taskId: string): Promise<LoadedTask | undefined> {
		const stored = await store.get<Task | null>(TASK + taskId);
		if (!stored) {
			events.removed(taskId);
			return undefined;
		}
		const { key, value: task, raw } = stored;
		if (typeof task?.state !== "string") throw new CorruptDocumentError(key, new TypeError("document has no state"));
		events.loaded(task);
		return { task, raw };
	}

	async function hasOpenMarker(taskId: string): Promise<boolean> {
		try {
			return (await store.get(OPEN + taskId)) !== undefined;
		} catch (error) {
			// A corrupt marker still names its task.
			if (error instanceof CorruptDocumentError) return true;
			throw error;
		}
	}

	return {
		async create(task) {
			const raws = await store.compareAndSetAll(newDocuments(task));
			return raws && recordWrite(task, raws);
		},
		load,
		move,
		newDocuments,
		changedDocument: ({ task, raw }, nextWith) => ({ key: TASK + task.id, expectedRaw: raw, nextWith }),
		recordWrite,
		async *openIds() {
			const corruptKeys: string[] = [];
			const onCorrupt = (key: string): void => void corruptKeys.push(key);
			for await (const { key } of store.scan(OPEN, { onCorrupt })) yield key.slice(OPEN.length);
			// A corrupt marker still names its task.
			for (const key of corruptKeys) yield key.slice(OPEN.length);
		},
		async removeOpenMarker(taskId) {
			// The marker is read first: a task that is created or reopened after this read keeps its marker.
			if (!(await hasOpenMarker(taskId))) return;
			const loaded = await load(taskId);
			if (!loaded) await store.delete(OPEN + taskId);
			else if (isEnded(loaded.task)) await move(loaded, loaded.task);
		},
		ofMember: (guildId, userId, beforeId) => scanIndex(`${MEMBER_TASK}${guildId}:${userId}:`, beforeId),
		ofGuild: (guildId, beforeId) => scanIndex(`${GUILD_TASK_PREFIX}${guildId}:`, beforeId),
		async *all() {
			for await (const { value: task } of store.scan<Task | null>(TASK, SKIP_CORRUPT)) {
				if (typeof task?.state === "string") yield task;
			}
		},
		async remove(task) {
			const { id, remoteKey } = task;
			const keys = [TASK + id, OPEN + id, memberTaskKey(task), guildTaskKey(task)];
			if (remoteKey !== undefined) keys.push(REMOTE_TASK + remoteKey);
			const removals = keys.map((key) => ({ key, value: undefined }));
			await store.compareAndSetAll([], removals);
			events.removed(id);
		},
	};
}

/** Returns the documents of a new task, the task first. */
function newDocuments(task: Task): readonly DocumentChange[] {
	const { id: taskId, createdAtMs } = task;
	return [
		newDocument(TASK + taskId, task),
		newDocument(OPEN + taskId, { createdAtMs }),
		newDocument(memberTaskKey(task), { taskId }),
		newDocument(guildTaskKey(task), { taskId }),
	];
}

function newDocument(key: string, next: unknown): DocumentChange {
	return { key, expectedRaw: undefined, next };
}

function guildTaskKey({ guildId, id }: Task): string {
	return `${GUILD_TASK_PREFIX}${guildId}:${newestFirst(id)}`;
}

function memberTaskKey({ guildId, userId, id }: Task): string {
	return `${MEMBER_TASK}${guildId}:${userId}:${newestFirst(id)}`;
}

/** Loads a task; `undefined` for a missing one, and for a corrupt one, which must not hide the others. */
export async function loadReadableTask(taskStore: Pick<TaskStore, "load">, taskId: string): Promise<Task | undefined> {
	return (await taskStore.load(taskId).catch(undefinedIfCorrupt))?.task;
}

/** Loads a task of the server; `undefined` for one of another server, and for a text that is no id. */
export async function loadGuildTask(
	taskStore: Pick<TaskStore, "load">,
	guildId: string,
	taskId: string,
): Promise<LoadedTask | undefined> {
	const loaded = isTaskId(taskId) ? await taskStore.load(taskId) : undefined;
	return loaded?.task.guildId === guildId ? loaded : undefined;
}

/** Loads a task as `loadGuildTask` does. Throws a `UserError` if there is none: a task of another server is reported as missing. */
export async function requireGuildTask(
	taskStore: Pick<TaskStore, "load">,
	guildId: string,
	taskId: string,
): Promise<LoadedTask> {
	const loaded = await loadGuildTask(taskStore, guildId, taskId);
	if (!loaded) throw new UserError({ key: "job.notFound" });
	return loaded;
}

/** Returns a function that looks up the state of a hold's task for the ledger's audit. Hold and task have the same id. */
export function createHoldTaskLookup(taskStore: Pick<TaskStore, "load">): (holdId: string) => Promise<HoldTaskState> {
	return async (holdId) => {
		const loaded = await taskStore.load(holdId);
		if (!loaded) return "missing";
		const { state } = loaded.task;
		return state === "delivered" || state === "withdrawn" ? "mustNotHold" : "mayHold";
	};
}
