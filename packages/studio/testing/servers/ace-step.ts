/** ACE-Step 1.5's HTTP service by its `docs/en/API.md` and the tests of its routes. */
import { randomUUID } from "node:crypto";
import { openFakeServer, type FakeResponse, type FakeRequest, type FakeServer } from "./fake-server.ts";
import { wav } from "@atelier/common/testing/wav-and-mp4-head";

interface Job {
	readonly id: string;
	readonly request: Readonly<Record<string, unknown>>;
	status: 0 | 1 | 2;
	items: readonly Record<string, unknown>[];
}

export interface FakeAceStep extends FakeServer {
	readonly jobs: Job[];
	/** The files below `/v1/audio`. */
	file: Uint8Array;
	/** Changes a job at its first poll; it succeeds by default. */
	next: (job: Job) => void;
	/** Like a restart: forgets all jobs. */
	forget(): void;
}

export async function openAceStep(options: { readonly key?: string } = {}): Promise<FakeAceStep> {
	const jobs: Job[] = [];
	const paths = new Set<string>();

	function completed(job: Job): void {
		const path = `/tmp/api_audio/${job.id}.mp3`;
		paths.add(path);
		const metas = { bpm: 120, duration: job.request["audio_duration"] ?? 30, keyscale: "C Major" };
		job.status = 1;
		job.items = [
			{ file: `/v1/audio?path=${encodeURIComponent(path)}`, status: 1, metas, seed_value: "4242,7", progress: 1 },
		];
	}

	function handle({ method, path, query, headers, body }: FakeRequest): FakeResponse {
		if (options.key !== undefined && headers.authorization !== `Bearer ${options.key}`) {
			return { status: 401, json: { detail: "Invalid API key" } };
		}
		if (method === "POST" && path === "/release_task") {
			const job: Job = { id: randomUUID(), request: body, status: 0, items: [{ file: "", status: 0, progress: 0 }] };
			jobs.push(job);
			return enveloped({ task_id: job.id, status: "queued", queue_position: jobs.length });
		}
		if (method === "POST" && path === "/query_result") {
			return enveloped((body["task_id_list"] as string[]).map(row));
		}
		if (method === "GET" && path === "/v1/audio" && paths.has(query.get("path") ?? "")) {
			return { bytes: server.file, headers: { "content-type": "audio/mpeg" } };
		}
		return { status: 404, json: { detail: "Not Found" } };
	}

	function row(id: string): Record<string, unknown> {
		const job = jobs.find((each) => each.id === id);
		if (!job) return { task_id: id, result: "[]", status: 0 };
		server.next(job);
		return { task_id: id, result: JSON.stringify(job.items), status: job.status, progress_text: "" };
	}

	const base = await openFakeServer(handle);
	const server: FakeAceStep = Object.assign(base, {
		jobs,
		file: wav(2),
		next: completed,
		forget: () => void jobs.splice(0),
	});
	return server;
}

function enveloped(data: unknown): FakeResponse {
	return { json: { data, code: 200, error: null, timestamp: 1_700_000_000_000, extra: null } };
}
