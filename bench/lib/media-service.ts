/** A media service with the studio's API. The bench ends each task; polls answer `processing` until then, and callbacks report the end. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export interface ServedFile {
	/** The id of the model that generates it. */
	readonly model: string;
	readonly mediaType: "image" | "video";
	readonly bytes: Buffer;
}

interface ServedTask {
	readonly taskId: string;
	readonly model: string;
	readonly prompt: string;
	readonly callbackPath: string | undefined;
	isDone: boolean;
	/** The time of the first response with the result. */
	reportedAtMs?: number;
}

export type MediaService = Awaited<ReturnType<typeof startMediaService>>;

const SECRET = `whsec_${Buffer.alloc(24, "bench").toString("base64")}`;

export async function startMediaService(files: readonly ServedFile[]) {
	const fileOf = new Map(files.map((file) => [file.model, file]));
	const tasks = new Map<string, ServedTask>();
	const taskByPrompt = new Map<string, ServedTask>();
	const webhook = new Webhook(SECRET);
	let callbackOrigin: string | undefined;
	let polls = 0;
	const models = files.map(({ model, mediaType }) => ({
		id: model,
		name: model,
		mediaType,
		scenes: [`text-to-${mediaType}`],
		price: { credits: 1, per: "output" },
	}));

	function recordOf({ taskId, model, isDone }: ServedTask, host: string | undefined): object {
		return isDone
			? { taskId, status: "success", outputs: [{ url: `http://${host}/files/${model}` }] }
			: { taskId, status: "processing" };
	}

	async function submit(request: IncomingMessage): Promise<object> {
		let text = "";
		for await (const chunk of request) text += String(chunk);
		const body = JSON.parse(text) as { model: string; prompt: string; callbackUrl?: string };
		const { model, prompt, callbackUrl } = body;
		const callbackPath = callbackUrl === undefined ? undefined : new URL(callbackUrl).pathname;
		const task: ServedTask = { taskId: `${model}.${tasks.size + 1}`, model, prompt, callbackPath, isDone: false };
		tasks.set(task.taskId, task);
		taskByPrompt.set(prompt, task);
		return { taskId: task.taskId };
	}

	function read(taskId: string, host: string | undefined): object {
		polls += 1;
		const task = tasks.get(taskId);
		if (!task) return {};
		if (task.isDone) task.reportedAtMs ??= Date.now();
		return recordOf(task, host);
	}

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { pathname } = new URL(request.url ?? "/", "http://service");
		const answer = (data: object): void => void response.end(JSON.stringify({ code: 0, message: "ok", data }));
		const [, name = "", , kind, id = ""] = pathname.split("/");
		if (name === "files") return void response.end(fileOf.get(pathname.split("/")[2] ?? "")?.bytes);
		if (pathname === "/api/v1/generate") return answer(await submit(request));
		if (pathname === "/api/v1/models") return answer({ models });
		if (pathname === "/api/v1/callbacks/secret") return answer({ secret: SECRET });
		if (kind === "task") return answer(read(decodeURIComponent(id), request.headers.host));
		response.writeHead(404).end();
	}

	async function sendCallback(task: ServedTask): Promise<void> {
		if (task.callbackPath === undefined || callbackOrigin === undefined) return;
		const body = JSON.stringify(recordOf(task, callbackHost()));
		const [messageId, sentAt] = [`msg_${task.taskId}`, new Date()];
		const headers = {
			"content-type": "application/json",
			"webhook-id": messageId,
			"webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
			"webhook-signature": webhook.sign(messageId, sentAt, body),
			// A connection of its own, like the studio's.
			connection: "close",
		};
		const response = await fetch(`${callbackOrigin}${task.callbackPath}`, { method: "POST", headers, body });
		if (!response.ok) throw new Error(`callback answered with ${response.status}`);
	}

	const server = createServer((request, response) => void handle(request, response));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	let callbackHost = (): string => new URL(origin).host;

	return {
		origin,
		/** Callbacks go to this origin, whatever the host of their URL; the bot reaches the files at `host`. */
		setCallbacks(to: string | undefined, host: string): void {
			callbackOrigin = to;
			callbackHost = () => host;
		},
		/** Returns whether the task with this prompt was submitted. */
		hasTask: (prompt: string): boolean => taskByPrompt.has(prompt),
		/** Ends the task with this prompt. Returns the time. */
		end(prompt: string): number {
			const task = taskByPrompt.get(prompt);
			if (!task) throw new Error(`no task: ${prompt}`);
			task.isDone = true;
			const doneAtMs = Date.now();
			void sendCallback(task).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
			return doneAtMs;
		},
		/** Returns the time at which a poll first saw the result of the task with this prompt. */
		reportedAtMs: (prompt: string): number | undefined => taskByPrompt.get(prompt)?.reportedAtMs,
		polls: (): number => polls,
		async close(): Promise<void> {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}
