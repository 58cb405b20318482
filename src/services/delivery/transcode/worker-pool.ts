import { fork, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { TranscodeReply, TranscodeJob, WorkerMessage } from "./transcode-job.ts";

/**
 * Why fitting came to no answer: it took more time or memory than a job may (`overLimit`); it crashed, which is the file's
 * fault as far as anything is known; or it was ended from outside, or found no memory (`killed`), which says nothing of the file.
 */
type FitFailure = "overLimit" | "crashed" | "killed";

/** Fitting did not come to an answer. */
export class TranscodeFailedError extends Error {
	override readonly name = "TranscodeFailedError";
	readonly failure: FitFailure;
	/** The signal that ended the process, where one did. */
	readonly signal: NodeJS.Signals | undefined;

	constructor(message: string, failure: FitFailure, signal?: NodeJS.Signals) {
		super(message);
		this.failure = failure;
		this.signal = signal;
	}
}

/** So many wait already that this one has to come back later. It says nothing of the file. */
export class TranscodeQueueFullError extends Error {
	override readonly name = "TranscodeQueueFullError";
}

interface FitTerms {
	/** From its turn on. */
	readonly deadlineMs: number;
	/** Something of the same result is fitted already and would be lost: it waits, however many do. */
	readonly isUnderWay?: boolean;
}

/** Runs jobs each in a process of its own, a few at a time; the rest wait their turn. */
export interface TranscodeWorkerPool {
	/**
	 * When it settles, in whatever way, the process is gone. Throws `TranscodeQueueFullError` where too many wait. Rejects with the signal's
	 * reason when aborted.
	 */
	run(job: TranscodeJob, terms: FitTerms, signal: AbortSignal): Promise<TranscodeReply>;
	/** Ends all that runs and refuses all that waits. */
	close(): Promise<void>;
}

interface FitProcessesDeps {
	readonly places: number;
	readonly waitingMax?: number;
	readonly memoryBytesMax?: number;
	/** The process to start; a test has others. */
	readonly script?: URL;
}

const WAITING_MAX = 100;
/** A 4K film at its largest takes 900 MB. */
const MEMORY_BYTES_MAX = 2 * 1024 * 1024 * 1024;
const MEMORY_LOOK_MS = 250;
const HEAP_MIB_MAX = 256;
const STDERR_CHARS_MAX = 2000;
const PAGE_BYTES = 4096;
/** Signals that a process brings upon itself; any other one was sent to it, most often by a system without memory. */
const CRASH_SIGNALS: ReadonlySet<string> = new Set([
	"SIGABRT",
	"SIGBUS",
	"SIGFPE",
	"SIGILL",
	"SIGSEGV",
	"SIGSYS",
	"SIGTRAP",
]);
/** What V8, C++ and libc print where memory runs out, before they abort. */
const OUT_OF_MEMORY = /heap out of memory|allocation failed|bad_alloc|cannot allocate memory/i;

interface Turn {
	readonly begin: () => void;
	readonly refuse: (error: Error) => void;
}

export function createTranscodeWorkerPool({
	places,
	waitingMax = WAITING_MAX,
	memoryBytesMax = MEMORY_BYTES_MAX,
	script = new URL("worker.ts", import.meta.url),
}: FitProcessesDeps): TranscodeWorkerPool {
	const waiting: Turn[] = [];
	const running = new Set<Promise<unknown>>();
	const stopped = new AbortController();
	let taken = 0;

	/** Resolves when it is this job's turn. A job that was given its turn gives it back. */
	async function turn(isUnderWay: boolean, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		if (taken < places) {
			taken += 1;
			return;
		}
		if (!isUnderWay && waiting.length >= waitingMax)
			throw new TranscodeQueueFullError(`${waiting.length} files wait to be fitted`);
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
					// Between being given its turn and taking it: a signal that is aborted already tells nobody any more.
					unwanted.throwIfAborted();
					// What waits for its turn is not too large for that: a busy machine makes no preview of what fits.
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
				if (overdue?.aborted) throw new TranscodeFailedError(`not fitted within ${deadlineMs / 1000} s`, "overLimit");
				throw error;
			}
		},
		async close() {
			stopped.abort(new TranscodeFailedError("fitting has been closed", "crashed"));
			await Promise.allSettled(running);
		},
	};
}

interface Surroundings {
	readonly script: URL;
	readonly memoryBytesMax: number;
	readonly signal: AbortSignal;
}

async function runInProcess(
	job: TranscodeJob,
	{ script, memoryBytesMax, signal }: Surroundings,
): Promise<TranscodeReply> {
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
	const lookAtMemory = async (): Promise<void> => {
		if ((await memoryOf(child)) <= memoryBytesMax) return;
		tooMuch = true;
		kill();
	};
	const look = setInterval(() => void lookAtMemory(), MEMORY_LOOK_MS);
	child.send(job, () => {
		// A process that is gone already is heard of by its end.
	});
	try {
		const end = await ended.promise;
		signal.throwIfAborted();
		if (said.message?.kind === "failed") {
			const { isOutOfMemory, error } = said.message;
			throw new TranscodeFailedError(`fitting failed: ${error}`, isOutOfMemory ? "killed" : "crashed");
		}
		if (said.message) return said.message;
		if (tooMuch)
			throw new TranscodeFailedError(`fitting took more than ${memoryBytesMax} bytes of memory`, "overLimit");
		const message = `the fitting process ended with ${end.how}: ${said.stderr}`;
		throw new TranscodeFailedError(message, wasKilled(end, said.stderr) ? "killed" : "crashed", end.signal);
	} finally {
		clearInterval(look);
		signal.removeEventListener("abort", kill);
	}
}

/** How a process ended, in words, and by which signal. */
interface ProcessEnd {
	readonly how: string;
	readonly signal?: NodeJS.Signals;
}

function wasKilled({ signal }: ProcessEnd, stderr: string): boolean {
	if (signal !== undefined && !CRASH_SIGNALS.has(signal)) return true;
	return OUT_OF_MEMORY.test(stderr);
}

/** All that it gets of this environment: it starts in half the time where what was compiled before is kept. */
function whereCompiledIsKept(): Record<string, string> {
	// oxlint-disable-next-line node/no-process-env -- it is for Node and none of the configuration
	const { NODE_COMPILE_CACHE } = process.env;
	return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

/** What it holds of the machine's memory; 0 where the system does not say it this way. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
	if (process.platform !== "linux" || pid === undefined) return 0;
	const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
	return Number(statm.split(" ")[1] ?? 0) * PAGE_BYTES;
}
