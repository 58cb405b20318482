import { setImmediate as nextTurn } from "node:timers/promises";
import { createClient } from "@redis/client";
import { DelayedError, ErrorCode, Queue, Worker, type Job } from "bullmq";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { listenToDuplicates, connectToRedis, type RedisConnection } from "@atelier/store/redis-connection";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { createActivePolls } from "./active-polls.ts";
import { refuseUnfitQueue } from "@atelier/store/redis-requirements";
import type { DuePoll, Poll, PollQueue } from "./poll-queue.ts";
import { createScheduleOutbox, type ScheduledPoll } from "./poll-outbox.ts";

const QUEUE = "polls";
const PREFIX = "atelier";
const POLLS_AT_ONCE_MAX = 256;
/** The limit of all processes together, for the service and for Redis. */
const POLLS_PER_SECOND_MAX = 2_000;
const LIMITER_WINDOW_MS = 100;
/**
 * How long a process may be blocked before another one takes over its polls. After a crash they are delayed by this
 * much.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 2_000;
/** BullMQ would fail a job that was interrupted twice. A crash says nothing about a task. */
const STALLED_COUNT_MAX = 1_000_000;
/** Jobs added without yielding to the event loop. */
const STRETCH_JOBS = 32;
/** The longest blocking wait of a worker before it checks again. */
const DRAIN_DELAY_S = 5;
/** Longer than a worker blocks, so that silence means a dead connection. */
const SOCKET_TIMEOUT_MS = 20_000;
const PING_EVERY_MS = 5_000;
const RECONNECT_DELAY_MS_MAX = 2_000;
const EVENTS_MAX = 100;
/** Jobs that are not put back by then are taken over by another process. */
const STOP_TIMEOUT_MS = 5_000;

export interface BullMqPollQueueDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly pollsAtOnceMax?: number;
	readonly pollsPerSecondMax?: number;
	readonly lockMs?: number;
	readonly stalledCheckMs?: number;
}

/**
 * One job per task, shared by all processes on one Redis or Valkey: delayed until its poll is due, polled under a lock
 * that is renewed, moved back to delayed, and removed when its task has ended. * A wake must reach a job that is being
 * polled, perhaps by another process. A wake sets a mark and tries to promote the job; a poll puts the job back and
 * then takes the mark. One of the two always sees the other.
 */
export async function openBullMqPollQueue(url: string, deps: BullMqPollQueueDeps): Promise<PollQueue> {
	const { clock, logger, pollsPerSecondMax = POLLS_PER_SECOND_MAX } = deps;
	const { pollsAtOnceMax = POLLS_AT_ONCE_MAX, lockMs = LOCK_MS, stalledCheckMs = STALLED_CHECK_MS } = deps;
	const connection = await connectToRedis(url, { logger, role: "queue" });
	try {
		await refuseUnfitQueue(connection);
	} catch (error) {
		connection.close();
		throw error;
	}
	const throttledLogger = createThrottledLogger({ clock, logger, message: "queue in trouble" });
	const queue = new Queue<object, void>(QUEUE, {
		connection: connection.client,
		prefix: PREFIX,
		streams: { events: { maxLen: EVENTS_MAX } },
		defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
	});
	queue.on("error", throttledLogger.add);
	const backend = queue.getBackend();
	const wokenKey = queue.toKey("woken");
	const activePolls = createActivePolls({ clock, logger });
	const outbox = createScheduleOutbox({ clock, throttledLogger, schedulePoll });
	/** Polls that ended in this turn of the event loop, and may have been woken meanwhile. */
	let lookedAt: string[] = [];
	const settling = new Set<Promise<unknown>>();
	let isStopping = false;
	let stopped: Promise<void> | undefined;
	let consumer: { readonly worker: Worker; readonly disconnect: () => void } | undefined;
	/** The last job in the waiting list at the time of a check, and how long it has been there. */
	let probe: { readonly jobId: string; readonly sinceMs: number } | undefined;

	async function schedulePoll({ taskId, dueAtMs, isWake }: ScheduledPoll): Promise<void> {
		const jobId = jobIdOf(taskId);
		const delayMs = Math.max(0, Math.ceil(dueAtMs - clock.nowMs()));
		switch (await connection.run(() => delay(jobId, delayMs))) {
			case "done":
				return;
			case "missing":
				await connection.run(() => add([{ taskId, dueAtMs }]));
				return;
			case "not delayed":
				if (isWake) await connection.run((client) => markWoken(client, jobId));
		}
	}

	async function delay(jobId: string, delayMs: number): Promise<"done" | "missing" | "not delayed"> {
		try {
			await backend.changeDelay(jobId, delayMs);
			return "done";
		} catch (error) {
			switch (codeOf(error)) {
				case ErrorCode.JobNotExist:
					return "missing";
				case ErrorCode.JobNotInState:
					return "not delayed";
				default:
					throw error;
			}
		}
	}

	async function markWoken(client: RedisConnection["client"], jobId: string): Promise<void> {
		await client.sAdd(wokenKey, jobId);
		// The job was put back between the first attempt and the mark, so the poll did not see the mark.
		if ((await delay(jobId, 0)) === "done") await client.sRem(wokenKey, jobId);
	}

	/**
	 * Adds jobs one by one, pipelined into one write: `addBulk` fails for good on a restarted server that has lost the
	 * scripts.
	 */
	async function add(polls: readonly DuePoll[]): Promise<void> {
		const addStretch = async (first: number): Promise<void> => {
			if (first > 0) await clock.sleep(first / STRETCH_JOBS);
			const nowMs = clock.nowMs();
			const adding = polls
				.slice(first, first + STRETCH_JOBS)
				.map(({ taskId, dueAtMs }) =>
					queue.add("poll", NOTHING, { jobId: jobIdOf(taskId), delay: Math.max(0, Math.ceil(dueAtMs - nowMs)) }),
				);
			await Promise.all(adding);
		};
		const stretches = Array.from({ length: Math.ceil(polls.length / STRETCH_JOBS) }, (_, n) => n * STRETCH_JOBS);
		await Promise.all(stretches.map(addStretch));
	}

	async function process(poll: Poll, job: Job, token: string | undefined): Promise<void> {
		const jobId = job.id ?? "";
		// Jobs that were fetched before the stop go back unchanged.
		const nextAtMs = isStopping ? clock.nowMs() : await activePolls.run(taskIdOf(jobId), poll);
		if (nextAtMs !== undefined) await job.moveToDelayed(nextAtMs, token);
		if (lookedAt.length === 0) settle(takeMarks());
		lookedAt.push(jobId);
		if (nextAtMs !== undefined) throw new DelayedError();
	}

	/** One query for all polls that ended in this turn: marks are rare. */
	async function takeMarks(): Promise<void> {
		await nextTurn();
		const jobIds = lookedAt;
		lookedAt = [];
		const marks = await connection.run((client) => client.smIsMember(wokenKey, jobIds));
		const marked = jobIds.filter((_, index) => marks[index] === 1);
		if (marked.length === 0) return;
		await connection.run((client) => client.sRem(wokenKey, marked));
		await connection.run(() => Promise.all(marked.map((jobId) => delay(jobId, 0))));
	}

	function settle(work: Promise<unknown>): void {
		settling.add(work);
		work.catch(throttledLogger.add).finally(() => settling.delete(work));
	}

	/** A consumer waits for as long as its connection is broken; producers fail. */
	function openConsumer(poll: Poll): { readonly worker: Worker; readonly disconnect: () => void } {
		const client = createClient({
			url,
			pingInterval: PING_EVERY_MS,
			socket: {
				socketTimeout: SOCKET_TIMEOUT_MS,
				reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, RECONNECT_DELAY_MS_MAX),
			},
		});
		client.on("error", throttledLogger.add);
		listenToDuplicates(client, throttledLogger.add);
		const worker = new Worker<object, void>(QUEUE, (job, token) => process(poll, job, token), {
			connection: client,
			prefix: PREFIX,
			concurrency: pollsAtOnceMax,
			limiter: { max: Math.ceil((pollsPerSecondMax * LIMITER_WINDOW_MS) / 1000), duration: LIMITER_WINDOW_MS },
			lockDuration: lockMs,
			stalledInterval: stalledCheckMs,
			maxStalledCount: STALLED_COUNT_MAX,
			drainDelay: DRAIN_DELAY_S,
			runRetryDelay: RECONNECT_DELAY_MS_MAX,
		});
		worker.on("error", throttledLogger.add);
		return { worker, disconnect: () => client.isOpen && client.destroy() };
	}

	async function areMissing(jobIds: readonly string[]): Promise<readonly boolean[]> {
		const keys = jobIds.map((jobId) => queue.toKey(jobId));
		if ((await connection.run((client) => client.exists(keys))) === keys.length) return jobIds.map(() => false);
		const there = await connection.run((client) => Promise.all(keys.map((key) => client.exists(key))));
		return there.map((count) => count === 0);
	}

	async function delayedOverdueMs(): Promise<number> {
		const [first] = await connection.run((client) => client.zRangeWithScores(queue.toKey("delayed"), 0, 0));
		// BullMQ keeps the time in the upper bits of the score, and the order within a millisecond below.
		return first ? clock.nowMs() - Math.floor(first.score / 0x1000) : 0;
	}

	/**
	 * Returns the minimum age of the waiting list: the age of a job that was its last one at an earlier check and is
	 * still in it.
	 */
	async function lineOverdueMs(): Promise<number> {
		const line = queue.toKey("wait");
		const before = probe;
		if (before && (await connection.run((client) => client.lPos(line, before.jobId))) !== null) {
			return clock.nowMs() - before.sinceMs;
		}
		const jobId = await connection.run((client) => client.lIndex(line, 0));
		probe = jobId === null ? undefined : { jobId, sinceMs: clock.nowMs() };
		return 0;
	}

	async function stop(): Promise<void> {
		isStopping = true;
		const over = new AbortController();
		const deadline = clock.sleep(STOP_TIMEOUT_MS, over.signal).catch(() => {});
		const closing = consumer?.worker.close();
		await activePolls.whenDone();
		// An unreachable Redis does not delay the stop: its jobs come back when their locks expire.
		await Promise.race([Promise.all([closing, outbox.drain()]), deadline]);
		await Promise.race([Promise.allSettled(settling), deadline]);
		over.abort();
		outbox.stop();
		consumer?.disconnect();
		connection.close();
	}

	return {
		schedule(taskId, dueAtMs) {
			if (!activePolls.askAgain(taskId, dueAtMs)) outbox.add({ taskId, dueAtMs, isWake: false });
		},
		wake(taskId) {
			const dueAtMs = clock.nowMs();
			if (!activePolls.askAgain(taskId, dueAtMs)) outbox.add({ taskId, dueAtMs, isWake: true });
		},
		async addMissing(polls) {
			if (polls.length === 0) return;
			const missing = await areMissing(polls.map(({ taskId }) => jobIdOf(taskId)));
			const lost = polls.filter((_, index) => missing[index]);
			if (lost.length > 0) await connection.run(() => add(lost));
		},
		async takesTurn(everyMs) {
			const key = queue.toKey("turn");
			// Slightly shorter, so that the next turn on schedule is not too early.
			const expiration = { type: "PX", value: Math.ceil(everyMs * 0.9) } as const;
			const answer = await connection.run((client) => client.set(key, "taken", { expiration, condition: "NX" }));
			return answer === "OK";
		},
		async oldestOverdueMs() {
			const [delayedMs, lineMs] = await Promise.all([delayedOverdueMs(), lineOverdueMs()]);
			return Math.max(0, delayedMs, lineMs, activePolls.overdueMs());
		},
		start(poll) {
			consumer = openConsumer(poll);
		},
		stop: () => (stopped ??= stop()),
	};
}

const NOTHING = {};

/** BullMQ rejects ids that are whole numbers. */
const ID_PREFIX = "task-";

function jobIdOf(taskId: string): string {
	return ID_PREFIX + taskId;
}

function taskIdOf(jobId: string): string {
	return jobId.slice(ID_PREFIX.length);
}

function codeOf(error: unknown): unknown {
	return error instanceof Error && "code" in error ? error.code : undefined;
}
