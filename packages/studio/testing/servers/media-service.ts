/** A service with the two operations of the specification, a list of models, and its own state names. */
import { randomUUID } from "node:crypto";
import { fakeImageModel, fakeMusicModel, fakePng, fakeVideoModel } from "../fake-engine.ts";
import { openFakeServer, type FakeResponse, type FakeRequest, type FakeServer } from "./fake-server.ts";

interface Task {
	readonly taskId: string;
	readonly request: Readonly<Record<string, unknown>>;
	/** The record in addition to the id. */
	record: Readonly<Record<string, unknown>>;
}

export interface FakeMediaService extends FakeServer {
	readonly jobs: Task[];
	file: Uint8Array;
	/** Changes a task at each poll; it succeeds at the first by default. */
	next: (task: Task) => void;
}

const MODELS: readonly object[] = [fakeImageModel, fakeVideoModel, fakeMusicModel];

export async function openMediaService(models = MODELS): Promise<FakeMediaService> {
	const jobs: Task[] = [];

	function handle({ method, path, headers, body }: FakeRequest): FakeResponse {
		if (path.startsWith("/files/")) return { bytes: server.file };
		if (headers.authorization !== "Bearer service-key") return { status: 401, json: { code: 401, data: null } };
		if (method === "POST" && path === "/api/v1/generate") {
			const task: Task = { taskId: randomUUID(), request: body, record: { status: "queued" } };
			jobs.push(task);
			return { json: { code: 0, data: { taskId: task.taskId } } };
		}
		if (path === "/api/v1/models") return { json: { code: 0, data: { models } } };
		const found = jobs.find(({ taskId }) => path === `/api/v1/task/${taskId}`);
		if (method !== "GET" || !found) return { status: 404, json: { code: 404, data: null } };
		server.next(found);
		return { json: { code: 0, data: { taskId: found.taskId, ...found.record } } };
	}

	const base = await openFakeServer(handle);
	const server: FakeMediaService = Object.assign(base, {
		jobs,
		file: fakePng("specification"),
		next: (task: Task) => void (task.record = { status: "completed", result: { url: `${base.url}/files/1.png` } }),
	});
	return server;
}
