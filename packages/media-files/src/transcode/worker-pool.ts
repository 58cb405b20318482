import { readAvailableBytes } from "./memory/available-memory.ts";
import { createMemoryAdmission } from "./memory/memory-admission.ts";
import type { ReplyTo, WorkerJob } from "./worker-messages.ts";
import { runInProcess, TranscodeFailedError } from "./worker-process.ts";

export type TranscodeWorkerPool = ReturnType<typeof createTranscodeWorkerPool>;

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
const MEMORY_BYTES_MAX = 2 * 1024 * 1024 * 1024;

/** Runs jobs in processes of their own, a few at a time; the others wait. */
export function createTranscodeWorkerPool({
	workersMax,
	waitingMax = WAITING_MAX,
	memoryBytesMax = MEMORY_BYTES_MAX,
	availableBytes = readAvailableBytes,
	script = new URL("worker.ts", import.meta.url),
}: WorkerPoolDeps) {
	const running = new Set<Promise<unknown>>();
	const closing = new AbortController();
	const admission = createMemoryAdmission({ workersMax, availableBytes, workerBytesMax: memoryBytesMax });

	return {
		/**
		 * Runs a job. The timeout counts from the time at which the worker may start its work, after the wait for memory. The worker
		 * process has ended when the promise settles. Throws a `TranscodeFailedError` if the worker has no result. Rejects with the
		 * signal's reason when aborted.
		 */
		async run<Job extends WorkerJob>(job: Job, timeoutMs: number, signal: AbortSignal): Promise<ReplyTo<Job>> {
			const aborted = AbortSignal.any([signal, closing.signal]);
			try {
				using admitted = await admission.enter(aborted);
				// The signal may have been aborted after the turn came.
				aborted.throwIfAborted();
				const work = runInProcess(job, {
					script,
					memoryBytesMax,
					timeoutMs,
					signal: aborted,
					admit: (size, usedBytes) => admitted.admit(size, job, usedBytes),
				});
				running.add(work);
				return await work.finally(() => running.delete(work));
			} catch (error) {
				signal.throwIfAborted();
				throw error;
			}
		},
		/** Returns whether so many jobs wait that the caller should add another one later. A job that is run nevertheless waits too. */
		isQueueFull: (): boolean => admission.queuedJobs() > waitingMax,
		/** Ends running jobs and rejects waiting ones. */
		async close(): Promise<void> {
			closing.abort(new TranscodeFailedError("transcoder closed", "crashed"));
			await Promise.allSettled(running);
		},
	};
}
