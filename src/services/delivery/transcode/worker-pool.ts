import { fork, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { ReplyTo, WorkerJob, WorkerMessage } from "./transcode-job.ts";

/**
 * The reason why a transcode has no result. `overLimit`: it exceeded its time or memory. `crashed`: the worker failed or crashed,
 * probably because of the file. `killed`: the worker was killed from outside or got no memory, whatever the file.
 */
type TranscodeFailure = "overLimit" | "crashed" | "killed";

/** The transcode ended without a result. */
export class TranscodeFailedError extends Error {
	override readonly name = "TranscodeFailedError";
	readonly failure: TranscodeFailure;
	/** The signal that ended the process, if any. */
	readonly signal: NodeJS.Signals | undefined;

	constructor(message: string, failure: TranscodeFailure, signal?: NodeJS.Signals) {
		super(message);
		this.failure = failure;
		this.signal = signal;
	}
}

/** Too many jobs wait, so this one was not started. Retry later. */
export class TranscodeQueueFullError extends Error {
	override readonly name = "TranscodeQueueFullError";
}

interface RunOptions {
	/** Counts from the start of the worker. */
	readonly timeoutMs: number;
	/** Waits even if the queue is full: an earlier file of the same result is transcoded, and would be lost. */
	readonly mayExceedQueue?: boolean;
}

/** Runs jobs in processes of their own, a few at a time; the others wait. */
export interface TranscodeWorkerPool {
	/**
	 * Runs a job. The worker process has ended when the promise settles. Throws `TranscodeQueueFullError` if too many jobs wait.
	 * Rejects with the signal's reason when aborted.
	 */
	run<Job extends WorkerJob>(job: Job, options: RunOptions, signal: AbortSignal): Promise<ReplyTo<Job>>;
	/** Ends running jobs and rejects waiting ones. */
	close(): Promise<void>;
}

interface WorkerPoolDeps {
	readonly workersMax: number;
	readonly waitingMax?: number;
	readonly memoryBytesMax?: number;
	/** The worker script; replaced by tests. */
	readonly script?: URL;
}

const WAITING_MAX = 100;
/** A 4K video takes up to 900 MB. */
const MEMORY_BYTES_MAX = 2 * 1024 * 1024 * 1024;
const MEMORY_CHECK_MS = 250;
const HEAP_MIB_MAX = 256;
const STDERR_CHARS_MAX = 2000;
const PAGE_BYTES = 4096;
/** Signals of a crash; other signals are sent from outside, most often for lack of memory. */
const CRASH_SIGNALS: ReadonlySet<string> = new Set([
	"SIGABRT",
	"SIGBUS",
	"SIGFPE",
	"SIGILL",
	"SIGSEGV",
	"SIGSYS",
	"SIGTRAP",
]);
/** The messages of V8, C++ and libc when memory runs out. */
const OUT_OF_MEMORY = /heap out of memory|allocation failed|bad_alloc|cannot allocate memory/i;

interface WaitingJob {
	readonly start: () => void;
	readonly reject: (error: Error) => void;
}

export function createTranscodeWorkerPool({
	workersMax,
	waitingMax = WAITING_MAX,
	memoryBytesMax = MEMORY_BYTES_MAX,
	script = new URL("worker.ts", import.meta.url),
}: WorkerPoolDeps): TranscodeWorkerPool {
	const waiting: WaitingJob[] = [];
	const running = new Set<Promise<unknown>>();
	const closing = new AbortController();
	let usedWorkers = 0;

	/** Waits for a free worker slot. Each acquired slot must be released. */
	async function acquireWorker(mayExceedQueue: boolean, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		if (usedWorkers < workersMax) {
			usedWorkers += 1;
			return;
		}
		if (!mayExceedQueue && waiting.length >= waitingMax)
			throw new TranscodeQueueFullError(`${waiting.length} files wait for a transcode`);
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

	return {
		async run(job, { timeoutMs, mayExceedQueue = false }, signal) {
			const aborted = AbortSignal.any([signal, closing.signal]);
			let timeout: AbortSignal | undefined;
			try {
				await acquireWorker(mayExceedQueue, aborted);
				try {
					// The signal may have been aborted since the slot was acquired.
					aborted.throwIfAborted();
					// The wait for the slot does not count: a busy machine must not cause timeouts, and so previews.
					timeout = AbortSignal.timeout(timeoutMs);
					const stopSignal = AbortSignal.any([aborted, timeout]);
					const work = runInProcess(job, { script, memoryBytesMax, signal: stopSignal });
					running.add(work);
					return await work.finally(() => running.delete(work));
				} finally {
					releaseWorker();
				}
			} catch (error) {
				signal.throwIfAborted();
				if (timeout?.aborted)
					throw new TranscodeFailedError(`transcode took more than ${timeoutMs / 1000} s`, "overLimit");
				throw error;
			}
		},
		async close() {
			closing.abort(new TranscodeFailedError("transcoder closed", "crashed"));
			await Promise.allSettled(running);
		},
	};
}

interface WorkerOptions {
	readonly script: URL;
	readonly memoryBytesMax: number;
	readonly signal: AbortSignal;
}

async function runInProcess<Job extends WorkerJob>(
	job: Job,
	{ script, memoryBytesMax, signal }: WorkerOptions,
): Promise<ReplyTo<Job>> {
	const child = fork(script, {
		cwd: job.folder,
		env: workerEnvironment(),
		execArgv: [`--max-old-space-size=${HEAP_MIB_MAX}`],
		serialization: "advanced",
		stdio: ["ignore", "ignore", "pipe", "ipc"],
	});
	const exit = Promise.withResolvers<ProcessExit>();
	const output = { message: undefined as WorkerMessage | undefined, stderr: "" };
	child.on("error", (error) => exit.resolve({ description: error.message }));
	child.on("close", (code, signalName) =>
		exit.resolve(signalName ? { description: signalName, signal: signalName } : { description: `code ${code}` }),
	);
	child.stderr?.on("data", (chunk: Buffer) => {
		output.stderr = (output.stderr + chunk.toString()).slice(0, STDERR_CHARS_MAX);
	});
	const kill = (): void => void child.kill("SIGKILL");
	child.on("message", (message: WorkerMessage) => {
		output.message = message;
		kill();
	});
	signal.addEventListener("abort", kill, { once: true });
	let exceedsMemory = false;
	const checkMemory = async (): Promise<void> => {
		if ((await residentBytesOf(child)) <= memoryBytesMax) return;
		exceedsMemory = true;
		kill();
	};
	const memoryCheck = setInterval(() => void checkMemory(), MEMORY_CHECK_MS);
	child.send(job, () => {
		// Ignores a process that is already gone; its exit event follows.
	});
	try {
		const processExit = await exit.promise;
		signal.throwIfAborted();
		if (output.message?.kind === "failed") {
			const { isOutOfMemory, error } = output.message;
			throw new TranscodeFailedError(`transcode failed: ${error}`, isOutOfMemory ? "killed" : "crashed");
		}
		// The worker answers each kind of job with its kind of reply.
		if (output.message) return output.message as ReplyTo<Job>;
		if (exceedsMemory)
			throw new TranscodeFailedError(`transcode took more than ${memoryBytesMax} bytes of memory`, "overLimit");
		const message = `the transcode worker ended with ${processExit.description}: ${output.stderr}`;
		throw new TranscodeFailedError(
			message,
			wasKilled(processExit, output.stderr) ? "killed" : "crashed",
			processExit.signal,
		);
	} finally {
		clearInterval(memoryCheck);
		signal.removeEventListener("abort", kill);
	}
}

/** The exit of a worker: a description for the log, and the signal that ended it. */
interface ProcessExit {
	readonly description: string;
	readonly signal?: NodeJS.Signals;
}

function wasKilled({ signal }: ProcessExit, stderr: string): boolean {
	if (signal !== undefined && !CRASH_SIGNALS.has(signal)) return true;
	return OUT_OF_MEMORY.test(stderr);
}

/** The worker's environment: only the compile cache, which halves its start. */
function workerEnvironment(): Record<string, string> {
	// oxlint-disable-next-line node/no-process-env -- Node itself reads it; it is no part of the configuration
	const { NODE_COMPILE_CACHE } = process.env;
	return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

/** Returns the resident memory of a process; 0 without procfs. */
async function residentBytesOf({ pid }: ChildProcess): Promise<number> {
	if (process.platform !== "linux" || pid === undefined) return 0;
	const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
	return Number(statm.split(" ")[1] ?? 0) * PAGE_BYTES;
}
