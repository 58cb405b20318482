import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type {
	MediaSize,
	ReplyTo,
	SizeMessage,
	StartMessage,
	WorkerJob,
	WorkerLimits,
	WorkerMessage,
} from "./worker-messages.ts";

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

/** The time until a worker has started and read the header of its file. */
const START_TIMEOUT_MS = 60_000;
const MEMORY_CHECK_MS = 250;
const HEAP_MIB_MAX = 256;
const STDERR_CHARS_MAX = 2000;
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

interface WorkerOptions {
	readonly script: URL;
	readonly memoryBytesMax: number;
	/** Counts from the time at which the worker may start its work, after the wait for memory. */
	readonly timeoutMs: number;
	readonly signal: AbortSignal;
	/**
	 * Resolves to the limits to start with, when there is memory for a file of this size. `usedBytes` reads the memory that the
	 * process uses.
	 */
	readonly admit: (size: MediaSize, usedBytes: () => Promise<number>) => Promise<WorkerLimits>;
}

/**
 * Runs one job in a process of its own, which has ended when the promise settles. Throws `TranscodeFailedError` if it ends without
 * a result, and the error of the system if it cannot start or the disk is full. Rejects with the signal's reason when aborted.
 */
export async function runInProcess<Job extends WorkerJob>(
	job: Job,
	{ script, memoryBytesMax, timeoutMs, signal, admit }: WorkerOptions,
): Promise<ReplyTo<Job>> {
	const child = fork(script, {
		cwd: job.folder,
		env: workerEnvironment(),
		execArgv: [`--max-old-space-size=${HEAP_MIB_MAX}`],
		serialization: "advanced",
		stdio: ["ignore", "ignore", "pipe", "ipc"],
	});
	if (child.pid === undefined) {
		const [error] = (await once(child, "error")) as [Error];
		throw error;
	}
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
	let overLimit: string | undefined;
	const killOverLimit = (message: string): void => {
		overLimit = message;
		kill();
	};
	const startTimer = (ms: number): NodeJS.Timeout =>
		setTimeout(killOverLimit, ms, `transcode took more than ${ms / 1000} s`);
	let timer = startTimer(Math.min(timeoutMs, START_TIMEOUT_MS));
	const startWhenAdmitted = async (size: MediaSize): Promise<void> => {
		clearTimeout(timer);
		const { threads, memory } = await admit(size, () => memoryOf(child, "RssAnon"));
		timer = startTimer(timeoutMs);
		child.send({ kind: "start", threads, memory } satisfies StartMessage, ignoreExit);
	};
	child.on("message", (message: SizeMessage | WorkerMessage) => {
		if (message.kind === "size") {
			void startWhenAdmitted(message.size);
			return;
		}
		output.message = message;
		kill();
	});
	signal.addEventListener("abort", kill, { once: true });
	const checkMemory = async (): Promise<void> => {
		const usedBytes = await memoryOf(child, "VmRSS");
		if (usedBytes > memoryBytesMax) killOverLimit(`transcode took more than ${memoryBytesMax} bytes of memory`);
	};
	const memoryCheck = setInterval(() => void checkMemory(), MEMORY_CHECK_MS);
	child.send(job, ignoreExit);
	try {
		const processExit = await exit.promise;
		signal.throwIfAborted();
		if (output.message?.kind === "failed") {
			const { lacks, error } = output.message;
			const message = `transcode failed: ${error}`;
			if (lacks === "diskSpace") throw Object.assign(new Error(message), { code: "ENOSPC" });
			throw new TranscodeFailedError(message, lacks === "memory" ? "killed" : "crashed");
		}
		// The worker answers each kind of job with its kind of reply.
		if (output.message) return output.message as ReplyTo<Job>;
		if (overLimit !== undefined) throw new TranscodeFailedError(overLimit, "overLimit");
		const message = `the transcode worker ended with ${processExit.description}: ${output.stderr}`;
		throw new TranscodeFailedError(
			message,
			wasKilled(processExit, output.stderr) ? "killed" : "crashed",
			processExit.signal,
		);
	} finally {
		clearInterval(memoryCheck);
		clearTimeout(timer);
		signal.removeEventListener("abort", kill);
	}
}

/** The exit of a worker process. */
interface ProcessExit {
	/** For error messages. */
	readonly description: string;
	/** The signal that ended the process, if any. */
	readonly signal?: NodeJS.Signals;
}

/** Returns whether the process was killed from outside, or ran out of memory. */
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

/** Ignores that a message could not be sent because the process has ended: its exit event follows. */
function ignoreExit(): void {}

/** Resolves to the resident memory of a process (`VmRSS`), or to the part that it shares with no other; 0 without procfs. */
async function memoryOf({ pid }: ChildProcess, field: "VmRSS" | "RssAnon"): Promise<number> {
	if (process.platform !== "linux" || pid === undefined) return 0;
	const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
	return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) * 1024;
}
