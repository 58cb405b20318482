import type { Clock } from "@atelier/common/clock";
import { ApiError, CODES } from "./errors.ts";
import { recordExpiresAtMs } from "./data-retention.ts";
import type { StudioLimits } from "./limits.ts";
import type { QueueRunner } from "./queue-runner.ts";
import { isTaskId, taskIdOfKey } from "./task-id.ts";
import type { TaskDto, ToTaskDto } from "./task-dto.ts";
import type { TaskStore } from "./task-store.ts";
import { isEnded, type Task } from "./task.ts";

export interface TaskReaderDeps {
	readonly taskStore: TaskStore;
	readonly runner: Pick<QueueRunner, "liveState">;
	readonly toTaskDto: ToTaskDto;
	readonly limits: StudioLimits;
	readonly clock: Clock;
	readonly mutex: <T>(taskId: string, work: () => Promise<T>) => Promise<T>;
}

/** Reads tasks of an account. Tasks of other accounts look like missing ones. */
export interface TaskReader {
	/** Rejects with 404. */
	find(account: string, taskId: string): Promise<Task>;
	dtoOf(task: Task): Promise<TaskDto>;
	/** Returns the task of an idempotency key, if there is one. */
	findByIdempotencyKey(account: string, idempotencyKey: string): Promise<Task | undefined>;
}

export function createTaskReader(deps: TaskReaderDeps): TaskReader {
	const { taskStore, runner, limits } = deps;

	async function load(account: string, taskId: string): Promise<Task | undefined> {
		const task = isTaskId(taskId) ? await taskStore.read(taskId) : undefined;
		if (task?.account !== account) return undefined;
		return isEnded(task) && recordExpiresAtMs(task, limits) <= deps.clock.nowMs() ? undefined : task;
	}

	return {
		async find(account, taskId) {
			const task = await load(account, taskId);
			if (!task) throw new ApiError(CODES.notFound, "unknown task");
			return task;
		},
		async dtoOf(task) {
			return deps.toTaskDto(task, isEnded(task) ? undefined : await runner.liveState(task));
		},
		findByIdempotencyKey(account, idempotencyKey) {
			const taskId = taskIdOfKey(account, idempotencyKey);
			// Waits for a running submit with the same key, so that "no task" is final.
			return deps.mutex(taskId, () => load(account, taskId));
		},
	};
}
