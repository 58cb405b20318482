import type { MessagePort } from "node:worker_threads";
import { render } from "./render.ts";
import { SketchInputError, type SketchFile, type SketchRequest } from "./request.ts";

/** The input of a worker thread: a request, a port for progress, and a flag that is set when the request was aborted. */
export interface WorkerTask {
	readonly request: SketchRequest;
	readonly port: MessagePort;
	readonly stopped: Int32Array<SharedArrayBuffer>;
}

/** The structured clone of an error loses its class. */
export type WorkerAnswer = { readonly file: SketchFile } | { readonly inputError: string };

export default async function work({ request, port, stopped }: WorkerTask): Promise<WorkerAnswer> {
	try {
		const file = await render(request, (done) => {
			if (Atomics.load(stopped, 0) !== 0) throw new Error("stopped");
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
