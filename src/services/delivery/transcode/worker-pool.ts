import { fork, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { ReplyTo, WorkerJob, WorkerMessage } from "./transcode-job.ts";

/**
 * Why a transcode had no result: `overLimit` exceeded its time or memory; `crashed` is attributed to the file; `killed`
 * was ended from outside or ran out of memory, which says nothing about the file.
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

/** Too many jobs wait: retry later. Says nothing about the file. */
export class TranscodeQueueFullError extends Error {
	override readonly name = "TranscodeQueueFullError";
}

interface TranscodeTerms {
	/** Starts with the job's turn. */
	readonly deadlineMs: number;
	/** Another file of the same result is transcoded and would be lost: the job waits in any case. */
	readonly isUnderWay?: boolean;
}

/** Runs jobs in processes of their own, a few at a time; the others wait. */
export interface TranscodeWorkerPool {
	/**
	 * When it settles, the process has ended. Throws `TranscodeQueueFullError` if too many wait. Rejects with the
	 * signal's reason when aborted.
	 */
	run<Job extends WorkerJob>(job: Job, terms: TranscodeTerms, signal: AbortSignal): Promise<ReplyTo<Job>>;
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

interface Turn {
	readonly begin: () => void;
	readonly refuse: (error: Error) => void;
}

export function createTranscodeWorkerPool({
	workersMax,
	waitingMax = WAITING_MAX,
	memoryBytesMax = MEMORY_BYTES_MAX,
	script = new URL("worker.ts", import.meta.url),
}: WorkerPoolDeps): TranscodeWorkerPool {
	const waiting: Turn[] = [];
	const running = new Set<Promise<unknown>>();
	const stopped = new AbortController();
	let taken = 0;

	/** Resolves when it is this job's turn. Each turn must be given back. */
	async function turn(isUnderWay: boolean, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		if (taken < workersMax) {
			taken += 1;
			return;
		}
		if (!isUnderWay && waiting.length >= waitingMax)
			throw new TranscodeQueueFullError(`${waiting.length} files wait for a transcode`);
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const mine: Turn = { begin: resolve, refuse: reject };
		waiting.push(mine);
		const leave = (): void => {
			const at = waiting.indexOf(mine);
			if (at < 0) return;
			waiting.splice(at, 1);
			reject(signal.reason);
		};
		signal.addEventListener("abort", leave, { once: true });
		await promise.finally(() => signal.removeEventListener("abort", leave));
	}

	function giveBack(): void {
		const next = waiting.shift();
		if (next) next.begin();
		else taken -= 1;
	}

	return {
		async run(job, { deadlineMs, isUnderWay = false }, signal) {
			const unwanted = AbortSignal.any([signal, stopped.signal]);
			let overdue: AbortSignal | undefined;
			try {
				await turn(isUnderWay, unwanted);
				try {
					// The signal may have been aborted between the turn and this point.
					unwanted.throwIfAborted();
					// The deadline starts with the turn: a busy machine must not turn files that fit into previews.
					overdue = AbortSignal.timeout(deadlineMs);
					const ended = AbortSignal.any([unwanted, overdue]);
					const work = runInProcess(job, { script, memoryBytesMax, signal: ended });
					running.add(work);
					return await work.finally(() => running.delete(work));
				} finally {
					giveBack();
				}
			} catch (error) {
				signal.throwIfAborted();
				if (overdue?.aborted)
					throw new TranscodeFailedError(`transcode took more than ${deadlineMs / 1000} s`, "overLimit");
				throw error;
			}
		},
		async close() {
			stopped.abort(new TranscodeFailedError("transcoder closed", "crashed"));
			await Promise.allSettled(running);
		},
	};
}

interface Surroundings {
	readonly script: URL;
	readonly memoryBytesMax: number;
	readonly signal: AbortSignal;
}

async function runInProcess<Job extends WorkerJob>(
	job: Job,
	{ script, memoryBytesMax, signal }: Surroundings,
): Promise<ReplyTo<Job>> {
	const child = fork(script, {
		cwd: job.folder,
		env: whereCompiledIsKept(),
		execArgv: [`--max-old-space-size=${HEAP_MIB_MAX}`],
		serialization: "advanced",
		stdio: ["ignore", "ignore", "pipe", "ipc"],
	});
	const ended = Promise.withResolvers<ProcessEnd>();
	const said = { message: undefined as WorkerMessage | undefined, stderr: "" };
	child.on("error", (error) => ended.resolve({ how: error.message }));
	child.on("close", (code, reason) =>
		ended.resolve(reason ? { how: reason, signal: reason } : { how: `code ${code}` }),
	);
	child.stderr?.on("data", (chunk: Buffer) => {
		said.stderr = (said.stderr + chunk.toString()).slice(0, STDERR_CHARS_MAX);
	});
	const kill = (): void => void child.kill("SIGKILL");
	child.on("message", (message: WorkerMessage) => {
		said.message = message;
		kill();
	});
	signal.addEventListener("abort", kill, { once: true });
	let tooMuch = false;
	const checkMemory = async (): Promise<void> => {
		if ((await memoryOf(child)) <= memoryBytesMax) return;
		tooMuch = true;
		kill();
	};
	const memoryCheck = setInterval(() => void checkMemory(), MEMORY_CHECK_MS);
	child.send(job, () => {
		// Ignores a process that is already gone; its exit event follows.
	});
	try {
		const end = await ended.promise;
		signal.throwIfAborted();
		if (said.message?.kind === "failed") {
			const { isOutOfMemory, error } = said.message;
			throw new TranscodeFailedError(`transcode failed: ${error}`, isOutOfMemory ? "killed" : "crashed");
		}
		// The worker answers each kind of job with its kind of reply.
		if (said.message) return said.message as ReplyTo<Job>;
		if (tooMuch)
			throw new TranscodeFailedError(`transcode took more than ${memoryBytesMax} bytes of memory`, "overLimit");
		const message = `the transcode worker ended with ${end.how}: ${said.stderr}`;
		throw new TranscodeFailedError(message, wasKilled(end, said.stderr) ? "killed" : "crashed", end.signal);
	} finally {
		clearInterval(memoryCheck);
		signal.removeEventListener("abort", kill);
	}
}

/** The end of a process, in words, and its signal. */
interface ProcessEnd {
	readonly how: string;
	readonly signal?: NodeJS.Signals;
}

function wasKilled({ signal }: ProcessEnd, stderr: string): boolean {
	if (signal !== undefined && !CRASH_SIGNALS.has(signal)) return true;
	return OUT_OF_MEMORY.test(stderr);
}

/** The worker's environment: only the compile cache, which halves its start. */
function whereCompiledIsKept(): Record<string, string> {
	// oxlint-disable-next-line node/no-process-env -- it is for Node and none of the configuration
	const { NODE_COMPILE_CACHE } = process.env;
	return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

/** Returns the resident memory of a process; 0 without procfs. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
	if (process.platform !== "linux" || pid === undefined) return 0;
	const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
	return Number(statm.split(" ")[1] ?? 0) * PAGE_BYTES;
}
