import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { connectToRedis } from "@atelier/store/redis-connection";
import { requireSuitableQueue } from "@atelier/store/redis-requirements";
import { createActiveRuns } from "./active-runs.ts";
import { END_LEASES, LEASE_DUE, OVERDUE, RELEASE, RENEW, SCHEDULE } from "./redis-task-queue-scripts.ts";
import type { ScheduledRun, RunTask, TaskQueue } from "./task-queue.ts";
import { createWakeTimes } from "./wake-times.ts";

const PREFIX = "atelier:tasks";
const KEYS = [`${PREFIX}:waiting`, `${PREFIX}:leased`, `${PREFIX}:requested`, `${PREFIX}:clock`];
const RUNS_AT_ONCE_MAX = 256;
/** Bounds the runs that start in one turn of the event loop. */
const TAKEN_MAX = 64;
/**
 * The longest time that a process may be blocked before another one takes over its runs. After a crash they are delayed by this
 * much.
 */
const LEASE_MS = 10_000;
/** The interval at which a process takes over runs that another one scheduled and did not start, or did not finish. */
const TAKE_OVER_EVERY_MS = 1_000;
/** The most woken tasks in one call. */
const WOKEN_BATCH_MAX = 256;
/** Tasks that are woken beyond this number during an outage are left to the sweeper. */
const WOKEN_MAX = 10_000;
const WOKEN_RETRY_MS = 1_000;
/** Leases that are not released within this time end on their own. */
const STOP_TIMEOUT_MS = 5_000;

export interface RedisTaskQueueDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly runsAtOnceMax?: number;
	readonly leaseMs?: number;
}

/**
 * The schedule of all processes on one Redis or Valkey: a sorted set of due times. A process leases a task before it runs it, and
 * releases it with the time of its next run. The process that schedules a run leases it on time; every process checks once a
 * second for due tasks without a lease, and for leases of killed processes.
 */
export async function openRedisTaskQueue(url: string, deps: RedisTaskQueueDeps): Promise<TaskQueue> {
	const { clock, logger, runsAtOnceMax = RUNS_AT_ONCE_MAX, leaseMs = LEASE_MS } = deps;
	const connection = await connectToRedis(url, { logger, role: "queue" });
	try {
		await requireSuitableQueue(connection);
	} catch (error) {
		connection.close();
		throw error;
	}
	const throttledLogger = createThrottledLogger({ clock, logger, message: "queue operation failed" });
	const activeRuns = createActiveRuns({ clock, logger });
	/** Tasks that were woken and are not sent to Redis yet. A command does not wait for Redis, nor fail with it. */
	const wokenIds = new Set<string>();
	let sendingWoken: Promise<void> | undefined;
	/**
	 * The times at which runs that this process scheduled become due. Set once Redis has responded, so that a task is due by its clock
	 * then.
	 */
	const wakeTimes = createWakeTimes({ clock, onDue: takeDue });
	/** The tasks that this process runs or has run in this turn of the event loop. */
	const leasedIds = new Set<string>();
	const endedRuns: { readonly taskId: string; readonly nextAtMs: number | undefined }[] = [];
	const pendingWork = new Set<Promise<unknown>>();
	let startedRunTask: RunTask | undefined;
	let isStopping = false;
	/** Aborted when the tasks that are not sent yet are left to other processes. */
	const sendingStopped = new AbortController();
	let stopped: Promise<void> | undefined;
	let isTaking = false;
	/** True if tasks may be due that no process has leased. */
	let mayHaveDue = false;
	let stopIntervals: readonly (() => Promise<void>)[] = [];

	async function runScript(script: string, args: readonly (string | number)[]): Promise<unknown> {
		const options = { keys: KEYS, arguments: args.map(String) };
		return await connection.run((client) => client.eval(script, options));
	}

	function freeSlots(): number {
		if (!startedRunTask || isStopping) return 0;
		return Math.max(0, runsAtOnceMax - leasedIds.size);
	}

	function delayUntil(dueAtMs: number): number {
		return Math.max(0, Math.ceil(dueAtMs - clock.nowMs()));
	}

	async function sendAllWoken(): Promise<void> {
		// One batch contains all tasks that are woken in this turn of the event loop.
		await Promise.resolve();
		while (wokenIds.size > 0 && !sendingStopped.signal.aborted) {
			const taskIds = [...wokenIds.values().take(WOKEN_BATCH_MAX)];
			for (const taskId of taskIds) wokenIds.delete(taskId);
			try {
				await runScript(SCHEDULE, ["LT", ...taskIds.flatMap((taskId) => [0, taskId])]);
				takeDue();
			} catch (error) {
				throttledLogger.add(error);
				for (const taskId of taskIds) wokenIds.add(taskId);
				await clock.sleep(WOKEN_RETRY_MS, sendingStopped.signal).catch(() => {});
			}
		}
		sendingWoken = undefined;
	}

	async function runAndRelease(taskId: string): Promise<void> {
		leasedIds.add(taskId);
		// Tasks that were leased before the stop go back unchanged.
		const nextAtMs = startedRunTask && !isStopping ? await activeRuns.run(taskId, startedRunTask) : clock.nowMs();
		endedRuns.push({ taskId, nextAtMs });
		if (endedRuns.length === 1) trackWork(releaseEnded());
	}

	/** Releases the leases of all runs that ended in this turn of the event loop. A lease that cannot be released ends on its own. */
	async function releaseEnded(): Promise<void> {
		await nextTurn();
		const ended = endedRuns.splice(0);
		for (const { taskId } of ended) leasedIds.delete(taskId);
		const delaysMs = ended.map(({ nextAtMs }) => (nextAtMs === undefined ? "" : delayUntil(nextAtMs)));
		const released = runScript(RELEASE, [...ended.map(({ taskId }) => taskId), ...delaysMs]);
		if (mayHaveDue) takeDue();
		if (Number(await released) > 0) takeDue();
		for (const delayMs of delaysMs) if (delayMs !== "") wakeTimes.add(delayMs);
	}

	function trackWork(work: Promise<unknown>): void {
		pendingWork.add(work);
		work.catch(throttledLogger.add).finally(() => pendingWork.delete(work));
	}

	async function settlePendingWork(): Promise<void> {
		while (pendingWork.size > 0) await Promise.allSettled(pendingWork);
	}

	/** Runs due tasks while there are free slots. */
	function takeDue(): void {
		mayHaveDue = true;
		if (!isTaking) trackWork(takeAllDue());
	}

	async function takeAllDue(): Promise<void> {
		isTaking = true;
		try {
			for (let slots = freeSlots(); mayHaveDue && slots > 0; slots = freeSlots()) {
				// A run that becomes due from now on sets it again.
				mayHaveDue = false;
				const limit = Math.min(slots, TAKEN_MAX);
				const taskIds = (await runScript(LEASE_DUE, [leaseMs, limit])) as string[];
				for (const taskId of taskIds) {
					// After a loss of its data, Redis may lease a task to this process that is running already.
					if (leasedIds.has(taskId)) activeRuns.requestAnother(taskId, clock.nowMs());
					else void runAndRelease(taskId);
				}
				if (taskIds.length === limit) mayHaveDue = true;
			}
		} finally {
			isTaking = false;
		}
	}

	async function renewLeases(): Promise<void> {
		if (leasedIds.size > 0) await runScript(RENEW, [leaseMs, ...leasedIds]);
	}

	async function takeOverRuns(): Promise<void> {
		// Also without a free slot: other processes may have one.
		await runScript(END_LEASES, [TAKEN_MAX]);
		takeDue();
	}

	function repeat(everyMs: number, work: () => Promise<void>): () => Promise<void> {
		return startInterval({ clock, everyMs, run: () => work().catch(throttledLogger.add) });
	}

	async function stop(): Promise<void> {
		isStopping = true;
		const deadlineTimer = new AbortController();
		const deadline = clock.sleep(STOP_TIMEOUT_MS, deadlineTimer.signal).catch(() => {});
		wakeTimes.stop();
		await activeRuns.whenDone();
		// An unreachable Redis delays the stop for a few seconds at most: its leases end on their own.
		await Promise.race([Promise.all([sendingWoken, settlePendingWork()]), deadline]);
		deadlineTimer.abort();
		sendingStopped.abort();
		const intervalsStopped = Promise.all(stopIntervals.map((stopInterval) => stopInterval()));
		connection.close();
		await intervalsStopped;
	}

	return {
		wake(taskId) {
			if (activeRuns.requestAnother(taskId, clock.nowMs()) || wokenIds.size >= WOKEN_MAX) return;
			wokenIds.add(taskId);
			sendingWoken ??= sendAllWoken();
		},
		async addMissing(runs: readonly ScheduledRun[]) {
			const [first] = runs;
			if (!first) return;
			const firstDelayMs = delayUntil(first.dueAtMs);
			await runScript(SCHEDULE, ["NX", ...runs.flatMap(({ taskId, dueAtMs }) => [delayUntil(dueAtMs), taskId])]);
			// The first is the earliest. The check once a second starts those that become due later.
			wakeTimes.add(firstDelayMs);
		},
		async oldestOverdueRunMs() {
			return Number(await runScript(OVERDUE, []));
		},
		start(runTask) {
			startedRunTask = runTask;
			stopIntervals = [
				repeat(leaseMs / 4, renewLeases),
				repeat(Math.min(TAKE_OVER_EVERY_MS, leaseMs / 4), takeOverRuns),
			];
			takeDue();
		},
		stop: () => (stopped ??= stop()),
	};
}
