import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { EngineError } from "../engine.ts";
import type { FromWorker, RenderJob, ToWorker } from "./render-job.ts";

/** Threads that render, started when first needed and kept warm; jobs wait their turn. */
export interface RenderPool {
	/** Rejects with the signal's reason at once when aborted; the thread stops at the next frame. */
	run(job: RenderJob, signal: AbortSignal, report: (percent: number) => void): Promise<Uint8Array>;
	close(): Promise<void>;
}

interface Order {
	readonly ticket: number;
	readonly job: RenderJob;
	readonly report: (percent: number) => void;
	readonly resolve: (bytes: Uint8Array) => void;
	readonly reject: (reason: unknown) => void;
}

/** A thread is free, at work, or finishing work that nobody waits for any more. */
interface Bench {
	readonly worker: Worker;
	order: Order | null;
	abandoned: boolean;
	/** Ends a thread that does not stop when asked. */
	overdue: NodeJS.Timeout | undefined;
}

/** A 4K picture is painted in one go and cannot be stopped half way. */
const STOP_TIMEOUT_MS = 30_000;
const QUEUE_MAX = 1000;

export function createRenderPool(deps: { workers: number; startWorker: () => Worker }): RenderPool {
	const waiting: Order[] = [];
	const benches = new Set<Bench>();
	let lastTicket = 0;
	let closed = false;

	function openBench(): Bench {
		const worker = deps.startWorker();
		const bench: Bench = { worker, order: null, abandoned: false, overdue: undefined };
		// An idle thread must not keep the process alive.
		worker.unref();
		worker.on("message", (message: FromWorker) => hear(bench, message));
		worker.on("error", (cause) => dismiss(bench, cause));
		worker.on("exit", (code) => dismiss(bench, new Error(`the render thread ended with code ${code}`)));
		benches.add(bench);
		return bench;
	}

	function hear(bench: Bench, message: FromWorker): void {
		const { order } = bench;
		if (order === null || message.ticket !== order.ticket) return;
		if (message.kind === "progress") {
			if (!bench.abandoned) order.report(message.percent);
			return;
		}
		release(bench);
		if (message.kind === "done") order.resolve(message.bytes);
		else order.reject(new EngineError(message.code, message.message, { retryable: message.retryable }));
		serve();
	}

	function release(bench: Bench): void {
		clearTimeout(bench.overdue);
		bench.order = null;
		bench.abandoned = false;
		bench.worker.unref();
	}

	/** A thread that died takes only its own job with it; the next job starts a new one. */
	function dismiss(bench: Bench, cause: unknown): void {
		if (!benches.delete(bench)) return;
		const { order } = bench;
		release(bench);
		order?.reject(new EngineError("upstream_error", "the render thread crashed", { retryable: true, cause }));
		serve();
	}

	function serve(): void {
		if (closed) return;
		while (waiting.length > 0) {
			const free = [...benches].find((bench) => bench.order === null);
			const bench = free ?? (benches.size < deps.workers ? openBench() : undefined);
			if (bench === undefined) return;
			const order = waiting.shift();
			if (order === undefined) return;
			bench.order = order;
			bench.worker.ref();
			tell(bench, { kind: "render", ticket: order.ticket, job: order.job });
		}
	}

	function tell(bench: Bench, message: ToWorker): void {
		// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
		bench.worker.postMessage(message);
	}

	function abandon(ticket: number): void {
		const queued = waiting.findIndex((order) => order.ticket === ticket);
		if (queued >= 0) waiting.splice(queued, 1);
		const bench = [...benches].find((candidate) => candidate.order?.ticket === ticket);
		if (bench === undefined || bench.abandoned) return;
		bench.abandoned = true;
		tell(bench, { kind: "abort", ticket });
		// What nobody waits for must not keep the process alive either.
		bench.worker.unref();
		bench.overdue = setTimeout(() => void bench.worker.terminate(), STOP_TIMEOUT_MS).unref();
	}

	/** Threads leave by themselves: ending one inside a native encoder would end the process. */
	async function sendAway(bench: Bench): Promise<void> {
		const left = once(bench.worker, "exit");
		bench.worker.ref();
		tell(bench, { kind: "leave" });
		const overdue = setTimeout(() => void bench.worker.terminate(), STOP_TIMEOUT_MS);
		await left;
		clearTimeout(overdue);
	}

	return {
		async run(job, signal, report) {
			signal.throwIfAborted();
			if (closed) throw new EngineError("upstream_error", "the engine is closed", { retryable: true });
			if (waiting.length >= QUEUE_MAX)
				throw new EngineError("upstream_error", "too much to render", { retryable: true });
			const ticket = ++lastTicket;
			const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
			const stop = (): void => {
				reject(signal.reason);
				abandon(ticket);
			};
			signal.addEventListener("abort", stop, { once: true });
			waiting.push({ ticket, job, report, resolve, reject });
			serve();
			try {
				return await promise;
			} finally {
				signal.removeEventListener("abort", stop);
			}
		},
		async close() {
			closed = true;
			const gone = new EngineError("upstream_error", "the engine was closed", { retryable: true });
			for (const order of waiting.splice(0)) order.reject(gone);
			for (const bench of benches) bench.order?.reject(gone);
			await Promise.all([...benches].map(sendAway));
		},
	};
}
