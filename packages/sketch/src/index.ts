import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { SketchInputError, type SketchFile, type SketchRequest } from "./request.ts";
import type { WorkerResult, WorkerTask } from "./worker.ts";

export { SketchInputError, UPSCALE_INPUT_PIXELS_MAX, type SketchFile, type SketchRequest } from "./request.ts";

export interface RenderOptions {
	readonly signal?: AbortSignal;
	/** 0 to 100. */
	readonly onProgress?: (percent: number) => void;
}

export type Sketch = ReturnType<typeof createSketch>;

const IDLE_TIMEOUT_MS = 60_000;
const QUEUE_MAX = 1000;
/** Painting a 4K image cannot be interrupted. */
const CLOSE_TIMEOUT_MS = 30_000;

export interface SketchOptions {
	/** Defaults to the number of cores minus one. */
	readonly threads?: number;
	/** The module that works on each thread. */
	readonly worker?: URL;
}

/** Renders files on worker threads, which start with the first request. */
export function createSketch({ threads, worker = new URL("./worker.ts", import.meta.url) }: SketchOptions = {}) {
	const pool = new Piscina<WorkerTask, WorkerResult>({
		filename: fileURLToPath(worker),
		minThreads: 0,
		maxThreads: threads ?? Math.max(1, availableParallelism() - 1),
		idleTimeout: IDLE_TIMEOUT_MS,
		maxQueue: QUEUE_MAX,
		closeTimeout: CLOSE_TIMEOUT_MS,
		// An idle thread that blocks on Atomics.wait would stop the encoders.
		atomics: "disabled",
	});
	const closeController = new AbortController();

	return {
		/** Rejects with the signal's reason at once when aborted; the thread stops at the next frame. */
		async render(request: SketchRequest, { signal, onProgress }: RenderOptions = {}): Promise<SketchFile> {
			const abortSignal = signal ? AbortSignal.any([signal, closeController.signal]) : closeController.signal;
			abortSignal.throwIfAborted();
			const stopFlag = new Int32Array(new SharedArrayBuffer(4));
			const { port1, port2 } = new MessageChannel();
			const aborted = Promise.withResolvers<never>();
			// Piscina's own signal would end the thread, and the whole process if the thread is inside a native encoder.
			const onAbort = (): void => {
				Atomics.store(stopFlag, 0, 1);
				aborted.reject(abortSignal.reason);
			};
			abortSignal.addEventListener("abort", onAbort, { once: true });
			port1.on("message", (percent: number) => {
				if (!abortSignal.aborted) onProgress?.(percent);
			});
			try {
				const work = pool.run({ request, port: port2, stopFlag }, { transferList: [port2] });
				const result = await Promise.race([work, aborted.promise]);
				if ("inputError" in result) throw new SketchInputError(result.inputError);
				return result.file;
			} finally {
				abortSignal.removeEventListener("abort", onAbort);
				port1.close();
			}
		},
		/** Rejects running requests, and ends the threads when they have stopped. */
		async close(): Promise<void> {
			closeController.abort(new Error("sketch is closed"));
			await pool.close();
		},
	};
}
