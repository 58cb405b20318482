import type { MediaSize, WorkerLimits } from "../transcode-job.ts";
import { estimateBytes, IDLE_WORKER_BYTES, limitsThatFit } from "./memory-estimate.ts";

/** Left for the bot: an upload, and garbage that it has not collected yet. */
const RESERVED_BYTES = 32 * 1024 * 1024;

/** Starts jobs in order, each when its estimate fits into the available memory. */
export interface MemoryAdmission {
	/** Resolves when all earlier jobs have started, so that one job at a time waits with a process. */
	enter(signal: AbortSignal): Promise<AdmittedJob>;
}

/** One job, until it is disposed. */
export interface AdmittedJob extends Disposable {
	/** Resolves to the limits to start with, when their estimate fits. `usedBytes` reads what the process already takes. */
	admit(size: MediaSize, wanted: WorkerLimits, usedBytes: () => Promise<number>): Promise<WorkerLimits>;
}

interface AdmissionDeps {
	readonly availableBytes: () => Promise<number>;
	/** Limit of one worker. */
	readonly workerBytesMax: number;
}

interface Running {
	readonly estimatedBytes: number;
	readonly usedBytes: () => Promise<number>;
}

/** A job that has not started: it waits for its turn, is in its turn, or waits for memory. */
interface Queued {
	/** Starts the job if it can. Resolves to whether it left the queue. */
	tryToStart: () => Promise<boolean>;
}

export function createMemoryAdmission({ availableBytes, workerBytesMax }: AdmissionDeps): MemoryAdmission {
	const queue: Queued[] = [];
	const running = new Map<Queued, Running>();

	/** The memory that no running job is expected to take. */
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
		async enter(signal) {
			signal.throwIfAborted();
			const turn = Promise.withResolvers<void>();
			const tryToEnter = async (): Promise<boolean> => {
				if (running.size === 0 || (await freeBytes()) >= IDLE_WORKER_BYTES) turn.resolve();
				return false;
			};
			const job: Queued = { tryToStart: tryToEnter };
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
						// It may have started or ended during the wait.
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
