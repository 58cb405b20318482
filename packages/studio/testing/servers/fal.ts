/** fal's queue, by the reference of its queue API and its pages on errors. */
import { randomUUID } from "node:crypto";
import { fakePng } from "../fake-engine.ts";
import { openFakeServer, type FakeResponse, type FakeRequest, type FakeServer } from "./fake-server.ts";

interface Queued {
	readonly id: string;
	readonly model: string;
	readonly input: Readonly<Record<string, unknown>>;
	status: "IN_QUEUE" | "IN_PROGRESS" | "COMPLETED";
	position: number;
}

export interface FakeFal extends FakeServer {
	readonly jobs: Queued[];
	readonly canceled: string[];
	file: Uint8Array;
	/** The model's response, with its own status code. */
	result: FakeResponse;
	/** Changes a request at each poll; it is completed at the first by default. */
	next: (request: Queued) => void;
}

export async function openFal(): Promise<FakeFal> {
	const jobs: Queued[] = [];
	const canceled: string[] = [];

	function handle({ method, path, headers, body }: FakeRequest): FakeResponse {
		if (path.startsWith("/files/")) return { bytes: server.file };
		if (headers.authorization !== "Key fal-key") return { status: 401, json: { detail: "Authentication is required" } };
		const [, app = "", id = "", verb = ""] =
			/^\/([\w-]+\/[\w.-]+)\/requests\/([\w-]+)(?:\/(status|cancel))?$/.exec(path) ?? [];
		if (id === "") return method === "POST" ? submit(path.slice(1), body) : { status: 405, json: { detail: "no" } };
		const found = jobs.find((each) => each.id === id && appOf(each) === app);
		if (!found) return { status: 404, json: { detail: "Request not found", status: "NOT_FOUND" } };
		if (method === "PUT" && verb === "cancel") return cancel(found);
		if (verb === "status") {
			server.next(found);
			return { status: found.status === "COMPLETED" ? 200 : 202, json: statusOf(found) };
		}
		return found.status === "COMPLETED"
			? server.result
			: { status: 400, json: { detail: "Request is still in progress" } };
	}

	function submit(model: string, input: Readonly<Record<string, unknown>>): FakeResponse {
		const request: Queued = { id: randomUUID(), model, input, status: "IN_QUEUE", position: 2 };
		jobs.push(request);
		return { json: statusOf(request) };
	}

	function cancel(request: Queued): FakeResponse {
		if (request.status === "COMPLETED") return { status: 400, json: { status: "ALREADY_COMPLETED" } };
		canceled.push(request.id);
		return { status: 202, json: { status: "CANCELLATION_REQUESTED" } };
	}

	function statusOf(request: Queued): Record<string, unknown> {
		const own = `${base.url}/${appOf(request)}/requests/${request.id}`;
		return {
			status: request.status,
			request_id: request.id,
			response_url: own,
			status_url: `${own}/status`,
			cancel_url: `${own}/cancel`,
			...(request.status === "IN_QUEUE" && { queue_position: request.position }),
			...(request.status === "COMPLETED" && { metrics: { inference_time: 1.5 } }),
		};
	}

	const base = await openFakeServer(handle);
	const server: FakeFal = Object.assign(base, {
		jobs,
		canceled,
		file: fakePng("fal"),
		result: {
			json: {
				images: [{ url: `${base.url}/files/1.png`, width: 1, height: 1, content_type: "image/png" }],
				seed: 99,
				timings: { inference: 1.5 },
				has_nsfw_concepts: [false],
			},
		},
		next: (request: Queued) => void (request.status = "COMPLETED"),
	});
	return server;
}

/** The URLs of a request omit the part after the app. */
function appOf({ model }: Queued): string {
	return model.split("/").slice(0, 2).join("/");
}

/** An error of a model in place of its result. */
export function modelError(status: number, type: string): FakeResponse {
	const detail = [{ loc: ["body", "prompt"], msg: "a sentence that may quote a secret prompt", type, input: {} }];
	return { status, json: { detail } };
}
