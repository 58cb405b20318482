import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { SketchInputError, type SketchFile, type SketchRequest } from "./request.ts";
import type { WorkerAnswer, WorkerTask } from "./worker.ts";

export { SketchInputError, UPSCALED_PIXELS_MAX, type SketchFile, type SketchRequest } from "./request.ts";

export interface RenderOptions {
	readonly signal?: AbortSignal;
	/** 0 to 100. */
	readonly onProgress?: (percent: number) => void;
}

/** Renders files on worker threads, which start with the first request. */
export interface Sketch {
	/** Rejects with the signal's reason at once when aborted; the thread stops at the next frame. */
	render(request: SketchRequest, options?: RenderOptions): Promise<SketchFile>;
	/** Rejects running requests, and ends the threads when they have stopped. */
	close(): Promise<void>;
}

const IDLE_TIMEOUT_MS = 60_000;
const QUEUE_MAX = 1000;
/** A 4K image is painted in one go and cannot be stopped half way. */
const CLOSE_TIMEOUT_MS = 30_000;

export interface SketchOptions {
	/** Defaults to the number of cores minus one. */
	readonly threads?: number;
	/** The module that works on each thread. */
	readonly worker?: URL;
}

export function createSketch({
	threads,
	worker = new URL("./worker.ts", import.meta.url),
}: SketchOptions = {}): Sketch {
	const pool = new Piscina<WorkerTask, WorkerAnswer>({
		filename: fileURLToPath(worker),
		minThreads: 0,
		maxThreads: threads ?? Math.max(1, availableParallelism() - 1),
		idleTimeout: IDLE_TIMEOUT_MS,
		maxQueue: QUEUE_MAX,
		closeTimeout: CLOSE_TIMEOUT_MS,
		// An idle thread that blocks on Atomics.wait would stop the encoders.
		atomics: "disabled",
	});
	const closing = new AbortController();

	return {
		async render(request, { signal, onProgress } = {}) {
			const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
			either.throwIfAborted();
			const stopped = new Int32Array(new SharedArrayBuffer(4));
			const { port1, port2 } = new MessageChannel();
			const aborted = Promise.withResolvers<never>();
			// Not Piscina's own signal: it ends the thread, and with it the process when that is inside a native encoder.
			const stop = (): void => {
				Atomics.store(stopped, 0, 1);
				aborted.reject(either.reason);
			};
			either.addEventListener("abort", stop, { once: true });
			port1.on("message", (percent: number) => {
				if (!either.aborted) onProgress?.(percent);
			});
			try {
				const work = pool.run({ request, port: port2, stopped }, { transferList: [port2] });
				const answer = await Promise.race([work, aborted.promise]);
				if ("inputError" in answer) throw new SketchInputError(answer.inputError);
				return answer.file;
			} finally {
				either.removeEventListener("abort", stop);
				port1.close();
			}
		},
		async close() {
			closing.abort(new Error("sketch is closed"));
			await pool.close();
		},
	};
}
