/** The paid service behind the studio's engine. It outlives the studio, and counts the submissions of each attempt. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineError, type Engine } from "@atelier/studio/engines/engine";
import { fakeImage, fakeImageModel } from "@atelier/studio/testing/fake-engine";

/** By prompt: the number of outputs, whether the job ends, and whether the response of the submission is lost. */
export const BEHAVIORS = {
	regular: { outputs: 1, ends: true, losesResponse: false },
	losesResponse: { outputs: 1, ends: true, losesResponse: true },
	twoOutputs: { outputs: 2, ends: true, losesResponse: false },
	noOutput: { outputs: 0, ends: true, losesResponse: false },
	neverEnds: { outputs: 0, ends: false, losesResponse: false },
} as const;
export type Behavior = keyof typeof BEHAVIORS;

interface Job {
	readonly state: "running" | "done";
	readonly outputs: number;
}

export interface PaidService {
	readonly url: string;
	/** The submissions of each attempt, `TASK:ATTEMPT`; each of them is paid. */
	readonly submissions: ReadonlyMap<string, number>;
	stop(): void;
}

const POLLS_UNTIL_DONE = 4;
const POLL_INTERVAL_MS = 20;

/** `POST /TASK:ATTEMPT` submits a job, with its prompt as the body; `GET` polls it. */
export async function startPaidService(): Promise<PaidService> {
	const submissions = new Map<string, number>();
	const jobs = new Map<string, { readonly behavior: Behavior; polls: number }>();
	const server = createServer((request, response) => void respond(request, response));

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
		const id = decodeURIComponent(request.url ?? "").slice(1);
		const prompt = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
		if (request.method === "POST") {
			const behavior = prompt in BEHAVIORS ? (prompt as Behavior) : "regular";
			submissions.set(id, (submissions.get(id) ?? 0) + 1);
			jobs.set(id, { behavior, polls: 0 });
			if (BEHAVIORS[behavior].losesResponse) return response.destroy();
		}
		const job = jobs.get(id);
		if (!job) return response.writeHead(404).end();
		job.polls += 1;
		const { ends, outputs } = BEHAVIORS[job.behavior];
		const isDone = ends && job.polls > POLLS_UNTIL_DONE;
		return response.end(JSON.stringify({ state: isDone ? "done" : "running", outputs } satisfies Job));
	}

	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		submissions,
		stop() {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** An engine that writes a checkpoint before each submission, and looks up a submission whose response it never received. */
export function createPaidServiceEngine(serviceUrl: string, concurrency = 8): Engine {
	return {
		name: "paid-service",
		concurrency,
		models: () => [fakeImageModel],
		async run({ taskId, attempt, prompt, checkpoint }, signal) {
			const url = `${serviceUrl}/${encodeURIComponent(`${taskId}:${attempt}`)}`;
			const request = async (method: string): Promise<Job | undefined> => {
				const body = method === "POST" ? { body: prompt } : {};
				const response = await fetch(url, { method, signal, ...body }).catch((cause: unknown) => {
					signal.throwIfAborted();
					throw new EngineError("upstream_error", "no response", { retryable: true, cause });
				});
				return response.ok ? ((await response.json()) as Job) : undefined;
			};
			const isNew = (await checkpoint.read()) === undefined || !(await request("GET"));
			if (isNew) {
				await checkpoint.write({ sent: true });
				await request("POST").catch((error: unknown) => {
					signal.throwIfAborted();
					// The poll below finds a job whose response was lost.
					if (!(error instanceof EngineError)) throw error;
				});
			}
			for (;;) {
				const job = await request("GET");
				if (!job) throw new EngineError("upstream_error", "the job was not accepted", { retryable: true });
				if (job.state === "done") return Array.from({ length: job.outputs }, () => fakeImage(taskId));
				await sleep(POLL_INTERVAL_MS, undefined, { signal });
			}
		},
		async close() {},
	};
}
