import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import { createPendingWork } from "@atelier/common/pending-work";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import type { RedisConnection } from "@atelier/store/redis-connection";
import { ServiceStoppingError } from "../engines/engine.ts";
import {
	ADD,
	RELEASE,
	REMOVE,
	RENEW,
	runScript,
	TAKE,
	TASKS_KEY,
	WAITING_CHANNEL,
	waitingKey,
} from "./redis-studio-queue-scripts.ts";
import type { EngineQueueSpec, QueuedTask, StudioQueue, TaskHandler } from "../studio-queue.ts";

/**
 * The longest time that a process may be blocked before another one takes over its tasks. After a crash they are delayed by this
 * much.
 */
const LEASE_MS = 10_000;
/** The longest interval at which a process takes over tasks of ended leases, and takes delayed ones. */
const CHECK_EVERY_MS = 1_000;
const STOP_TIMEOUT_MS = 5_000;

/** Calls back for each message on a channel from now on. */
export type Subscribe = (channel: string, onMessage: (message: string) => void) => Promise<void>;

export interface RedisStudioQueueDeps {
	readonly connection: RedisConnection;
	readonly subscribe: Subscribe;
	readonly engineQueues: readonly EngineQueueSpec[];
	readonly clock: Clock;
	readonly logger: Logger;
	readonly leaseMs?: number | undefined;
}

/** The right of this process to run a task. */
interface TaskLease {
	readonly engine: string;
	readonly token: string;
	endsAtMs: number;
	/** Aborted once another process may have the task. */
	readonly lost: AbortController;
}

interface EngineQueue extends EngineQueueSpec {
	/** Slots of running tasks, and of leases that are requested. */
	usedSlots: number;
}

/**
 * One entry per open task, shared by all processes on one Redis or Valkey. A task runs under a lease that is renewed; if its process is
 * gone, another one takes over within seconds. The process that adds a task runs it if it has a free slot; otherwise it tells the
 * others.
 */
export function createRedisStudioQueue(deps: RedisStudioQueueDeps): StudioQueue {
	const { connection, clock, logger, leaseMs = LEASE_MS } = deps;
	const throttledLogger = createThrottledLogger({ clock, logger, message: "queue operation failed" });
	const engineQueues = new Map<string, EngineQueue>(
		deps.engineQueues.map((spec) => [spec.engine, { ...spec, usedSlots: 0 }]),
	);
	const scriptDeps = { connection, leaseMs };
	/** The leases under which this process runs tasks, by task id. */
	const leases = new Map<string, TaskLease>();
	const pendingWork = createPendingWork({ clock });
	const stopping = new AbortController();
	let startedHandler: TaskHandler | undefined;
	let stopIntervals: readonly (() => Promise<void>)[] = [];

	function freeSlots({ concurrency, usedSlots }: EngineQueue): number {
		return startedHandler && !stopping.signal.aborted ? concurrency - usedSlots : 0;
	}

	/** Runs a script that leases tasks for free slots, with its arguments after `slots`, and starts the tasks. */
	async function leaseAndRun(
		queue: EngineQueue,
		slotsMax: number,
		script: string,
		args: readonly (string | number)[] = [],
	): Promise<void> {
		const token = randomUUID();
		const endsAtMs = clock.nowMs() + leaseMs;
		const slots = Math.min(slotsMax, freeSlots(queue));
		queue.usedSlots += slots;
		try {
			for (const taskId of await runScript(scriptDeps, script, [token, queue.engine, slots, ...args])) {
				pendingWork.add(run(queue, taskId, { engine: queue.engine, token, endsAtMs, lost: new AbortController() }));
			}
		} finally {
			queue.usedSlots -= slots;
		}
	}

	async function takeWaiting(queue: EngineQueue, slotsMax = Number.POSITIVE_INFINITY): Promise<void> {
		await leaseAndRun(queue, slotsMax, TAKE).catch(throttledLogger.add);
	}

	async function run(queue: EngineQueue, taskId: string, lease: TaskLease): Promise<void> {
		const { engine } = queue;
		// After a loss of its data, the server may lease a task again that this process runs.
		lose(leases.get(taskId));
		leases.set(taskId, lease);
		queue.usedSlots += 1;
		const stop = AbortSignal.any([stopping.signal, lease.lost.signal]);
		const isStarted = !stop.aborted;
		let next: QueuedTask | undefined;
		try {
			if (isStarted) next = await startedHandler?.({ taskId, engine }, stop);
		} catch (error) {
			logger.error({ err: error, taskId }, "task postponed to the next sweep");
		}
		queue.usedSlots -= 1;
		if (leases.get(taskId) === lease) leases.delete(taskId);
		// A retry keeps its delay and its engine also if the process stops meanwhile.
		const isInterrupted = !isStarted || (stop.aborted && next?.engine === engine && delayOf(next) === 0);
		const ended = [taskId, lease.token, isInterrupted ? "interrupted" : ""];
		const nextRun = next ? [next.account, delayOf(next), next.engine] : [];
		// A lease that cannot be released ends on its own.
		await leaseAndRun(queue, 1, RELEASE, [...ended, ...nextRun]).catch(throttledLogger.add);
	}

	function lose(lease: TaskLease | undefined): void {
		lease?.lost.abort(new ServiceStoppingError("task lease lost"));
	}

	/** Renews all leases. Those that another process has are lost. */
	async function renewLeases(): Promise<void> {
		const renewed = new Map([...leases].map(([taskId, lease]) => [`${taskId} ${lease.token}`, lease]));
		if (renewed.size === 0) return;
		const endsAtMs = clock.nowMs() + leaseMs;
		const lost = new Set(await runScript(scriptDeps, RENEW, [...renewed.keys()]));
		for (const [entry, lease] of renewed) {
			if (lost.has(entry)) lose(lease);
			else lease.endsAtMs = endsAtMs;
		}
	}

	/** Gives up leases that could not be renewed in time: another process may have the tasks. */
	async function loseLateLeases(): Promise<void> {
		for (const lease of leases.values()) if (clock.nowMs() >= lease.endsAtMs - leaseMs / 8) lose(lease);
	}

	function delayOf({ notBeforeMs }: QueuedTask): number {
		return Math.max(0, Math.ceil(notBeforeMs - clock.nowMs()));
	}

	async function add(task: QueuedTask): Promise<void> {
		const queue = engineQueues.get(task.engine);
		if (!queue) throw new Error(`there is no engine ${task.engine}`);
		const { taskId, account } = task;
		await leaseAndRun(queue, 1, ADD, [taskId, account, delayOf(task)]);
	}

	/** Runs without free slots too: it also moves due tasks and those of ended leases to their places in the queue. */
	async function check(): Promise<void> {
		await Promise.all([...engineQueues.values()].map((queue) => takeWaiting(queue)));
	}

	/** Tasks can be accepted and read during an outage of the queue. */
	async function readOr<T>(fallback: T, read: (client: RedisConnection["client"]) => Promise<T>): Promise<T> {
		return await connection.run(read).catch((error: unknown) => {
			throttledLogger.add(error);
			return fallback;
		});
	}

	function repeat(everyMs: number, work: () => Promise<void>): () => Promise<void> {
		return startInterval({ clock, everyMs, run: () => work().catch(throttledLogger.add) });
	}

	return {
		recoverAfterMs: 2 * leaseMs,
		add,
		async findQueued(taskIds) {
			const entries =
				taskIds.length === 0 ? [] : await connection.run((client) => client.hmGet(TASKS_KEY, [...taskIds]));
			return new Map(
				taskIds.flatMap((taskId, n) => {
					const engine = entries[n]?.replace(/^\S+ /, "") ?? leases.get(taskId)?.engine;
					return engine === undefined ? [] : [[taskId, engine]];
				}),
			);
		},
		async remove(taskId) {
			// During an outage all tasks stay; a process later finds that they have ended.
			await runScript(scriptDeps, REMOVE, [taskId]).catch(throttledLogger.add);
		},
		async positionOf(taskId, engines) {
			const ranks = await Promise.all(
				engines.map((engine) => readOr(null, (client) => client.zRank(waitingKey(engine), taskId))),
			);
			const rank = ranks.find((each) => each !== null) ?? null;
			return rank === null ? null : rank + 1;
		},
		openTasks: () => readOr(0, (client) => client.hLen(TASKS_KEY)),
		start(handleTask) {
			startedHandler = handleTask;
			deps
				.subscribe(WAITING_CHANNEL, (engine) => {
					const queue = engineQueues.get(engine);
					if (queue && freeSlots(queue) > 0) pendingWork.add(takeWaiting(queue, 1));
				})
				.catch(throttledLogger.add);
			stopIntervals = [
				repeat(leaseMs / 8, loseLateLeases),
				repeat(leaseMs / 4, renewLeases),
				repeat(Math.min(CHECK_EVERY_MS, leaseMs / 4), check),
			];
			pendingWork.add(check().catch(throttledLogger.add));
		},
		async stop() {
			stopping.abort(new ServiceStoppingError("the studio is stopping"));
			for (const stopInterval of stopIntervals) pendingWork.add(stopInterval());
			// An unreachable Redis delays the stop by at most this time: its leases end on their own.
			await pendingWork.drain(STOP_TIMEOUT_MS);
		},
	};
}
