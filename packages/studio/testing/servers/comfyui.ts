/**
 * ComfyUI's server by its `server.py` and `execution.py`: a queue that runs one job at a time, a history of
 * ended jobs, files to view, and a WebSocket with the progress of a client's own jobs.
 */
import { randomUUID } from "node:crypto";
import { WebSocketServer, type WebSocket } from "ws";
import { onTestFinished } from "vitest";
import { openFakeServer, type FakeResponse, type FakeRequest, type FakeServer } from "./fake-server.ts";

type Graph = Record<string, { class_type: string; inputs: Record<string, unknown> }>;
interface Submit {
	readonly prompt?: Graph;
	readonly client_id?: string;
	readonly prompt_id?: string;
	readonly extra_data?: Record<string, unknown>;
}
type Item = [number, string, Graph, Record<string, unknown>, string[]];

/** The node that fails. */
const NODE = { node_id: "3", node_type: "KSampler", executed: [] };

export interface FakeComfyUi extends FakeServer {
	readonly running: Item[];
	readonly pending: Item[];
	readonly uploads: { readonly name: string; readonly bytes: Buffer }[];
	readonly interrupted: string[];
	/** The outputs of a finished job: files by node and by ComfyUI's name for their kind. */
	outputs: Record<string, Record<string, unknown>>;
	/** The files of /view, by name. */
	readonly files: Map<string, Uint8Array>;
	/** Ends the running job successfully. */
	finish(): void;
	fail(type: string, text: string): void;
	/** Sends the progress of the running job over the WebSocket. */
	sendProgress(type: string, message: Record<string, unknown>): void;
	/** Like a restart: empties the queue and the history. */
	forget(): void;
	clients(): number;
}

export async function openComfyUi(
	options: {
		/** Jobs are done as soon as they run. */
		readonly isInstant?: boolean;
		/** False as behind a proxy that blocks the WebSocket. */
		readonly hasSocket?: boolean;
		/** The installed models; any if absent. */
		readonly checkpoints?: readonly string[];
	} = {},
): Promise<FakeComfyUi> {
	const { isInstant = false } = options;
	const running: Item[] = [];
	const pending: Item[] = [];
	const uploads: { name: string; bytes: Buffer }[] = [];
	const interrupted: string[] = [];
	const files = new Map<string, Uint8Array>();
	const history: Record<string, unknown> = {};
	const sockets = new Map<string, WebSocket>();
	let counter = 0;

	function acceptPrompt(request: FakeRequest): FakeResponse {
		const { prompt, client_id: client, prompt_id: id, extra_data: extra } = request.body as Submit;
		if (!prompt) return invalid("no_prompt", "No prompt provided", {});
		for (const [nodeId, { class_type: type, inputs }] of Object.entries(prompt)) {
			const name = inputs["ckpt_name"];
			if (typeof name === "string" && options.checkpoints && !options.checkpoints.includes(name)) {
				const error = {
					type: "value_not_in_list",
					message: "Value not in list",
					details: `ckpt_name: '${name}' not in []`,
					extra_info: { input_name: "ckpt_name", received_value: name },
				};
				return invalid("prompt_outputs_failed_validation", "Prompt outputs failed validation", {
					[nodeId]: { errors: [error], dependent_outputs: ["9"], class_type: type },
				});
			}
		}
		const promptId = id ?? randomUUID();
		const extraData = { ...extra, ...(client !== undefined && { client_id: client }) };
		pending.push([counter++, promptId, prompt, extraData, ["9"]]);
		startNext();
		return { json: { prompt_id: promptId, number: counter - 1, node_errors: {} } };
	}

	function startNext(): void {
		if (running.length > 0) return;
		const item = pending.shift();
		if (!item) return;
		running.push(item);
		server.sendProgress("execution_start", { prompt_id: item[1] });
		if (isInstant) server.finish();
	}

	function end(status: "success" | "error", messages: [string, object][], outputs: object): void {
		const item = running.shift();
		if (!item) return;
		const [event, details] = messages.at(-1) ?? ["execution_success", {}];
		history[item[1]] = {
			prompt: item,
			outputs,
			status: {
				status_str: status,
				completed: status === "success",
				messages: [["execution_start", { prompt_id: item[1] }], ...messages],
			},
			meta: {},
		};
		server.sendProgress(event, { ...details, prompt_id: item[1] }, item);
		startNext();
	}

	function handle(request: FakeRequest): FakeResponse {
		const { method, path, query, headers } = request;
		// Rejects requests of pages of another origin.
		if (headers.origin !== undefined && headers.origin !== base.url) return { status: 403 };
		if (method === "POST" && path === "/prompt") return acceptPrompt(request);
		if (method === "GET" && path === "/queue") return { json: { queue_running: running, queue_pending: pending } };
		if (method === "POST" && path === "/queue") {
			const gone = (request.body["delete"] ?? []) as string[];
			pending.splice(0, pending.length, ...pending.filter(([, id]) => !gone.includes(id)));
			return {};
		}
		if (method === "POST" && path === "/interrupt") {
			const promptId = request.body["prompt_id"];
			const [, id] = running[0] ?? [];
			if (id === undefined || (promptId !== undefined && promptId !== id)) return {};
			interrupted.push(id);
			end("error", [["execution_interrupted", NODE]], {});
			return {};
		}
		if (method === "GET" && path.startsWith("/history/")) {
			const id = path.slice("/history/".length);
			return { json: id in history ? { [id]: history[id] } : {} };
		}
		if (method === "GET" && path === "/view") {
			const bytes = files.get(query.get("filename") ?? "");
			return bytes ? { bytes } : { status: 404 };
		}
		if (method === "POST" && path === "/upload/image") {
			const text = request.bytes.toString("latin1");
			const name = /name="image"; filename="([^"]+)"/.exec(text)?.[1] ?? "";
			const subfolder = /name="subfolder"\r\n\r\n([^\r]*)/.exec(text)?.[1] ?? "";
			uploads.push({ name, bytes: request.bytes });
			return { json: { name, subfolder, type: "input" } };
		}
		return { status: 404 };
	}

	const base = await openFakeServer(handle);
	const socketServer = new WebSocketServer(
		options.hasSocket === false ? { noServer: true } : { server: base.http, path: "/ws" },
	);
	socketServer.on("connection", (socket, { url = "" }) => {
		const clientId = new URL(url, "http://fake").searchParams.get("clientId") ?? "";
		sockets.set(clientId, socket);
		socket.on("close", () => sockets.delete(clientId));
		const status = { exec_info: { queue_remaining: pending.length + running.length } };
		socket.send(JSON.stringify({ type: "status", data: { status, sid: clientId } }));
	});
	onTestFinished(() => {
		for (const socket of socketServer.clients) socket.terminate();
		socketServer.close();
	});

	const server = {
		...base,
		running,
		pending,
		uploads,
		interrupted,
		files,
		outputs: { "9": { images: [{ filename: "ComfyUI_00001_.png", subfolder: "", type: "output" }] } } as Record<
			string,
			Record<string, unknown>
		>,
		finish: () => end("success", [["execution_success", {}]], server.outputs),
		fail(type: string, text: string) {
			const exception = { exception_type: type, exception_message: text, traceback: [] };
			end("error", [["execution_error", { ...NODE, ...exception, current_inputs: {} }]], {});
		},
		sendProgress(type: string, message: Record<string, unknown>, item = running[0]) {
			const socket = sockets.get(String(item?.[3]["client_id"]));
			socket?.send(JSON.stringify({ type, data: { prompt_id: item?.[1], ...message } }));
			// A preview image.
			socket?.send(Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xd8]));
		},
		forget() {
			running.length = 0;
			pending.length = 0;
			for (const id of Object.keys(history)) delete history[id];
		},
		async die() {
			for (const socket of socketServer.clients) socket.terminate();
			await base.die();
		},
		clients: () => sockets.size,
	};
	return server;
}

function invalid(type: string, message: string, nodeErrors: object): FakeResponse {
	return { status: 400, json: { error: { type, message, details: "", extra_info: {} }, node_errors: nodeErrors } };
}
