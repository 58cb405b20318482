import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Cluster } from "../src/cluster/open-cluster.ts";
import type { QueuedTask, StudioQueue, TaskHandler } from "../src/studio-queue.ts";

const never = new AbortController().signal;

/** A queue under the test's control: it records tasks, and the test runs them. `findQueued` fails during an outage. */
export function createPausedQueue({ recoverAfterMs = 0 }: { recoverAfterMs?: number } = {}) {
	const queuedTasks: QueuedTask[] = [];
	const removedIds = new Set<string>();
	let work: TaskHandler | undefined;
	let isOutage = false;

	async function unlessOutage<T>(value: T): Promise<T> {
		if (isOutage) throw new Error("the queue is unavailable");
		return value;
	}

	const engineOf = (taskId: string): string => queuedTasks.findLast((task) => task.taskId === taskId)?.engine ?? "fake";

	const queue: StudioQueue = {
		recoverAfterMs,
		async add(task) {
			queuedTasks.push(task);
			removedIds.delete(task.taskId);
		},
		findQueued(taskIds) {
			const queuedIds = taskIds.filter((taskId) => !removedIds.has(taskId));
			return unlessOutage(new Map(queuedIds.map((taskId) => [taskId, engineOf(taskId)])));
		},
		remove: async (taskId) => void removedIds.add(taskId),
		positionOf: async () => null,
		openTasks: async () => 0,
		start: (handleTask) => void (work = handleTask),
		stop: async () => {},
	};
	const cluster: Cluster = {
		queueOf: () => queue,
		createRateLimiter: (_name, window) => new RateLimiterMemory(window),
		close: async () => {},
	};
	const runTask = async (taskId: string, engine: string, stop = never): Promise<QueuedTask | undefined> =>
		await work?.({ taskId, engine }, stop);
	return {
		queue,
		queuedTasks,
		cluster,
		runTask,
		startOutage: () => void (isOutage = true),
		endOutage: () => void (isOutage = false),
	};
}
