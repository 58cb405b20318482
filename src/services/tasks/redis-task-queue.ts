import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { connectToRedis } from "@atelier/store/redis-connection";
import { requireSuitableQueue } from "@atelier/store/redis-requirements";
import { createActiveRuns } from "./active-runs.ts";
import { createScheduledRunOutbox } from "./scheduled-run-outbox.ts";
import type { ScheduledRun, RunTask, TaskQueue } from "./task-queue.ts";

const PREFIX = "atelier:tasks";
/** By due time: the tasks that wait for a run. */
const WAITING = `${PREFIX}:waiting`;
/** By the end of their lease: the tasks that a process runs. The process renews its leases. */
const LEASED = `${PREFIX}:leased`;
/** By due time: another run that was requested for a leased task. */
const REQUESTED = `${PREFIX}:requested`;
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
/** Beyond this number, the runs of this process start up to `TAKE_OVER_EVERY_MS` late. */
const WAKE_TIMES_MAX = 10_000;
/** A process that starts moves runs that are due after more than this time back to it: few tasks wait so long for a run. */
const AHEAD_MS_MAX = 60 * 60_000;
/** Leases that are not released within this time end on their own. */
const STOP_TIMEOUT_MS = 5_000;

/** KEYS: waiting, leased, requested; ARGV: "LT" for runs of woken tasks or "NX" for missing ones, then the due time and the id of each. */
const SCHEDULE = `
for n = 2, #ARGV, 2 do
	local due, id = ARGV[n], ARGV[n + 1]
	if not redis.call('ZSCORE', KEYS[2], id) then redis.call('ZADD', KEYS[1], ARGV[1], due, id)
	elseif ARGV[1] == 'LT' then redis.call('ZADD', KEYS[3], 'LT', due, id) end
end`;

/** KEYS: waiting, leased, requested; ARGV: now, end of the leases, ids. Returns the leased ids; requests a run of the others. */
const LEASE = `
local ids = {}
for n = 3, #ARGV do
	if redis.call('ZADD', KEYS[2], 'NX', ARGV[2], ARGV[n]) == 1 then
		redis.call('ZREM', KEYS[1], ARGV[n])
		ids[#ids + 1] = ARGV[n]
	else
		redis.call('ZADD', KEYS[3], 'LT', ARGV[1], ARGV[n])
	end
end
return ids`;

/** KEYS: waiting, leased; ARGV: now, end of the leases, limit. Returns the ids of due tasks, which are leased then. */
const LEASE_DUE = `
local ids = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[3])
if #ids == 0 then return ids end
redis.call('ZREM', KEYS[1], unpack(ids))
local leases = {}
for n, id in ipairs(ids) do leases[2 * n - 1], leases[2 * n] = ARGV[2], id end
redis.call('ZADD', KEYS[2], unpack(leases))
return ids`;

/** KEYS: waiting, leased, requested; ARGV: the ids, then the time of the next run of each, or "". */
const RELEASE = `
local count = #ARGV / 2
local ids = {unpack(ARGV, 1, count)}
local requests = redis.call('ZMSCORE', KEYS[3], unpack(ids))
local runs, served = {}, {}
for n, id in ipairs(ids) do
	local due = tonumber(ARGV[count + n])
	if requests[n] then
		due = math.min(due or math.huge, tonumber(requests[n]))
		served[#served + 1] = id
	end
	if due then
		runs[#runs + 1] = string.format('%.0f', due)
		runs[#runs + 1] = id
	end
end
redis.call('ZREM', KEYS[2], unpack(ids))
if #served > 0 then redis.call('ZREM', KEYS[3], unpack(served)) end
if #runs > 0 then redis.call('ZADD', KEYS[1], unpack(runs)) end`;

/** KEYS: waiting, leased, requested; ARGV: now, limit. Makes the tasks of ended leases due. */
const END_LEASES = `
local ids = redis.call('ZRANGE', KEYS[2], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, id in ipairs(ids) do
	redis.call('ZREM', KEYS[2], id)
	redis.call('ZREM', KEYS[3], id)
	redis.call('ZADD', KEYS[1], ARGV[1], id)
end`;

/** KEYS: waiting, leased, requested; ARGV: a time, a duration. Moves runs that are due later back by the duration, not before the time. */
const MOVE_BACK = `
for _, key in ipairs({KEYS[1], KEYS[3]}) do
	local times = redis.call('ZRANGE', key, ARGV[1], '+inf', 'BYSCORE', 'WITHSCORES')
	for n = 1, #times, 2 do redis.call('ZADD', key, math.max(ARGV[1], times[n + 1] - ARGV[2]), times[n]) end
end`;

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
	const throttledLogger = createThrottledLogger({ clock, logger, message: "queue in trouble" });
	const activeRuns = createActiveRuns({ clock, logger });
	const outbox = createScheduledRunOutbox({ clock, throttledLogger, send: sendRuns });
	/** Ascending: the times at which runs that this process scheduled become due. */
	const wakeTimesMs: number[] = [];
	/** The tasks that this process runs or has run in this turn of the event loop. */
	const leasedIds = new Set<string>();
	const endedRuns: { readonly taskId: string; readonly nextAtMs: number | undefined }[] = [];
	const pendingWork = new Set<Promise<unknown>>();
	let startedRunTask: RunTask | undefined;
	let isStopping = false;
	let stopped: Promise<void> | undefined;
	/** Slots that wait for the response to a request for leases. */
	let requestedSlots = 0;
	let isTaking = false;
	/** True if tasks may be due that no process has leased. */
	let mayHaveDue = false;
	let timer = new AbortController();
	let timerAtMs = Number.POSITIVE_INFINITY;
	let stopIntervals: readonly (() => Promise<void>)[] = [];
	/** The time at the last check for due tasks; `undefined` before the first one. */
	let checkedAtMs: number | undefined;

	async function runScript(script: string, args: readonly (string | number)[]): Promise<unknown> {
		const options = { keys: [WAITING, LEASED, REQUESTED], arguments: args.map(String) };
		return await connection.run((client) => client.eval(script, options));
	}

	function freeSlots(): number {
		if (!startedRunTask || isStopping) return 0;
		return Math.max(0, runsAtOnceMax - leasedIds.size - requestedSlots);
	}

	/** Woken tasks run here without delay if there is a slot. */
	async function sendRuns(runs: readonly ScheduledRun[]): Promise<void> {
		const slots = freeSlots();
		const started = runs.slice(0, slots);
		await Promise.all([scheduleRuns(runs.slice(slots)), leaseAndRun(started.length, () => leaseTasks(started))]);
	}

	async function scheduleRuns(runs: readonly ScheduledRun[]): Promise<void> {
		if (runs.length === 0) return;
		await runScript(SCHEDULE, ["LT", ...runs.flatMap(({ taskId, dueAtMs }) => [Math.ceil(dueAtMs), taskId])]);
		for (const { dueAtMs } of runs) wakeAt(dueAtMs);
	}

	async function leaseTasks(runs: readonly ScheduledRun[]): Promise<readonly string[]> {
		if (runs.length === 0) return [];
		const nowMs = clock.nowMs();
		return (await runScript(LEASE, [nowMs, nowMs + leaseMs, ...runs.map(({ taskId }) => taskId)])) as string[];
	}

	async function leaseDueTasks(limit: number): Promise<readonly string[]> {
		const nowMs = clock.nowMs();
		return (await runScript(LEASE_DUE, [nowMs, nowMs + leaseMs, limit])) as string[];
	}

	/** Reserves slots, leases tasks, and runs them. Resolves to their number once the runs have started. */
	async function leaseAndRun(slots: number, lease: () => Promise<readonly string[]>): Promise<number> {
		requestedSlots += slots;
		try {
			const taskIds = await lease();
			for (const taskId of taskIds) {
				// After a loss of its data, Redis may lease a task to this process that is running already.
				if (leasedIds.has(taskId)) activeRuns.requestAnother(taskId, clock.nowMs());
				else void runAndRelease(taskId);
			}
			return taskIds.length;
		} finally {
			requestedSlots -= slots;
		}
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
		const nextTimes = ended.map(({ nextAtMs }) => (nextAtMs === undefined ? "" : Math.ceil(nextAtMs)));
		const released = runScript(RELEASE, [...ended.map(({ taskId }) => taskId), ...nextTimes]);
		if (mayHaveDue) takeDue();
		await released;
		for (const { nextAtMs } of ended) if (nextAtMs !== undefined) wakeAt(nextAtMs);
	}

	function trackWork(work: Promise<unknown>): void {
		pendingWork.add(work);
		work.catch(throttledLogger.add).finally(() => pendingWork.delete(work));
	}

	async function settlePendingWork(): Promise<void> {
		while (pendingWork.size > 0) await Promise.allSettled(pendingWork);
	}

	/** Looks for due tasks at a time. */
	function wakeAt(dueAtMs: number): void {
		if (wakeTimesMs.length >= WAKE_TIMES_MAX) return;
		const wakeAtMs = Math.ceil(dueAtMs);
		wakeTimesMs.splice(wakeTimesMs.findLastIndex((timeMs) => timeMs <= wakeAtMs) + 1, 0, wakeAtMs);
		setTimer();
	}

	/** Sets the timer for the next time. An earlier timer stays: it sets the next one when it fires. */
	function setTimer(): void {
		const [nextMs] = wakeTimesMs;
		if (nextMs === undefined || timerAtMs <= nextMs || isStopping) return;
		timer.abort();
		timer = new AbortController();
		timerAtMs = nextMs;
		clock.sleep(Math.max(0, nextMs - clock.nowMs()), timer.signal).then(onTimer, () => {});
	}

	function onTimer(): void {
		timerAtMs = Number.POSITIVE_INFINITY;
		const nowMs = clock.nowMs();
		const firstLater = wakeTimesMs.findIndex((timeMs) => timeMs > nowMs);
		const passedMs = wakeTimesMs.splice(0, firstLater === -1 ? wakeTimesMs.length : firstLater);
		if (passedMs.length > 0) takeDue();
		setTimer();
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
				if ((await leaseAndRun(limit, () => leaseDueTasks(limit))) === limit) mayHaveDue = true;
			}
		} finally {
			isTaking = false;
		}
	}

	async function renewLeases(): Promise<void> {
		const score = clock.nowMs() + leaseMs;
		const leases = [...leasedIds].map((value) => ({ score, value }));
		if (leases.length > 0) await connection.run((client) => client.zAdd(LEASED, leases, { condition: "XX" }));
	}

	async function takeOverRuns(): Promise<void> {
		const nowMs = clock.nowMs();
		// Each process does both, because its clock may be set back, also while it is stopped. A run that is due too early is harmless.
		if (checkedAtMs === undefined) await runScript(MOVE_BACK, [nowMs + AHEAD_MS_MAX, nowMs]);
		else if (nowMs < checkedAtMs) await runScript(MOVE_BACK, [nowMs, checkedAtMs - nowMs]);
		checkedAtMs = nowMs;
		// Also without a free slot: other processes may have one.
		await runScript(END_LEASES, [nowMs, TAKEN_MAX]);
		takeDue();
	}

	function repeat(everyMs: number, work: () => Promise<void>): () => Promise<void> {
		return startInterval({ clock, everyMs, run: () => work().catch(throttledLogger.add) });
	}

	async function stop(): Promise<void> {
		isStopping = true;
		const deadlineTimer = new AbortController();
		const deadline = clock.sleep(STOP_TIMEOUT_MS, deadlineTimer.signal).catch(() => {});
		timer.abort();
		await activeRuns.whenDone();
		// An unreachable Redis delays the stop for a few seconds at most: its leases end on their own.
		await Promise.race([Promise.all([outbox.drain(), settlePendingWork()]), deadline]);
		deadlineTimer.abort();
		outbox.stop();
		const intervalsStopped = Promise.all(stopIntervals.map((stopInterval) => stopInterval()));
		connection.close();
		await intervalsStopped;
	}

	return {
		wake(taskId) {
			const dueAtMs = clock.nowMs();
			if (!activeRuns.requestAnother(taskId, dueAtMs)) outbox.add({ taskId, dueAtMs });
		},
		async addMissing(runs: readonly ScheduledRun[]) {
			const [first] = runs;
			if (!first) return;
			await runScript(SCHEDULE, ["NX", ...runs.flatMap(({ taskId, dueAtMs }) => [Math.ceil(dueAtMs), taskId])]);
			// The first is the earliest. The check once a second starts those that become due later.
			wakeAt(first.dueAtMs);
		},
		async claimSweep(everyMs) {
			// Slightly shorter, so that the next sweep on schedule is not too early.
			const expiration = { type: "PX", value: Math.ceil(everyMs * 0.9) } as const;
			const set = connection.run((client) => client.set(`${PREFIX}:sweep`, "taken", { expiration, condition: "NX" }));
			return (await set) === "OK";
		},
		async oldestOverdueRunMs() {
			const [first] = await connection.run((client) => client.zRangeWithScores(WAITING, 0, 0));
			return Math.max(0, first ? clock.nowMs() - first.score : 0, activeRuns.overdueMs());
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
