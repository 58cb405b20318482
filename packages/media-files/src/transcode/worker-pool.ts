import { readAvailableBytes } from "./memory/available-memory.ts";
import { createMemoryAdmission, type AdmittedJob } from "./memory/memory-admission.ts";
import type { ReplyTo, WorkerJob } from "./worker-messages.ts";
import { runInProcess, TranscodeFailedError } from "./worker-process.ts";

interface RunOptions {
	/** Counts from the time at which the worker may start its work, after the wait for memory. */
	readonly timeoutMs: number;
}

/** Runs jobs in processes of their own, a few at a time; the others wait. */
export interface TranscodeWorkerPool {
	/**
	 * Runs a job. The worker process has ended when the promise settles. Throws a `TranscodeFailedError` if the worker has no result.
	 * Rejects with the signal's reason when aborted.
	 */
	run<Job extends WorkerJob>(job: Job, options: RunOptions, signal: AbortSignal): Promise<ReplyTo<Job>>;
	/** Returns whether so many jobs wait that the caller should add another one later. A job that is run nevertheless waits too. */
	isQueueFull(): boolean;
	/** Ends running jobs and rejects waiting ones. */
	close(): Promise<void>;
}

interface WorkerPoolDeps {
	readonly workersMax: number;
	// The optional ones are replaced by tests.
	readonly waitingMax?: number;
	/** The memory limit of one worker. */
	readonly memoryBytesMax?: number;
	/** Reads the memory that workers may take together. */
	readonly availableBytes?: () => Promise<number>;
	/** The script of a worker process. */
	readonly script?: URL;
}

const WAITING_MAX = 100;
/** The time until a worker has started and read the header of its file. */
const START_TIMEOUT_MS = 60_000;
const MEMORY_BYTES_MAX = 2 * 1024 * 1024 * 1024;

interface WaitingJob {
	readonly start: () => void;
	readonly reject: (error: Error) => void;
}

export function createTranscodeWorkerPool({
	workersMax,
	waitingMax = WAITING_MAX,
	memoryBytesMax = MEMORY_BYTES_MAX,
	availableBytes = readAvailableBytes,
	script = new URL("worker.ts", import.meta.url),
}: WorkerPoolDeps): TranscodeWorkerPool {
	const waiting: WaitingJob[] = [];
	const running = new Set<Promise<unknown>>();
	const closing = new AbortController();
	const admission = createMemoryAdmission({ availableBytes, workerBytesMax: memoryBytesMax });
	let usedWorkers = 0;

	/** Waits for a free worker slot. Each acquired slot must be released. */
	async function acquireWorker(signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		if (usedWorkers < workersMax) {
			usedWorkers += 1;
			return;
		}
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const waitingJob: WaitingJob = { start: resolve, reject };
		waiting.push(waitingJob);
		const cancelWait = (): void => {
			const index = waiting.indexOf(waitingJob);
			if (index < 0) return;
			waiting.splice(index, 1);
			reject(signal.reason);
		};
		signal.addEventListener("abort", cancelWait, { once: true });
		await promise.finally(() => signal.removeEventListener("abort", cancelWait));
	}

	function releaseWorker(): void {
		const next = waiting.shift();
		if (next) next.start();
		else usedWorkers -= 1;
	}

	/** Runs a job whose turn has come. Its wait for memory does not count towards its timeout. */
	async function runAdmitted<Job extends WorkerJob>(
		job: Job,
		admitted: AdmittedJob,
		timeoutMs: number,
		aborted: AbortSignal,
	): Promise<ReplyTo<Job>> {
		using deadline = createDeadline();
		const stopSignal = AbortSignal.any([aborted, deadline.signal]);
		deadline.set(Math.min(timeoutMs, START_TIMEOUT_MS));
		const work = runInProcess(job, {
			script,
			memoryBytesMax,
			signal: stopSignal,
			async admit(size, usedBytes) {
				deadline.clear();
				const limits = await admitted.admit(size, job, usedBytes);
				deadline.set(timeoutMs);
				return limits;
			},
		});
		running.add(work);
		return await work.finally(() => running.delete(work));
	}

	return {
		async run(job, { timeoutMs }, signal) {
			const aborted = AbortSignal.any([signal, closing.signal]);
			try {
				await acquireWorker(aborted);
				try {
					using admitted = await admission.enter(aborted);
					// The signal may have been aborted after the turn came.
					aborted.throwIfAborted();
					return await runAdmitted(job, admitted, timeoutMs, aborted);
				} finally {
					releaseWorker();
				}
			} catch (error) {
				signal.throwIfAborted();
				throw error;
			}
		},
		isQueueFull: () => waiting.length >= waitingMax,
		async close() {
			closing.abort(new TranscodeFailedError("transcoder closed", "crashed"));
			await Promise.allSettled(running);
		},
	};
}

/** Limits the time of a job. */
interface Deadline extends Disposable {
	readonly signal: AbortSignal;
	set(timeoutMs: number): void;
	clear(): void;
}

/** Creates a timeout that can be set and cleared repeatedly. Its signal aborts with a `TranscodeFailedError`. */
function createDeadline(): Deadline {
	const controller = new AbortController();
	let timer: NodeJS.Timeout | undefined;
	const clear = (): void => clearTimeout(timer);
	return {
		signal: controller.signal,
		set(timeoutMs) {
			const message = `transcode took more than ${timeoutMs / 1000} s`;
			timer = setTimeout(() => controller.abort(new TranscodeFailedError(message, "overLimit")), timeoutMs);
		},
		clear,
		[Symbol.dispose]: clear,
	};
}
