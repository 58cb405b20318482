import { parentPort } from "node:worker_threads";
import { EngineError } from "../engine.ts";
import { composeAmbience } from "./music/compose-ambience.ts";
import { composeTune } from "./music/compose-tune.ts";
import { render } from "./render.ts";
import type { FromWorker, ToWorker } from "./render-job.ts";

const port = parentPort;
if (port === null) throw new Error("render-worker.ts runs as a worker thread");

const running = new Map<number, AbortController>();
const post = (message: FromWorker): void => port.postMessage(message);

port.on("message", (message: ToWorker) => {
	switch (message.kind) {
		case "render":
			void work(message);
			return;
		case "abort":
			running.get(message.ticket)?.abort();
			return;
		case "leave":
			for (const controller of running.values()) controller.abort();
			// Without its port the thread ends by itself once the encoders are at rest.
			port.close();
	}
});

async function work({ ticket, job }: Extract<ToWorker, { kind: "render" }>): Promise<void> {
	const controller = new AbortController();
	running.set(ticket, controller);
	try {
		const bytes = await render(
			job,
			{ composeTune, composeAmbience },
			{ signal: controller.signal, report: (percent) => post({ kind: "progress", ticket, percent }) },
		);
		post({ kind: "done", ticket, bytes });
	} catch (error) {
		const known = error instanceof EngineError ? error : undefined;
		post({
			kind: "failed",
			ticket,
			code: known?.code ?? "upstream_error",
			retryable: known?.retryable ?? true,
			message: error instanceof Error ? error.message : String(error),
		});
	} finally {
		running.delete(ticket);
	}
}
