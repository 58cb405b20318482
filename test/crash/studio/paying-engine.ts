import { setTimeout as sleep } from "node:timers/promises";
import { EngineError, type Engine } from "@atelier/studio/engines/engine";
import { fakeImage, fakeImageModel } from "@atelier/studio/testing/fake-engine";
import type { Job } from "./upstream.ts";

const POLL_EVERY_MS = 20;

/** Pays for a job elsewhere: writes down that it is about to, and asks what became of an order whose answer it never saw. */
export function createPayingEngine(upstream: string, concurrency = 8): Engine {
	return {
		name: "upstream",
		concurrency,
		models: () => [fakeImageModel],
		async run({ taskId, attempt, prompt, checkpoint }, signal) {
			const url = `${upstream}/${encodeURIComponent(`${taskId}:${attempt}`)}`;
			const operation = async (method: string): Promise<Job | undefined> => {
				const body = method === "POST" ? { body: prompt } : {};
				const response = await fetch(url, { method, signal, ...body }).catch((cause: unknown) => {
					signal.throwIfAborted();
					throw new EngineError("upstream_error", "no answer", { retryable: true, cause });
				});
				return response.ok ? ((await response.json()) as Job) : undefined;
			};
			const isNew = (await checkpoint.read()) === undefined || !(await operation("GET"));
			if (isNew) {
				await checkpoint.write({ sent: true });
				await operation("POST").catch((error: unknown) => {
					signal.throwIfAborted();
					// Its answer was lost, which the look at it below clears up.
					if (!(error instanceof EngineError)) throw error;
				});
			}
			for (;;) {
				const job = await operation("GET");
				if (!job) throw new EngineError("upstream_error", "it was not taken", { retryable: true });
				if (job.state === "done") return Array.from({ length: job.outputs }, () => fakeImage(taskId));
				await sleep(POLL_EVERY_MS, undefined, { signal });
			}
		},
		async close() {},
	};
}
