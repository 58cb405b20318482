/** AI Horde's API v2 for images, by its `README_integration.md` and `README_return_codes.md`. */
import { randomUUID } from "node:crypto";
import { fakePng } from "../fake-engine.ts";
import { openFakeServer, type FakeResponse, type FakeRequest, type FakeServer } from "./fake-server.ts";

interface AiHordeRequest {
	readonly id: string;
	readonly request: Readonly<Record<string, unknown>>;
	/** The fields of `/generate/check` in addition to its counters. */
	state: { done: boolean; faulted: boolean; is_possible: boolean; wait_time: number; queue_position: number };
}

export interface FakeAiHorde extends FakeServer {
	readonly jobs: AiHordeRequest[];
	readonly canceled: string[];
	/** The files below `/file/…`, in place of the horde's storage. */
	file: Uint8Array;
	/** The generations of a finished request. */
	generations: readonly Record<string, unknown>[];
	/** Changes a request at each check; it is done at the first by default. */
	next: (requested: AiHordeRequest) => void;
}

export async function openAiHorde(options: { readonly key?: string } = {}): Promise<FakeAiHorde> {
	const jobs: AiHordeRequest[] = [];
	const canceled: string[] = [];
	const { key = "0000000000" } = options;

	function handle({ method, path, headers, body }: FakeRequest): FakeResponse {
		if (path.startsWith("/file/")) return { bytes: server.file, headers: { "content-type": "image/webp" } };
		if (headers["client-agent"] === undefined) return rejected(400, "BadClientAgent");
		if (method === "POST" && path === "/generate/async") return acceptRequest(headers["apikey"], body);
		const [, verb = "", id = ""] = /^\/generate\/(check|status)\/([\w-]+)$/.exec(path) ?? [];
		const found = jobs.find((each) => each.id === id && !canceled.includes(id));
		if (!found) return rejected(404, "RequestNotFound");
		if (method === "DELETE") {
			canceled.push(id);
			return { json: { ...counters(found), generations: [] } };
		}
		if (verb === "check") {
			server.next(found);
			return { json: counters(found) };
		}
		return { json: { ...counters(found), generations: found.state.done ? server.generations : [], shared: false } };
	}

	function acceptRequest(apikey: unknown, body: Readonly<Record<string, unknown>>): FakeResponse {
		if (apikey !== key) return rejected(401, "InvalidAPIKey");
		if (typeof body["prompt"] !== "string" || body["prompt"] === "") return rejected(400, "MissingPrompt");
		const { width = 512, height = 512 } = (body["params"] ?? {}) as { width?: number; height?: number };
		if (width % 64 !== 0 || height % 64 !== 0) return rejected(400, "InvalidSize");
		const state = { done: false, faulted: false, is_possible: true, wait_time: 30, queue_position: 3 };
		const request: AiHordeRequest = { id: randomUUID(), request: body, state };
		jobs.push(request);
		return { status: 202, json: { id: request.id, kudos: 8.5 } };
	}

	const base = await openFakeServer(handle);
	const server: FakeAiHorde = Object.assign(base, {
		jobs,
		canceled,
		file: fakePng("horde"),
		generations: [generation({ img: `${base.url}/file/1.webp` })],
		next: (request: AiHordeRequest) => void (request.state.done = true),
	});
	return server;
}

export function generation(change: Record<string, unknown> = {}): Record<string, unknown> {
	return {
		img: "",
		seed: "1312",
		id: randomUUID(),
		model: "stable_diffusion",
		worker_id: randomUUID(),
		worker_name: "a worker",
		censored: false,
		gen_metadata: [],
		...change,
	};
}

function counters({ state }: AiHordeRequest): Record<string, unknown> {
	const done = Number(state.done);
	return { finished: done, processing: 1 - done, restarted: 0, waiting: 0, kudos: 8.5, ...state };
}

function rejected(status: number, rc: string): FakeResponse {
	return { status, json: { message: "what went wrong, in words", rc } };
}
