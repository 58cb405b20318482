import { CorruptDocumentError } from "@atelier/store/store-errors";
import { inBatches } from "@atelier/common/in-batches";
import { StudioApiError, CODES } from "./errors.ts";
import { recordExpiresAtMs } from "./data-retention.ts";
import type { QueueRunner } from "./queue-runner.ts";
import { isTaskId, taskIdOfKey } from "./task-id.ts";
import type { TaskDto, ToTaskDto } from "./task-dto.ts";
import type { StudioContext } from "./studio-context.ts";
import { isEnded, type StudioTask } from "./studio-task.ts";

export interface TaskReaderDeps extends StudioContext {
	readonly runner: Pick<QueueRunner, "queueState">;
	readonly toTaskDto: ToTaskDto;
	readonly mutex: <T>(taskId: string, work: () => Promise<T>) => Promise<T>;
}

interface TaskPage {
	readonly tasks: readonly TaskDto[];
	/** The cursor of the next page; `null` at the end. */
	readonly nextCursor: string | null;
}

interface ListQuery {
	readonly status?: StudioTask["state"] | undefined;
	readonly mediaType?: string | undefined;
	readonly model?: string | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
}

export type TaskReader = ReturnType<typeof createTaskReader>;

/** The most tasks that one page reads: a filter with few matches ends early, with a cursor to continue. */
const READ_TASKS_MAX = 300;
/** The tasks that are read in parallel. */
const READ_BATCH_TASKS = 20;

/** Reads tasks of an account. Tasks of other accounts look like missing ones. */
export function createTaskReader(deps: TaskReaderDeps) {
	const { taskStore, runner, limits } = deps;

	async function load(account: string, taskId: string): Promise<StudioTask | undefined> {
		const task = isTaskId(taskId) ? await taskStore.read(taskId) : undefined;
		if (task?.account !== account) return undefined;
		return isEnded(task) && recordExpiresAtMs(task, limits) <= deps.clock.nowMs() ? undefined : task;
	}

	/** Skips an unreadable task, which must not hide the others. */
	async function loadIfReadable(account: string, taskId: string): Promise<StudioTask | undefined> {
		try {
			return await load(account, taskId);
		} catch (error) {
			if (!(error instanceof CorruptDocumentError)) throw error;
			onCorrupt(error.key, error);
			return undefined;
		}
	}

	function onCorrupt(key: string, error: unknown): void {
		deps.logger.error({ err: error, key }, "task missing in a list");
	}

	async function dtoOf(task: StudioTask): Promise<TaskDto> {
		return deps.toTaskDto(task, isEnded(task) ? undefined : await runner.queueState(task));
	}

	return {
		/** Rejects with 404. */
		async find(account: string, taskId: string): Promise<StudioTask> {
			const task = await load(account, taskId);
			if (!task) throw new StudioApiError(CODES.notFound, "unknown task");
			return task;
		},
		dtoOf,
		/** Newest first. */
		async list(account: string, { status, mediaType, model, limit, cursor }: ListQuery): Promise<TaskPage> {
			const matches = (task: StudioTask): boolean =>
				(status ?? task.state) === task.state &&
				(mediaType ?? task.request.mediaType) === task.request.mediaType &&
				(model ?? task.request.model) === task.request.model;
			const found: StudioTask[] = [];
			const pageOf = async (nextCursor: string | null): Promise<TaskPage> => ({
				tasks: await Promise.all(found.map(dtoOf)),
				nextCursor,
			});
			let last: string | null = null;
			let readTasks = 0;
			const listed = taskStore.listed(account, { after: cursor, onCorrupt });
			for await (const batch of inBatches(listed, READ_BATCH_TASKS)) {
				if (found.length === limit || readTasks >= READ_TASKS_MAX) return await pageOf(last);
				readTasks += batch.length;
				const tasks = await Promise.all(batch.map(({ taskId }) => loadIfReadable(account, taskId)));
				for (const [index, { position }] of batch.entries()) {
					if (found.length === limit) return await pageOf(last);
					last = position;
					const task = tasks[index];
					if (task && matches(task)) found.push(task);
				}
			}
			return await pageOf(null);
		},
		/** Resolves to the existing tasks, each once, in the requested order. */
		async readMany(account: string, taskIds: readonly string[]): Promise<TaskPage> {
			const found = await Promise.all([...new Set(taskIds)].map((taskId) => loadIfReadable(account, taskId)));
			const tasks = await Promise.all(found.flatMap((task) => (task ? dtoOf(task) : [])));
			return { tasks, nextCursor: null };
		},
		/** Returns the task of an idempotency key, if there is one. */
		async findByIdempotencyKey(account: string, idempotencyKey: string): Promise<TaskPage> {
			const taskId = taskIdOfKey(account, idempotencyKey);
			// Waits for a running submit with the same key, so that "no task" is final.
			const task = await deps.mutex(taskId, () => load(account, taskId));
			return { tasks: task ? [await dtoOf(task)] : [], nextCursor: null };
		},
	};
}
