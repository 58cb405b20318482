import type { MediaSize, WorkerLimits } from "../worker-messages.ts";
import { estimateBytes, IDLE_WORKER_BYTES, limitsThatFit } from "./memory-estimate.ts";

/** Left for the main process: an upload, and garbage that it has not collected yet. */
const RESERVED_BYTES = 32 * 1024 * 1024;

/** A job whose turn has come. Disposal ends its use of memory. */
export interface AdmittedJob extends Disposable {
	/**
	 * Resolves when the job may start, to its limits, which may be below `wanted`. `usedBytes` reads the memory that its process
	 * already uses.
	 */
	admit(size: MediaSize, wanted: WorkerLimits, usedBytes: () => Promise<number>): Promise<WorkerLimits>;
}

interface AdmissionDeps {
	readonly workersMax: number;
	readonly availableBytes: () => Promise<number>;
	/** Limit of one worker. */
	readonly workerBytesMax: number;
}

interface RunningJob {
	readonly estimatedBytes: number;
	readonly usedBytes: () => Promise<number>;
}

/** A job that has not started. The first in the queue reads the size of its file, and then waits for memory. */
interface QueuedJob {
	/** Starts the next phase of the job if there is memory. Resolves to true if the job has left the queue. */
	tryToStart: () => Promise<boolean>;
}

/** Starts jobs in order, a few at a time, each when its estimate fits into the available memory. */
export function createMemoryAdmission({ workersMax, availableBytes, workerBytesMax }: AdmissionDeps) {
	const queue: QueuedJob[] = [];
	const running = new Map<QueuedJob, RunningJob>();

	/** Resolves to the memory that remains when each running job has taken its estimate. */
	async function freeBytes(): Promise<number> {
		const expected = await Promise.all(
			[...running.values()].map(async ({ estimatedBytes, usedBytes }) =>
				Math.max(0, estimatedBytes - (await usedBytes())),
			),
		);
		return (await availableBytes()) - RESERVED_BYTES - expected.reduce((sum, bytes) => sum + bytes, 0);
	}

	async function advance(): Promise<void> {
		while (await queue[0]?.tryToStart());
	}

	return {
		/** Returns the number of jobs that have not started. */
		queuedJobs: (): number => queue.length,
		/**
		 * Resolves when all earlier jobs have started, a worker is free, and an idle one fits into the memory or no job runs. Only one worker
		 * process waits for memory.
		 */
		async enter(signal: AbortSignal): Promise<AdmittedJob> {
			signal.throwIfAborted();
			const turn = Promise.withResolvers<void>();
			// Stays first in the queue until it is admitted, too.
			const tryToEnter = async (): Promise<boolean> => {
				if (running.size >= workersMax) return false;
				if (running.size === 0 || (await freeBytes()) >= IDLE_WORKER_BYTES) turn.resolve();
				return false;
			};
			const job: QueuedJob = { tryToStart: tryToEnter };
			const leave = (): void => {
				running.delete(job);
				const index = queue.indexOf(job);
				if (index >= 0) queue.splice(index, 1);
				void advance();
			};
			const cancel = (): void => turn.reject(signal.reason);
			signal.addEventListener("abort", cancel, { once: true });
			queue.push(job);
			void advance();
			try {
				await turn.promise;
			} catch (error) {
				leave();
				throw error;
			} finally {
				signal.removeEventListener("abort", cancel);
			}
			return {
				async admit(size, wanted, usedBytes) {
					const started = Promise.withResolvers<WorkerLimits>();
					job.tryToStart = async () => {
						const isAlone = running.size === 0;
						const ownBytes = Math.min(workerBytesMax, (await freeBytes()) + (await usedBytes()));
						const limits = limitsThatFit(size, wanted, { freeBytes: ownBytes, isAlone });
						// The job may have started or ended while the memory was read.
						if (!limits || queue[0] !== job) return false;
						queue.shift();
						running.set(job, { estimatedBytes: estimateBytes(size, limits), usedBytes });
						started.resolve(limits);
						return true;
					};
					void advance();
					return await started.promise;
				},
				[Symbol.dispose]: leave,
			};
		},
	};
}
