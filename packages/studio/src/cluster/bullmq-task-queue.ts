import { DelayedError, Queue, Worker, type Job } from "bullmq";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { RedisConnection } from "@atelier/store/redis-connection";
import { CONSUMER_BLOCKS_S_MAX, CONSUMER_RETRY_MS_MAX, createConsumerClient } from "@atelier/store/redis-consumer";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { ServiceStoppingError } from "../engines/engine.ts";
import type { EngineQueueSpec, QueuedTask, TaskQueue, TaskHandler } from "../task-queue.ts";
import { createFairPriorities, type FairPriorities } from "./fair-priorities.ts";

const PREFIX = "atelier";
/**
 * The longest time that a process may be blocked before another one takes over its tasks. After a crash they are delayed by this
 * much.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 2_000;
/** BullMQ would fail a job that was interrupted twice. The studio counts interruptions itself. */
const STALLED_COUNT_MAX = 1_000_000;
const EVENTS_MAX = 100;
/** Interval of the retries for tasks that the server has not accepted. */
const ENQUEUE_AGAIN_MS = 1_000;
const STOP_TIMEOUT_MS = 5_000;

export interface BullMqTaskQueueDeps {
	readonly url: string;
	readonly connection: RedisConnection;
	readonly engineQueues: readonly EngineQueueSpec[];
	readonly clock: Clock;
	readonly logger: Logger;
	readonly lockMs?: number | undefined;
	readonly stalledCheckMs?: number | undefined;
}

interface JobData {
	readonly account: string;
}

interface EngineQueue extends EngineQueueSpec {
	readonly queue: Queue<JobData, void>;
	readonly priorities: FairPriorities;
}

/** A task that this process runs while it holds the lock. */
interface LockedTask {
	lockedUntilMs: number;
	readonly lockLost: AbortController;
}

/**
 * One job per open task, in the queue of its engine, shared by all processes on one Redis or Valkey. A job runs under a
 * lock that is renewed; if its process is gone, another one takes over within seconds.
 */
export function createBullMqTaskQueue(deps: BullMqTaskQueueDeps): TaskQueue {
	const { connection, clock, logger, lockMs = LOCK_MS, stalledCheckMs = STALLED_CHECK_MS } = deps;
	const throttledLogger = createThrottledLogger({ clock, logger, message: "queue in trouble" });
	const engineQueues = new Map<string, EngineQueue>(
		deps.engineQueues.map((spec) => [spec.engine, openEngineQueue(spec)]),
	);
	const lockedTasks = new Map<string, LockedTask>();
	/** Tasks that the server has not accepted yet. */
	const notYetQueued = new Map<string, QueuedTask>();
	const stopping = new AbortController();
	const consumers: { readonly worker: Worker; readonly disconnect: () => void }[] = [];
	let enqueueRetry: Promise<void> | undefined;
	let lockWatch: Promise<void> | undefined;

	function openEngineQueue(spec: EngineQueueSpec): EngineQueue {
		const queue = new Queue<JobData, void>(`studio-${spec.engine}`, {
			connection: connection.client,
			prefix: PREFIX,
			streams: { events: { maxLen: EVENTS_MAX } },
			defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
		});
		queue.on("error", throttledLogger.add);
		return { ...spec, queue, priorities: createFairPriorities(queue, connection) };
	}

	async function enqueue({ taskId, account, engine, notBeforeMs }: QueuedTask): Promise<void> {
		const engineQueue = engineQueues.get(engine);
		if (!engineQueue) throw new Error(`there is no engine ${engine}`);
		const priority = await engineQueue.priorities.next(account);
		const delay = Math.max(0, Math.ceil(notBeforeMs - clock.nowMs()));
		await connection.run(() => engineQueue.queue.add("task", { account }, { jobId: taskId, priority, delay }));
	}

	async function add(task: QueuedTask): Promise<void> {
		try {
			await enqueue(task);
		} catch (error) {
			throttledLogger.add(error);
			notYetQueued.set(task.taskId, task);
			enqueueRetry ??= enqueueAgain().finally(() => {
				enqueueRetry = undefined;
			});
		}
	}

	async function enqueueAgain(): Promise<void> {
		while (notYetQueued.size > 0 && (await pause(ENQUEUE_AGAIN_MS))) {
			for (const [taskId, task] of notYetQueued) {
				try {
					await enqueue(task);
					notYetQueued.delete(taskId);
				} catch (error) {
					throttledLogger.add(error);
					break;
				}
			}
		}
	}

	/** Resolves to `false` when the queue stops. */
	function pause(ms: number): Promise<boolean> {
		return clock.sleep(ms, stopping.signal).then(
			() => true,
			() => false,
		);
	}

	async function processJob(
		handleTask: TaskHandler,
		engineQueue: EngineQueue,
		job: Job<JobData, void>,
		token: string | undefined,
	): Promise<void> {
		const taskId = job.id ?? "";
		const { engine } = engineQueue;
		const locked: LockedTask = { lockedUntilMs: clock.nowMs() + lockMs, lockLost: new AbortController() };
		lockedTasks.set(taskId, locked);
		try {
			if (job.priority > 0) engineQueue.priorities.roundStarted(job.priority).catch(throttledLogger.add);
			const stop = AbortSignal.any([stopping.signal, locked.lockLost.signal]);
			const task = { taskId, account: job.data.account, engine, notBeforeMs: clock.nowMs() };
			const next = stop.aborted ? task : await handleTask(task, stop);
			if (!next) return;
			if (next.engine !== engine) return await enqueue(next);
			await job.moveToDelayed(Math.max(clock.nowMs(), next.notBeforeMs), token);
		} finally {
			if (lockedTasks.get(taskId) === locked) lockedTasks.delete(taskId);
		}
		throw new DelayedError();
	}

	/** Stops the run of a task whose lock could not be renewed in time: another process may have it. */
	async function watchLocks(): Promise<void> {
		while (await pause(lockMs / 8)) {
			for (const locked of lockedTasks.values()) {
				if (clock.nowMs() >= locked.lockedUntilMs - lockMs / 8) abortRun(locked);
			}
		}
	}

	function abortRun(locked: LockedTask | undefined): void {
		locked?.lockLost.abort(new ServiceStoppingError("task lock lost"));
	}

	function openConsumer(
		handleTask: TaskHandler,
		engineQueue: EngineQueue,
	): { readonly worker: Worker; readonly disconnect: () => void } {
		const client = createConsumerClient(deps.url, throttledLogger.add);
		const worker = new Worker<JobData, void>(
			engineQueue.queue.name,
			(job, token) => processJob(handleTask, engineQueue, job, token),
			{
				connection: client,
				prefix: PREFIX,
				concurrency: engineQueue.concurrency,
				lockDuration: lockMs,
				lockRenewTime: lockMs / 4,
				stalledInterval: stalledCheckMs,
				maxStalledCount: STALLED_COUNT_MAX,
				drainDelay: CONSUMER_BLOCKS_S_MAX,
				runRetryDelay: CONSUMER_RETRY_MS_MAX,
			},
		);
		worker.on("error", throttledLogger.add);
		worker.on("locksRenewed", ({ jobIds }) => {
			for (const jobId of jobIds) {
				const locked = lockedTasks.get(jobId);
				if (locked) locked.lockedUntilMs = clock.nowMs() + lockMs;
			}
		});
		worker.on("lockRenewalFailed", (jobIds) => jobIds.forEach((jobId) => abortRun(lockedTasks.get(jobId))));
		return { worker, disconnect: () => client.isOpen && client.destroy() };
	}

	async function isInQueue(taskId: string): Promise<boolean> {
		if (notYetQueued.has(taskId) || lockedTasks.has(taskId)) return true;
		const keys = [...engineQueues.values()].map(({ queue }) => queue.toKey(taskId));
		return (await connection.run((client) => client.exists(keys))) > 0;
	}

	async function positionInQueue({ queue }: EngineQueue, taskId: string): Promise<number | null> {
		const [rank, interrupted, fromEnd] = await connection.run((client) =>
			Promise.all([
				client.zRank(queue.toKey("prioritized"), taskId),
				client.lLen(queue.toKey("wait")),
				client.lPos(queue.toKey("wait"), taskId),
			]),
		);
		// Interrupted jobs wait before all others, in a list whose last element runs next.
		if (fromEnd !== null) return interrupted - fromEnd;
		return rank === null ? null : interrupted + rank + 1;
	}

	return {
		graceMs: 2 * lockMs,
		add,
		async findQueued(taskIds) {
			const found = await Promise.all(taskIds.map(isInQueue));
			return new Set(taskIds.filter((_, index) => found[index]));
		},
		async remove(taskId) {
			notYetQueued.delete(taskId);
			// A running job is locked and stays. During an outage all jobs stay; a worker later finds that their task has ended.
			await Promise.all(
				[...engineQueues.values()].map(({ queue }) => connection.run(() => queue.remove(taskId))),
			).catch(throttledLogger.add);
		},
		async positionOf(taskId, engines) {
			const positions = await Promise.all(
				engines.flatMap((engine) => {
					const engineQueue = engineQueues.get(engine);
					return engineQueue ? positionInQueue(engineQueue, taskId) : [];
				}),
			).catch((error: unknown) => {
				// The task remains readable without its queue position.
				throttledLogger.add(error);
				return [];
			});
			return positions.find((each) => each !== null) ?? null;
		},
		async openTasks() {
			const counts = await Promise.all(
				[...engineQueues.values()].map(({ queue }) =>
					connection.run(() => queue.getJobCounts("wait", "prioritized", "delayed", "active")),
				),
			).catch((error: unknown) => {
				// Tasks are accepted during an outage of the queue: the store keeps them.
				throttledLogger.add(error);
				return [];
			});
			const queued = counts.flatMap((count) => Object.values(count)).reduce((sum, count) => sum + count, 0);
			return queued + notYetQueued.size;
		},
		ping: () => connection.run((client) => client.ping()),
		start(handleTask) {
			for (const engineQueue of engineQueues.values()) consumers.push(openConsumer(handleTask, engineQueue));
			lockWatch = watchLocks();
		},
		async stop() {
			stopping.abort(new ServiceStoppingError("the studio is stopping"));
			const deadlineAbort = new AbortController();
			const deadline = clock.sleep(STOP_TIMEOUT_MS, deadlineAbort.signal).catch(() => {});
			// An unreachable Redis does not delay the stop: its jobs come back when their locks expire.
			await Promise.race([Promise.all(consumers.map(({ worker }) => worker.close())), deadline]);
			deadlineAbort.abort();
			for (const { disconnect } of consumers) disconnect();
			await Promise.all([enqueueRetry, lockWatch]);
		},
	};
}
