import type { Clock } from "@atelier/common/clock";
import { ApiError, CODES } from "./errors.ts";
import { recordExpiresAtMs } from "./data-retention.ts";
import type { StudioLimits } from "./limits.ts";
import type { QueueRunner } from "./queue-runner.ts";
import { IDS_PER_KEY_MAX, isTaskId, taskIdOfKey } from "./task-id.ts";
import { cursorOf, positionOf } from "./task-list-key.ts";
import type { TaskDto, ToTaskDto } from "./task-dto.ts";
import type { ListedTask, TaskStore } from "./task-store.ts";
import { isEnded, type Task } from "./task.ts";

export interface TaskReaderDeps {
	readonly taskStore: TaskStore;
	readonly runner: Pick<QueueRunner, "liveState">;
	readonly toTaskDto: ToTaskDto;
	readonly limits: StudioLimits;
	readonly clock: Clock;
	readonly mutex: <T>(taskId: string, work: () => Promise<T>) => Promise<T>;
}

interface TaskPage {
	readonly tasks: readonly TaskDto[];
	/** The cursor of the next page; `null` at the end. */
	readonly nextCursor: string | null;
}

interface TaskFilter {
	readonly status?: Task["state"] | undefined;
	readonly mediaType?: string | undefined;
	readonly model?: string | undefined;
}

/** Reads tasks of an account. Tasks of other accounts look like missing ones. */
export interface TaskReader {
	/** Rejects with 404. */
	find(account: string, taskId: string): Promise<Task>;
	dtoOf(task: Task): Promise<TaskDto>;
	/** Newest first. */
	list(account: string, page: TaskFilter & { limit: number; cursor?: string | undefined }): Promise<TaskPage>;
	/** Resolves to the existing tasks, each once, in the requested order. */
	readMany(account: string, taskIds: readonly string[]): Promise<TaskPage>;
	/** Returns the task of an idempotency key, if there is one. */
	findByIdempotencyKey(account: string, idempotencyKey: string): Promise<TaskPage>;
}

/** The most tasks that one page reads: a filter with few matches ends early, with a cursor to continue. */
const SCANNED_MAX = 1000;

export function createTaskReader(deps: TaskReaderDeps): TaskReader {
	const { taskStore, runner, limits } = deps;

	async function load(account: string, taskId: string): Promise<Task | undefined> {
		const task = isTaskId(taskId) ? await taskStore.read(taskId) : undefined;
		if (task?.account !== account) return undefined;
		return isEnded(task) && recordExpiresAtMs(task, limits) <= deps.clock.nowMs() ? undefined : task;
	}

	async function dtoOf(task: Task): Promise<TaskDto> {
		return deps.toTaskDto(task, isEnded(task) ? undefined : await runner.liveState(task));
	}

	/** Returns the task of a list entry, if it exists and matches. */
	async function matchingTask(account: string, listed: ListedTask, filter: TaskFilter): Promise<Task | undefined> {
		if (filter.mediaType !== undefined && filter.mediaType !== listed.mediaType) return undefined;
		if (filter.model !== undefined && filter.model !== listed.model) return undefined;
		const task = await load(account, listed.taskId);
		// A repeated submit after an interruption may have left a second entry.
		if (task?.createdAtMs !== listed.createdAtMs) return undefined;
		return filter.status === undefined || filter.status === task.state ? task : undefined;
	}

	return {
		async find(account, taskId) {
			const task = await load(account, taskId);
			if (!task) throw new ApiError(CODES.notFound, "unknown task");
			return task;
		},
		dtoOf,
		async list(account, { limit, cursor, ...filter }) {
			const after = cursor === undefined ? undefined : positionOf(cursor);
			if (cursor !== undefined && !after) {
				const message = "must be the nextCursor of an earlier page";
				throw new ApiError(CODES.invalidParameter, `cursor: ${message}`, { details: [{ field: "cursor", message }] });
			}
			const dtos: TaskDto[] = [];
			let last: ListedTask | undefined;
			let scanned = 0;
			for await (const listed of taskStore.listed(account, after)) {
				if (last && (dtos.length === limit || scanned === SCANNED_MAX)) {
					return { tasks: dtos, nextCursor: cursorOf(last) };
				}
				last = listed;
				scanned += 1;
				const task = await matchingTask(account, listed, filter);
				if (task) dtos.push(await dtoOf(task));
			}
			return { tasks: dtos, nextCursor: null };
		},
		async readMany(account, taskIds) {
			const found = await Promise.all([...new Set(taskIds)].map((taskId) => load(account, taskId)));
			const dtos = await Promise.all(found.flatMap((task) => (task ? dtoOf(task) : [])));
			return { tasks: dtos, nextCursor: null };
		},
		async findByIdempotencyKey(account, idempotencyKey) {
			for (let idNumber = 0; idNumber < IDS_PER_KEY_MAX; idNumber++) {
				const taskId = taskIdOfKey(account, idempotencyKey, idNumber);
				// Waits for a running submit with the same key, so that "no task" is final.
				const task = await deps.mutex(taskId, () => load(account, taskId));
				if (task) return { tasks: [await dtoOf(task)], nextCursor: null };
				if (!(await taskStore.isIdBlocked(taskId))) break;
			}
			return { tasks: [], nextCursor: null };
		},
	};
}
