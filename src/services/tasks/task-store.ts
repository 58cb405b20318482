import { CorruptDocumentError } from "@atelier/store/keyv-store";
import type { Store } from "@atelier/store/store";
import type { Task } from "./task.ts";

/** A task beside the text that its next move is compared with. */
export interface LoadedTask<T extends Task = Task> {
	readonly task: T;
	readonly raw: string;
}

/** Where a task stands in the store, and as what. */
export interface TaskKey {
	readonly key: string;
	readonly expectedRaw: string;
}

/**
 * Tasks as documents `task:ID`, and `open:ID` for each that has not ended: recovery reads those alone. Beside them
 * `member-task:GUILD:USER:…` for each that there is, so that a member's own are found without reading anybody else's, and
 * `remote-task:KEY` for each that the service has, so that no two have the same id there.
 */
export interface TaskStore {
	/** False where the task is already there: the same command, told twice, starts once. */
	create(task: Task): Promise<boolean>;
	load(taskId: string): Promise<LoadedTask | undefined>;
	/**
	 * Moves a task on; `undefined` where somebody else moved it first. Throws `RemoteIdTakenError` where it is to have the
	 * service's id of another task.
	 */
	move(from: LoadedTask, next: Task): Promise<LoadedTask | undefined>;
	/** Moves a task on in a write that has more in it: `write` makes it, with the task at this place, or throws. */
	moveWith(from: LoadedTask, write: (place: TaskKey) => Promise<void>): Promise<LoadedTask | undefined>;
	/** The ids of all tasks that have not ended, and where a process died in the middle of `create` one that does not exist. */
	openIds(): AsyncIterable<string>;
	/** Since when a task has been marked as open; `undefined` where it is not. */
	openSinceMs(taskId: string): Promise<number | undefined>;
	/** Takes an ended, or never written, task off the open ones. */
	close(taskId: string): Promise<void>;
	/** Moves an ended task on all the same; `undefined` where somebody else moved it first. Repeated where it failed. */
	reopen(from: LoadedTask, next: Task): Promise<LoadedTask | undefined>;
	/** Ids of a member's tasks, newest first. */
	ofMember(guildId: string, userId: string): AsyncIterable<string>;
	/** The servers in which a member has tasks. Reads the whole list of who has which. */
	guildsOf(userId: string): AsyncIterable<string>;
	/** All tasks that there are, in the order of their ids, which is that of their age. Damaged ones are left out. */
	all(): AsyncIterable<Task>;
	/** Removes a task that has ended, and every trace of it here. */
	remove(task: Task): Promise<void>;
}

/** The service gave a task the id that another one has already. */
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
/** Every start looks at damaged tasks that are open, and says so. */
const LEAVE_OUT = { onCorrupt: (): void => {} };
/** Above every id: subtracted from it, the newest comes first in the order of keys. */
const ABOVE_EVERY_ID = 10n ** 25n;

export function createTaskStore(store: Store): TaskStore {
	async function move(from: LoadedTask, next: Task): Promise<LoadedTask | undefined> {
		const { remoteKey } = next;
		const isNewAtService = remoteKey !== undefined && remoteKey !== from.task.remoteKey;
		return isNewAtService ? await moveWithRemoteKey(from, next, remoteKey) : await moveAlone(from, next);
	}

	/** The task and its key at the service in one write: no crash leaves one without the other. */
	async function moveWithRemoteKey(from: LoadedTask, next: Task, remoteKey: string): Promise<LoadedTask | undefined> {
		const key = REMOTE_TASK + remoteKey;
		const [raw] =
			(await store.compareAndSetAll([
				{ key: TASK + from.task.id, expectedRaw: from.raw, next },
				{ key, expectedRaw: undefined, next: { taskId: next.id } },
			])) ?? [];
		if (raw !== undefined) return { task: next, raw };
		const owner = await store.get<{ taskId?: string } | null>(key);
		if (!owner) return undefined;
		if (owner.value?.taskId !== next.id) throw new RemoteIdTakenError(owner.value?.taskId);
		return await moveAlone(from, next);
	}

	async function moveAlone(from: LoadedTask, next: Task): Promise<LoadedTask | undefined> {
		const raw = await store.compareAndSet(TASK + from.task.id, from.raw, next);
		return raw === undefined ? undefined : { task: next, raw };
	}

	async function load(taskId: string): Promise<LoadedTask | undefined> {
		const stored = await store.get<Task | null>(TASK + taskId);
		if (!stored) return undefined;
		const { key, value: task, raw } = stored;
		if (typeof task?.state !== "string") throw new CorruptDocumentError(key, new TypeError("no state in it"));
		return { task, raw };
	}

	return {
		async create(task) {
			// The other order could leave a task that no recovery finds.
			await Promise.all([
				store.set(OPEN + task.id, { createdAtMs: task.createdAtMs }),
				store.set(memberTaskKey(task), { taskId: task.id }),
			]);
			return (await store.compareAndSet(TASK + task.id, undefined, task)) !== undefined;
		},
		load,
		move,
		async moveWith({ task, raw }, write) {
			await write({ key: TASK + task.id, expectedRaw: raw });
			return await load(task.id);
		},
		async *openIds() {
			const damaged: string[] = [];
			const onCorrupt = (key: string): void => void damaged.push(key);
			for await (const { key } of store.scan(OPEN, { onCorrupt })) yield key.slice(OPEN.length);
			// A mark that cannot be read still says which task is open; only its age is lost.
			for (const key of damaged) yield key.slice(OPEN.length);
		},
		async openSinceMs(taskId) {
			try {
				const mark = await store.get<{ createdAtMs?: number } | null>(OPEN + taskId);
				return mark && (mark.value?.createdAtMs ?? 0);
			} catch (error) {
				if (error instanceof CorruptDocumentError) return 0;
				throw error;
			}
		},
		close: (taskId) => store.delete(OPEN + taskId),
		async reopen(from, next) {
			const moved = await move(from, next);
			// Marked before that, somebody could find it ended still, and take the mark away again.
			if (moved) await store.set(OPEN + next.id, { createdAtMs: next.createdAtMs });
			return moved;
		},
		async *ofMember(guildId, userId) {
			const prefix = `${MEMBER_TASK}${guildId}:${userId}:`;
			for await (const { value } of store.scan<{ taskId: string } | null>(prefix, LEAVE_OUT)) {
				if (typeof value?.taskId === "string") yield value.taskId;
			}
		},
		async *guildsOf(userId) {
			const seen = new Set<string>();
			for await (const { key } of store.scan(MEMBER_TASK, LEAVE_OUT)) {
				const [guildId = "", memberId] = key.slice(MEMBER_TASK.length).split(":");
				if (memberId !== userId || seen.has(guildId)) continue;
				seen.add(guildId);
				yield guildId;
			}
		},
		async *all() {
			for await (const { value: task } of store.scan<Task | null>(TASK, LEAVE_OUT)) {
				if (typeof task?.state === "string") yield task;
			}
		},
		async remove(task) {
			// The task last: as long as it is there, what is left of it is found again.
			const { id, remoteKey } = task;
			await Promise.all([
				store.delete(memberTaskKey(task)),
				store.delete(OPEN + id),
				remoteKey === undefined ? undefined : store.delete(REMOTE_TASK + remoteKey),
			]);
			await store.delete(TASK + task.id);
		},
	};
}

function memberTaskKey({ guildId, userId, id }: Task): string {
	const newestFirst = String(ABOVE_EVERY_ID - BigInt(id)).padStart(25, "0");
	return `${MEMBER_TASK}${guildId}:${userId}:${newestFirst}`;
}
