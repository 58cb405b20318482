/** Replicate's HTTP API, by its reference. */
import { randomBytes } from "node:crypto";
import { fakePng } from "../fake-engine.ts";
import { openFakeServer, type FakeResponse, type FakeRequest, type FakeServer } from "./fake-server.ts";

interface Prediction {
	readonly id: string;
	readonly model: string;
	readonly version: string;
	readonly input: Readonly<Record<string, unknown>>;
	status: string;
	output: unknown;
	error: string | null;
	logs: string;
	data_removed: boolean;
}

export interface FakeReplicate extends FakeServer {
	readonly jobs: Prediction[];
	readonly canceled: string[];
	readonly uploads: Buffer[];
	file: Uint8Array;
	/** Changes a prediction at each poll; it succeeds at the first by default. */
	next: (prediction: Prediction) => void;
}

export async function openReplicate(): Promise<FakeReplicate> {
	const jobs: Prediction[] = [];
	const canceled: string[] = [];
	const uploads: Buffer[] = [];

	function handle(request: FakeRequest): FakeResponse {
		const { method, path, headers, body } = request;
		if (path.startsWith("/delivery/")) return { bytes: server.file };
		if (headers.authorization !== "Bearer r8_token") {
			return { status: 401, json: { title: "Unauthenticated", detail: "You did not pass a valid token", status: 401 } };
		}
		if (method === "POST" && path === "/files") {
			uploads.push(request.bytes);
			const id = randomBytes(8).toString("hex");
			return { status: 201, json: { id, urls: { get: `${base.url}/files/${id}` } } };
		}
		const [, model] = /^\/models\/([\w.-]+\/[\w.-]+)\/predictions$/.exec(path) ?? [];
		if (method === "POST" && model !== undefined) return create(model, "hidden", body);
		if (method === "POST" && path === "/predictions") return create("owner/name", String(body["version"]), body);
		const [, id, cancel] = /^\/predictions\/(\w+)(\/cancel)?$/.exec(path) ?? [];
		const found = jobs.find((each) => each.id === id);
		if (!found) return { status: 404, json: { detail: "The requested resource could not be found.", status: 404 } };
		if (cancel !== undefined) {
			canceled.push(found.id);
			found.status = "canceled";
		} else {
			server.next(found);
		}
		return { json: shown(found) };
	}

	function create(model: string, version: string, body: Readonly<Record<string, unknown>>): FakeResponse {
		const input = body["input"] as Record<string, unknown> | undefined;
		if (!input)
			return { status: 422, json: { title: "Input validation failed", detail: "- input is required", status: 422 } };
		const id = randomBytes(13).toString("hex");
		const more = { status: "starting", output: null, error: null, logs: "", data_removed: false };
		const prediction: Prediction = { id, model, version, input, ...more };
		jobs.push(prediction);
		return { status: 201, json: shown(prediction) };
	}

	function shown(prediction: Prediction): Record<string, unknown> {
		const own = `${base.url}/predictions/${prediction.id}`;
		return {
			...prediction,
			created_at: "2026-01-01T00:00:00.000Z",
			urls: { get: own, cancel: `${own}/cancel`, stream: `${base.url}/delivery/no`, web: `${base.url}/delivery/no` },
		};
	}

	const base = await openFakeServer(handle);
	const server: FakeReplicate = Object.assign(base, {
		jobs,
		canceled,
		uploads,
		file: fakePng("replicate"),
		next: (prediction: Prediction) => {
			prediction.status = "succeeded";
			prediction.output = [`${base.url}/delivery/out-0.webp`];
		},
	});
	return server;
}
