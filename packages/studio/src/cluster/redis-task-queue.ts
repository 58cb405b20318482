import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { startInterval } from "@atelier/common/periodic-work";
import { createPendingWork } from "@atelier/common/pending-work";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import type { RedisConnection } from "@atelier/store/redis-connection";
import { ServiceStoppingError } from "../engines/engine.ts";
import type { EngineQueueSpec, QueuedTask, TaskQueue, TaskHandler } from "../task-queue.ts";

const PREFIX = "atelier:studio";
/** A hash of all open tasks: "ACCOUNT ENGINE" by id. */
const TASKS = `${PREFIX}:tasks`;
/** By the time of their next attempt: the ids of tasks that wait for it. */
const DELAYED = `${PREFIX}:delayed`;
/** By its end: each lease, as "ID TOKEN". The token tells the lease from earlier and later ones of the same task. */
const LEASED = `${PREFIX}:leased`;
/** Publishes the engine of a task that waits. */
const WAITING_CHANNEL = `${PREFIX}:waits`;
/**
 * The longest time that a process may be blocked before another one takes over its tasks. After a crash they are delayed by this
 * much.
 */
const LEASE_MS = 10_000;
/** The longest interval at which a process takes over tasks of ended leases, takes delayed ones, and adds those that Redis rejected. */
const CHECK_EVERY_MS = 1_000;
const STOP_TIMEOUT_MS = 5_000;

/**
 * The part that all scripts share. KEYS: tasks, delayed, leased; ARGV: duration and token of new leases, and for most scripts
 * an engine, its free slots, and more.
 * The clock of the server decides, because those of the processes may differ.
 *
 * Accounts take turns in the waiting tasks of an engine: the first tasks of all accounts form one round, the second ones the next.
 * The score of a task is its round, then its number by arrival. Interrupted tasks wait before all others.
 */
const FUNCTIONS = `
local tasks, delayed, leased = unpack(KEYS)
local lease_ms, token = unpack(ARGV)
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local ROUND = 2 ^ 32

local function waiting(engine) return '${PREFIX}:waiting:' .. engine end
local function rounds(engine) return '${PREFIX}:rounds:' .. engine end
local function lease(id) redis.call('ZADD', leased, now_ms + lease_ms, id .. ' ' .. token) end
local function account_and_engine(id) return string.match(redis.call('HGET', tasks, id) or '', '^(%S+) (.*)$') end

local function first_score(engine)
	local first = redis.call('ZRANGE', waiting(engine), 0, 0, 'WITHSCORES')
	-- Rounds restart when no task waits.
	if not first[2] then redis.call('DEL', rounds(engine)) end
	return tonumber(first[2] or ROUND)
end

local function wait(score, id, engine)
	redis.call('ZADD', waiting(engine), score, id)
	redis.call('PUBLISH', '${WAITING_CHANNEL}', engine)
end

local function wait_first(id, engine) wait(first_score(engine) - 1, id, engine) end

local function wait_for_turn(id, account, engine)
	local first_round = math.floor(first_score(engine) / ROUND)
	local next_round = (redis.call('HGET', rounds(engine), account) or 0) + 1
	local round = math.max(first_round, next_round)
	redis.call('HSET', rounds(engine), account, round)
	wait(round * ROUND + redis.call('HINCRBY', rounds(engine), ' arrivals', 1), id, engine)
end

local function add(id, account, engine, delay_ms)
	if redis.call('HSETNX', tasks, id, account .. ' ' .. engine) == 0 then return end
	if tonumber(delay_ms) > 0 then redis.call('ZADD', delayed, now_ms + delay_ms, id)
	else wait_for_turn(id, account, engine) end
end

local function take(engine, slots)
	local ids = {}
	local popped = tonumber(slots) > 0 and redis.call('ZPOPMIN', waiting(engine), slots) or {}
	for n = 1, #popped, 2 do
		lease(popped[n])
		ids[#ids + 1] = popped[n]
	end
	return ids
end
`;

/** More ARGV: id, account, delay. Starts the task at once if there is a slot and no other task waits. */
const ADD = `
local engine, slots, id, account, delay_ms = unpack(ARGV, 3)
if tonumber(slots) > 0 and tonumber(delay_ms) == 0 and redis.call('EXISTS', waiting(engine)) == 0 then
	if redis.call('HSETNX', tasks, id, account .. ' ' .. engine) == 0 then return {} end
	lease(id)
	return {id}
end
add(id, account, engine, delay_ms)
return take(engine, slots)`;

/**
 * More ARGV: the id and the token of an ended run; 'interrupted' or ''; the account, delay and engine of the next run, if any. If the
 * lease was lost, the task is added only if it is in no queue.
 */
const RELEASE = `
local engine, slots, id, ended_token, interrupted, account, delay_ms, next_engine = unpack(ARGV, 3)
local is_held = redis.call('ZREM', leased, id .. ' ' .. ended_token) == 1
if is_held and interrupted ~= '' then wait_first(id, engine)
else
	if is_held then redis.call('HDEL', tasks, id) end
	if account then add(id, account, next_engine, delay_ms) end
end
return take(engine, slots)`;

/** Makes tasks of ended leases and due delayed tasks wait, of all engines, before it takes those of one. */
const TAKE = `
for _, ended in ipairs(redis.call('ZRANGE', leased, '-inf', now_ms, 'BYSCORE', 'LIMIT', 0, 100)) do
	redis.call('ZREM', leased, ended)
	local id = string.match(ended, '^%S+')
	local _, engine = account_and_engine(id)
	if engine then wait_first(id, engine) end
end
for _, id in ipairs(redis.call('ZRANGE', delayed, '-inf', now_ms, 'BYSCORE', 'LIMIT', 0, 100)) do
	redis.call('ZREM', delayed, id)
	local account, engine = account_and_engine(id)
	if engine then wait_for_turn(id, account, engine) end
end
return take(ARGV[3], ARGV[4])`;

/** ARGV: duration, leases. Renews those that have not been taken over, and returns the others. */
const RENEW = `
local leases, lost = {unpack(ARGV, 2)}, {}
for n, score in ipairs(redis.call('ZMSCORE', leased, unpack(leases))) do
	if score then redis.call('ZADD', leased, now_ms + lease_ms, leases[n]) else lost[#lost + 1] = leases[n] end
end
return lost`;

/** ARGV: duration, id. A running task stays. */
const REMOVE = `
local id = ARGV[2]
local account, engine = account_and_engine(id)
if not engine then return end
local was_waiting = redis.call('ZREM', waiting(engine), id) == 1
-- Gives the turn back.
if was_waiting then redis.call('HINCRBY', rounds(engine), account, -1) end
if was_waiting or redis.call('ZREM', delayed, id) == 1 then redis.call('HDEL', tasks, id) end`;

/** Calls back for each message on a channel from now on. */
export type Subscribe = (channel: string, onMessage: (message: string) => void) => Promise<void>;

export interface RedisTaskQueueDeps {
	readonly connection: RedisConnection;
	readonly subscribe: Subscribe;
	readonly engineQueues: readonly EngineQueueSpec[];
	readonly clock: Clock;
	readonly logger: Logger;
	readonly leaseMs?: number | undefined;
}

interface EngineQueue extends EngineQueueSpec {
	/** Slots of running tasks, and of leases that are requested. */
	usedSlots: number;
}

/** The right of this process to run a task. */
interface Lease {
	readonly token: string;
	endsAtMs: number;
	readonly lost: AbortController;
}

/**
 * One entry per open task, shared by all processes on one Redis or Valkey. A task runs under a lease that is renewed; if its process is
 * gone, another one takes over within seconds. The process that adds a task runs it if it has a free slot; otherwise it tells the
 * others.
 */
export function createRedisTaskQueue(deps: RedisTaskQueueDeps): TaskQueue {
	const { connection, clock, logger, leaseMs = LEASE_MS } = deps;
	const throttledLogger = createThrottledLogger({ clock, logger, message: "queue operation failed" });
	const engineQueues = new Map<string, EngineQueue>(
		deps.engineQueues.map((spec) => [spec.engine, { ...spec, usedSlots: 0 }]),
	);
	/** By task: the leases under which this process runs them. */
	const leases = new Map<string, Lease>();
	/** Tasks that the server has not accepted yet. */
	const notYetQueued = new Map<string, QueuedTask>();
	const pendingWork = createPendingWork({ clock });
	const stopping = new AbortController();
	let startedHandler: TaskHandler | undefined;
	let stopIntervals: readonly (() => Promise<void>)[] = [];

	async function runScript(script: string, args: readonly (string | number)[]): Promise<readonly string[]> {
		const options = { keys: [TASKS, DELAYED, LEASED], arguments: [leaseMs, ...args].map(String) };
		return (await connection.run((client) => client.eval(FUNCTIONS + script, options))) as readonly string[];
	}

	function freeSlots({ concurrency, usedSlots }: EngineQueue): number {
		return startedHandler && !stopping.signal.aborted ? concurrency - usedSlots : 0;
	}

	/** Runs a script that leases tasks for free slots, and starts them. */
	async function take(
		queue: EngineQueue,
		slotsMax: number,
		script: string,
		...args: (string | number)[]
	): Promise<void> {
		const token = randomUUID();
		const endsAtMs = clock.nowMs() + leaseMs;
		const slots = Math.min(slotsMax, freeSlots(queue));
		queue.usedSlots += slots;
		try {
			for (const taskId of await runScript(script, [token, queue.engine, slots, ...args])) {
				pendingWork.add(run(queue, taskId, { token, endsAtMs, lost: new AbortController() }));
			}
		} finally {
			queue.usedSlots -= slots;
		}
	}

	async function takeWaiting(queue: EngineQueue, slotsMax = Number.POSITIVE_INFINITY): Promise<void> {
		await take(queue, slotsMax, TAKE).catch(throttledLogger.add);
	}

	async function run(queue: EngineQueue, taskId: string, lease: Lease): Promise<void> {
		const { engine } = queue;
		// After a loss of its data, the server may lease a task again that this process runs.
		abortRun(leases.get(taskId));
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
		const interrupted = isInterrupted ? "interrupted" : "";
		const nextArgs = next ? [next.account, delayOf(next), next.engine] : [];
		// A lease that cannot be released ends on its own.
		await take(queue, 1, RELEASE, taskId, lease.token, interrupted, ...nextArgs).catch(throttledLogger.add);
	}

	function abortRun(lease: Lease | undefined): void {
		lease?.lost.abort(new ServiceStoppingError("task lease lost"));
	}

	/** Stops the run of a task whose lease could not be renewed in time: another process may have it. */
	async function abortLateRuns(): Promise<void> {
		for (const lease of leases.values()) if (clock.nowMs() >= lease.endsAtMs - leaseMs / 8) abortRun(lease);
	}

	async function renewLeases(): Promise<void> {
		const renewed = new Map([...leases].map(([taskId, lease]) => [`${taskId} ${lease.token}`, lease]));
		if (renewed.size === 0) return;
		const endsAtMs = clock.nowMs() + leaseMs;
		const lost = new Set(await runScript(RENEW, [...renewed.keys()]));
		for (const [entry, lease] of renewed) {
			if (lost.has(entry)) abortRun(lease);
			else lease.endsAtMs = endsAtMs;
		}
	}

	function delayOf({ notBeforeMs }: QueuedTask): number {
		return Math.max(0, Math.ceil(notBeforeMs - clock.nowMs()));
	}

	async function enqueue(task: QueuedTask): Promise<void> {
		const queue = engineQueues.get(task.engine);
		if (!queue) throw new Error(`there is no engine ${task.engine}`);
		await take(queue, 1, ADD, task.taskId, task.account, delayOf(task));
	}

	/** Also without free slots, so that interrupted and delayed tasks get their places in the queue. */
	async function check(): Promise<void> {
		await Promise.all([...engineQueues.values()].map((queue) => takeWaiting(queue)));
		for (const [taskId, task] of notYetQueued) {
			await enqueue(task);
			notYetQueued.delete(taskId);
		}
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

	async function remove(taskId: string): Promise<void> {
		notYetQueued.delete(taskId);
		// During an outage all tasks stay; a process later finds that they have ended.
		await runScript(REMOVE, [taskId]).catch(throttledLogger.add);
	}

	return {
		graceMs: 2 * leaseMs,
		async add(task) {
			try {
				await enqueue(task);
			} catch (error) {
				throttledLogger.add(error);
				notYetQueued.set(task.taskId, task);
			}
		},
		async findQueued(taskIds) {
			const entries = taskIds.length === 0 ? [] : await connection.run((client) => client.hmGet(TASKS, [...taskIds]));
			const engines = entries.map((entry) => entry?.slice(entry.indexOf(" ") + 1));
			// Waiting tasks of an engine that is no longer configured can be queued again.
			const obsoleteIds = taskIds.filter((_, n) => engines[n] !== undefined && !engineQueues.has(engines[n]));
			await Promise.all(obsoleteIds.map(remove));
			const isQueued = (taskId: string, n: number): boolean =>
				notYetQueued.has(taskId) || leases.has(taskId) || engineQueues.has(engines[n] ?? "");
			return new Set(taskIds.filter(isQueued));
		},
		remove,
		async positionOf(taskId, engines) {
			const ranks = await Promise.all(
				engines.map((engine) => readOr(null, (client) => client.zRank(`${PREFIX}:waiting:${engine}`, taskId))),
			);
			const rank = ranks.find((each) => each !== null) ?? null;
			return rank === null ? null : rank + 1;
		},
		openTasks: async () => (await readOr(0, (client) => client.hLen(TASKS))) + notYetQueued.size,
		ping: () => connection.run((client) => client.ping()),
		start(handleTask) {
			startedHandler = handleTask;
			deps
				.subscribe(WAITING_CHANNEL, (engine) => {
					const queue = engineQueues.get(engine);
					if (queue && freeSlots(queue) > 0) pendingWork.add(takeWaiting(queue, 1));
				})
				.catch(throttledLogger.add);
			stopIntervals = [
				repeat(leaseMs / 8, abortLateRuns),
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
