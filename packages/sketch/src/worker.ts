import type { MessagePort } from "node:worker_threads";
import { render } from "./render.ts";
import { SketchInputError, type SketchFile, type SketchRequest } from "./request.ts";

/** The input of a worker thread: a request, a port for progress, and a flag that is set when the request was aborted. */
export interface WorkerTask {
	readonly request: SketchRequest;
	readonly port: MessagePort;
	readonly stopFlag: Int32Array<SharedArrayBuffer>;
}

/** Input errors are data: an error loses its class when it is posted between threads. */
export type WorkerResult = { readonly file: SketchFile } | { readonly inputError: string };

export default async function work({ request, port, stopFlag }: WorkerTask): Promise<WorkerResult> {
	try {
		const file = await render(request, (done) => {
			if (Atomics.load(stopFlag, 0) !== 0) throw new Error("stopped");
			port.postMessage(Math.round(done * 100));
		});
		return { file };
	} catch (error) {
		if (error instanceof SketchInputError) return { inputError: error.message };
		throw error;
	} finally {
		port.close();
	}
}
