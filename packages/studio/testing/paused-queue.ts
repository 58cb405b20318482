import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Cluster } from "../src/cluster/open-cluster.ts";
import type { QueuedTask, TaskQueue, Work } from "../src/task-queue.ts";

const neverStops = new AbortController().signal;

/**
 * A queue under the test's control: it records tasks, and the test starts them. Notifications to other processes are
 * lost. It fails while it is `away`.
 */
export function createPausedQueue({ graceMs = 0 }: { graceMs?: number } = {}) {
	const places: QueuedTask[] = [];
	let work: Work | undefined;
	let isAway = false;

	async function answer<T>(value: T): Promise<T> {
		if (isAway) throw new Error("the queue is away");
		return value;
	}

	const queue: TaskQueue = {
		graceMs,
		add: async (task) => void places.push(task),
		findQueued: (taskIds) => answer(new Set(taskIds)),
		remove: async () => {},
		positionOf: async () => null,
		openTasks: async () => 0,
		openTasksOf: async () => 0,
		ping: () => answer("PONG"),
		start: (given) => void (work = given),
		stop: async () => {},
	};
	const shared: Cluster = {
		queueOf: () => queue,
		changePubSub: { publish() {}, subscribe: async () => {}, close() {} },
		createRateLimiter: (_name, window) => new RateLimiterMemory(window),
		close: async () => {},
	};
	const turn = async (taskId: string, engine: string): Promise<QueuedTask | undefined> =>
		await work?.({ taskId, account: "acme", engine }, neverStops);
	return { places, shared, turn, goAway: () => void (isAway = true), comeBack: () => void (isAway = false) };
}
