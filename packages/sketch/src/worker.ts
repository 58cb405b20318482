import type { MessagePort } from "node:worker_threads";
import { render } from "./render.ts";
import { SketchInputError, type SketchFile, type SketchRequest } from "./request.ts";

/** What a thread gets: a request, where to report progress to, and a flag that is set once nobody needs the file. */
export interface WorkerTask {
	readonly request: SketchRequest;
	readonly port: MessagePort;
	readonly stopped: Int32Array<SharedArrayBuffer>;
}

/** An error's class does not survive the way to another thread. */
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
