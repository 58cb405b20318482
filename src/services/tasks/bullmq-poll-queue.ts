import { setImmediate as nextTurn } from "node:timers/promises";
import { DelayedError, ErrorCode, Queue, Worker, type Job } from "bullmq";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { connectToRedis, type RedisConnection } from "@atelier/store/redis-connection";
import { CONSUMER_BLOCKS_S_MAX, CONSUMER_RETRY_MS_MAX, createConsumerClient } from "@atelier/store/redis-consumer";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { createActivePolls } from "./active-polls.ts";
import { requireSuitableQueue } from "@atelier/store/redis-requirements";
import type { PlannedPoll, PollTask, PollQueue } from "./poll-queue.ts";
import { createScheduleOutbox, type ScheduledPoll } from "./poll-outbox.ts";

const QUEUE_NAME = "polls";
const KEY_PREFIX = "atelier";
const POLLS_AT_ONCE_MAX = 256;
/** The limit of all processes together, for the service and for Redis. */
const POLLS_PER_SECOND_MAX = 2_000;
const LIMITER_WINDOW_MS = 100;
/**
 * The longest time that a process may be blocked before another one takes over its polls. After a crash they are delayed by this
 * much.
 */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 2_000;
/** BullMQ would fail a job that was interrupted twice. A crash says nothing about a task. */
const STALLED_COUNT_MAX = 1_000_000;
/** Jobs added without yielding to the event loop. */
const CHUNK_JOBS = 32;
const STORED_EVENTS_MAX = 100;
/** Jobs that are not moved back within this time are taken over by another process. */
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
 * that is renewed, moved back to delayed, and removed when its task has ended.
 *
 * A wake must also work while a job is polled, perhaps by another process. So a wake first marks the job as woken and then tries
 * to promote it. A poll first moves its job back and then reads the mark. One of the two always sees the other's write.
 */
export async function openBullMqPollQueue(url: string, deps: BullMqPollQueueDeps): Promise<PollQueue> {
	const { clock, logger, pollsPerSecondMax = POLLS_PER_SECOND_MAX } = deps;
	const { pollsAtOnceMax = POLLS_AT_ONCE_MAX, lockMs = LOCK_MS, stalledCheckMs = STALLED_CHECK_MS } = deps;
	const connection = await connectToRedis(url, { logger, role: "queue" });
	try {
		await requireSuitableQueue(connection);
	} catch (error) {
		connection.close();
		throw error;
	}
	const throttledLogger = createThrottledLogger({ clock, logger, message: "queue in trouble" });
	const queue = new Queue<object, void>(QUEUE_NAME, {
		connection: connection.client,
		prefix: KEY_PREFIX,
		streams: { events: { maxLen: STORED_EVENTS_MAX } },
		defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
	});
	queue.on("error", throttledLogger.add);
	const backend = queue.getBackend();
	const wokenKey = queue.toKey("woken");
	const activePolls = createActivePolls({ clock, logger });
	const outbox = createScheduleOutbox({ clock, throttledLogger, schedulePoll });
	/** Jobs whose polls ended in this turn of the event loop; they may have been woken meanwhile. */
	let endedJobIds: string[] = [];
	const pendingWork = new Set<Promise<unknown>>();
	let isStopping = false;
	let stopped: Promise<void> | undefined;
	let consumer: { readonly worker: Worker; readonly disconnect: () => void } | undefined;
	/** The last job in the waiting list at an earlier check, and the time of that check. */
	let waitingProbe: { readonly jobId: string; readonly sinceMs: number } | undefined;

	async function schedulePoll({ taskId, dueAtMs, isWake }: ScheduledPoll): Promise<void> {
		const jobId = jobIdOf(taskId);
		const delayMs = Math.max(0, Math.ceil(dueAtMs - clock.nowMs()));
		switch (await connection.run(() => changeDelay(jobId, delayMs))) {
			case "done":
				return;
			case "missing":
				await connection.run(() => addJobs([{ taskId, dueAtMs }]));
				return;
			case "not delayed":
				if (isWake) await connection.run((client) => markWoken(client, jobId));
		}
	}

	async function changeDelay(jobId: string, delayMs: number): Promise<"done" | "missing" | "not delayed"> {
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
		if ((await changeDelay(jobId, 0)) === "done") await client.sRem(wokenKey, jobId);
	}

	/**
	 * Adds jobs one by one, pipelined into one write: `addBulk` fails for good on a restarted server that has lost the
	 * scripts.
	 */
	async function addJobs(polls: readonly PlannedPoll[]): Promise<void> {
		const addChunk = async (first: number): Promise<void> => {
			if (first > 0) await clock.sleep(first / CHUNK_JOBS);
			const nowMs = clock.nowMs();
			const adding = polls
				.slice(first, first + CHUNK_JOBS)
				.map(({ taskId, dueAtMs }) =>
					queue.add("poll", NO_JOB_DATA, { jobId: jobIdOf(taskId), delay: Math.max(0, Math.ceil(dueAtMs - nowMs)) }),
				);
			await Promise.all(adding);
		};
		const chunkStarts = Array.from({ length: Math.ceil(polls.length / CHUNK_JOBS) }, (_, n) => n * CHUNK_JOBS);
		await Promise.all(chunkStarts.map(addChunk));
	}

	async function process(poll: PollTask, job: Job, token: string | undefined): Promise<void> {
		const jobId = job.id ?? "";
		// Jobs that were fetched before the stop go back unchanged.
		const nextAtMs = isStopping ? clock.nowMs() : await activePolls.run(taskIdOf(jobId), poll);
		if (nextAtMs !== undefined) await job.moveToDelayed(nextAtMs, token);
		if (endedJobIds.length === 0) trackWork(promoteWokenJobs());
		endedJobIds.push(jobId);
		if (nextAtMs !== undefined) throw new DelayedError();
	}

	/** Promotes the jobs that were woken during their poll, with one query for all polls that ended in this turn. */
	async function promoteWokenJobs(): Promise<void> {
		await nextTurn();
		const jobIds = endedJobIds;
		endedJobIds = [];
		const marks = await connection.run((client) => client.smIsMember(wokenKey, jobIds));
		const marked = jobIds.filter((_, index) => marks[index] === 1);
		if (marked.length === 0) return;
		await connection.run((client) => client.sRem(wokenKey, marked));
		await connection.run(() => Promise.all(marked.map((jobId) => changeDelay(jobId, 0))));
	}

	function trackWork(work: Promise<unknown>): void {
		pendingWork.add(work);
		work.catch(throttledLogger.add).finally(() => pendingWork.delete(work));
	}

	function openConsumer(poll: PollTask): { readonly worker: Worker; readonly disconnect: () => void } {
		const client = createConsumerClient(url, throttledLogger.add);
		const worker = new Worker<object, void>(QUEUE_NAME, (job, token) => process(poll, job, token), {
			connection: client,
			prefix: KEY_PREFIX,
			concurrency: pollsAtOnceMax,
			limiter: { max: Math.ceil((pollsPerSecondMax * LIMITER_WINDOW_MS) / 1000), duration: LIMITER_WINDOW_MS },
			lockDuration: lockMs,
			stalledInterval: stalledCheckMs,
			maxStalledCount: STALLED_COUNT_MAX,
			drainDelay: CONSUMER_BLOCKS_S_MAX,
			runRetryDelay: CONSUMER_RETRY_MS_MAX,
		});
		worker.on("error", throttledLogger.add);
		return { worker, disconnect: () => client.isOpen && client.destroy() };
	}

	async function areMissing(jobIds: readonly string[]): Promise<readonly boolean[]> {
		const keys = jobIds.map((jobId) => queue.toKey(jobId));
		if ((await connection.run((client) => client.exists(keys))) === keys.length) return jobIds.map(() => false);
		const counts = await connection.run((client) => Promise.all(keys.map((key) => client.exists(key))));
		return counts.map((count) => count === 0);
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
	async function waitingOverdueMs(): Promise<number> {
		const waitingKey = queue.toKey("wait");
		const before = waitingProbe;
		if (before && (await connection.run((client) => client.lPos(waitingKey, before.jobId))) !== null) {
			return clock.nowMs() - before.sinceMs;
		}
		const jobId = await connection.run((client) => client.lIndex(waitingKey, 0));
		waitingProbe = jobId === null ? undefined : { jobId, sinceMs: clock.nowMs() };
		return 0;
	}

	async function stop(): Promise<void> {
		isStopping = true;
		const timer = new AbortController();
		const deadline = clock.sleep(STOP_TIMEOUT_MS, timer.signal).catch(() => {});
		const closing = consumer?.worker.close();
		await activePolls.whenDone();
		// An unreachable Redis does not delay the stop: its jobs come back when their locks expire.
		await Promise.race([Promise.all([closing, outbox.drain()]), deadline]);
		await Promise.race([Promise.allSettled(pendingWork), deadline]);
		timer.abort();
		outbox.stop();
		consumer?.disconnect();
		connection.close();
	}

	return {
		schedule(taskId, dueAtMs) {
			if (!activePolls.requestAnother(taskId, dueAtMs)) outbox.add({ taskId, dueAtMs, isWake: false });
		},
		wake(taskId) {
			const dueAtMs = clock.nowMs();
			if (!activePolls.requestAnother(taskId, dueAtMs)) outbox.add({ taskId, dueAtMs, isWake: true });
		},
		async addMissing(polls) {
			if (polls.length === 0) return;
			const missing = await areMissing(polls.map(({ taskId }) => jobIdOf(taskId)));
			const missingPolls = polls.filter((_, index) => missing[index]);
			if (missingPolls.length > 0) await connection.run(() => addJobs(missingPolls));
		},
		async claimRound(everyMs) {
			const key = queue.toKey("round");
			// Slightly shorter, so that the next round on schedule is not too early.
			const expiration = { type: "PX", value: Math.ceil(everyMs * 0.9) } as const;
			const reply = await connection.run((client) => client.set(key, "taken", { expiration, condition: "NX" }));
			return reply === "OK";
		},
		async oldestOverduePollMs() {
			const [delayedMs, waitingMs] = await Promise.all([delayedOverdueMs(), waitingOverdueMs()]);
			return Math.max(0, delayedMs, waitingMs, activePolls.overdueMs());
		},
		start(poll) {
			consumer = openConsumer(poll);
		},
		stop: () => (stopped ??= stop()),
	};
}

const NO_JOB_DATA = {};

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
