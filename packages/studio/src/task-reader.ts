import type { Catalogue } from "./catalogue.ts";
import type { Clock } from "@atelier/common/clock";
import { ApiError, CODES } from "./errors.ts";
import { recordExpiresAtMs } from "./retention.ts";
import type { StudioLimits } from "./limits.ts";
import type { MediaLinks } from "./media-links.ts";
import type { Runner } from "./runner.ts";
import { GENERATIONS_MAX, isTaskId, taskIdOfKey } from "./task-id.ts";
import { cursorOf, placeOf } from "./task-list-key.ts";
import { taskRecord, type TaskRecord } from "./task-dto.ts";
import type { ListedTask, TaskStore } from "./task-store.ts";
import { isEnded, type Task } from "./task.ts";

export interface TaskReaderDeps {
	readonly tasks: TaskStore;
	readonly runner: Pick<Runner, "standing">;
	readonly catalogue: Catalogue;
	readonly limits: StudioLimits;
	readonly links: MediaLinks;
	readonly clock: Clock;
	readonly oneAtATime: <T>(taskId: string, work: () => Promise<T>) => Promise<T>;
}

interface TaskPage {
	readonly tasks: readonly TaskRecord[];
	/** Where the next page begins; `null` where there is none. */
	readonly nextCursor: string | null;
}

interface TaskFilter {
	readonly status?: Task["state"] | undefined;
	readonly mediaType?: string | undefined;
	readonly model?: string | undefined;
}

/** Shows an account its tasks, and nobody else's: what belongs to somebody else is as if it were not there. */
export interface TaskReader {
	/** Rejects with 404. */
	find(account: string, taskId: string): Promise<Task>;
	/** `fresh` adds what the engine said last to what is stored. */
	recordOf(task: Task, fresh: boolean): Promise<TaskRecord>;
	/** Newest first. */
	list(account: string, page: TaskFilter & { limit: number; cursor?: string | undefined }): Promise<TaskPage>;
	/** Those that are there, in the order of asking. */
	pick(account: string, taskIds: readonly string[]): Promise<TaskPage>;
	/** The task that was submitted with an idempotency key, if one was. */
	ofKey(account: string, idempotencyKey: string): Promise<TaskPage>;
}

/** Tasks that one page may look at: a filter that few match ends early, with a cursor to go on from. */
const LOOKED_AT_MAX = 1000;

export function createTaskReader(deps: TaskReaderDeps): TaskReader {
	const { tasks, runner, limits } = deps;

	async function load(account: string, taskId: string): Promise<Task | undefined> {
		const task = isTaskId(taskId) ? await tasks.read(taskId) : undefined;
		if (task?.account !== account) return undefined;
		return isEnded(task) && recordExpiresAtMs(task, limits) <= deps.clock.nowMs() ? undefined : task;
	}

	async function recordOf(task: Task, fresh: boolean): Promise<TaskRecord> {
		const standing = isEnded(task) ? undefined : await runner.standing(task);
		return taskRecord(task, {
			fresh,
			standing,
			typicalSeconds: deps.catalogue.find(task.order.model)?.typicalSeconds,
			attemptsMax: limits.attemptsMax,
			retention: limits,
			nowMs: deps.clock.nowMs(),
			links: deps.links,
		});
	}

	/** The task that an entry of the list stands for, where it is there and wanted. */
	async function wanted(account: string, listed: ListedTask, filter: TaskFilter): Promise<Task | undefined> {
		if (filter.mediaType !== undefined && filter.mediaType !== listed.mediaType) return undefined;
		if (filter.model !== undefined && filter.model !== listed.model) return undefined;
		const task = await load(account, listed.taskId);
		// A submit that was cut short and sent again may have left a second entry.
		if (task?.createdAtMs !== listed.createdAtMs) return undefined;
		return filter.status === undefined || filter.status === task.state ? task : undefined;
	}

	return {
		async find(account, taskId) {
			const task = await load(account, taskId);
			if (!task) throw new ApiError(CODES.notFound, "there is no such task");
			return task;
		},
		recordOf,
		async list(account, { limit, cursor, ...filter }) {
			const after = cursor === undefined ? undefined : placeOf(cursor);
			if (cursor !== undefined && !after) {
				const message = "must be the nextCursor of an earlier page";
				throw new ApiError(CODES.badParameter, `cursor: ${message}`, { details: [{ field: "cursor", message }] });
			}
			const records: TaskRecord[] = [];
			let last: ListedTask | undefined;
			let lookedAt = 0;
			for await (const listed of tasks.listed(account, after)) {
				if (last && (records.length === limit || lookedAt === LOOKED_AT_MAX)) {
					return { tasks: records, nextCursor: cursorOf(last) };
				}
				last = listed;
				lookedAt += 1;
				const task = await wanted(account, listed, filter);
				if (task) records.push(await recordOf(task, false));
			}
			return { tasks: records, nextCursor: null };
		},
		async pick(account, taskIds) {
			const found = await Promise.all([...new Set(taskIds)].map((taskId) => load(account, taskId)));
			const records = await Promise.all(found.flatMap((task) => (task ? recordOf(task, false) : [])));
			return { tasks: records, nextCursor: null };
		},
		async ofKey(account, idempotencyKey) {
			for (let generation = 0; generation < GENERATIONS_MAX; generation++) {
				const taskId = taskIdOfKey(account, idempotencyKey, generation);
				// Behind a submit with the same key that is under way: "there is none" must hold.
				const task = await deps.oneAtATime(taskId, () => load(account, taskId));
				if (task) return { tasks: [await recordOf(task, false)], nextCursor: null };
				if (!(await tasks.isGivenUp(taskId))) break;
			}
			return { tasks: [], nextCursor: null };
		},
	};
}
