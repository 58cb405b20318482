/**
 * A media service with the studio's API, and one model for each file. The bench ends each task with `end`, or all at their submit
 * with `endsAtOnce`. Polls return `processing` until then, also for tasks that were never submitted, such as those of pending-tasks.ts.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export interface ServedFile {
	/** The id of the model that generates the file. */
	readonly model: string;
	readonly mediaType: "image" | "video";
	readonly bytes: Uint8Array;
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

interface MediaServiceOptions {
	/** Ends each task at its submit; the default is false. */
	readonly endsAtOnce?: boolean;
}

export type MediaService = Awaited<ReturnType<typeof startMediaService>>;

const SECRET = `whsec_${Buffer.alloc(24, "bench").toString("base64")}`;

/** A clock with a resolution below a millisecond that all processes of this machine share. */
export function nowMs(): number {
	return performance.timeOrigin + performance.now();
}

export async function startMediaService(
	files: readonly ServedFile[],
	{ endsAtOnce = false }: MediaServiceOptions = {},
) {
	const fileOf = new Map(files.map((file) => [file.model, file]));
	const tasks = new Map<string, ServedTask>();
	const taskByPrompt = new Map<string, ServedTask>();
	const webhook = new Webhook(SECRET);
	let callbackOrigin: string | undefined;
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
		const taskId = `${model}.${tasks.size + 1}`;
		const task: ServedTask = { taskId, model, prompt, callbackPath, isDone: endsAtOnce };
		tasks.set(task.taskId, task);
		taskByPrompt.set(prompt, task);
		return { taskId };
	}

	function read(taskId: string, host: string | undefined): object {
		const task = tasks.get(taskId);
		if (!task) return { taskId, status: "processing" };
		if (task.isDone) task.reportedAtMs ??= nowMs();
		return recordOf(task, host);
	}

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { pathname } = new URL(request.url ?? "/", "http://service");
		const answer = (data: object): void => void response.end(JSON.stringify({ code: 0, message: "ok", data }));
		const [, taskId] = /^\/api\/v1\/task\/(.+)$/.exec(pathname) ?? [];
		const [, fileModel] = /^\/files\/(.+)$/.exec(pathname) ?? [];
		if (fileModel !== undefined) return void response.end(fileOf.get(fileModel)?.bytes);
		if (pathname === "/api/v1/generate") return answer(await submit(request));
		if (pathname === "/api/v1/models") return answer({ models });
		if (pathname === "/api/v1/callbacks/secret") return answer({ secret: SECRET });
		if (taskId !== undefined) return answer(read(decodeURIComponent(taskId), request.headers.host));
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
		/** Sends callbacks to the origin `to`, whatever the host of their URL; the bot reaches the files at `host`. */
		setCallbacks(to: string, host: string): void {
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
			const doneAtMs = nowMs();
			void sendCallback(task).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
			return doneAtMs;
		},
		/** Returns the time at which a poll first saw the result of the task with this prompt; `undefined` before. */
		reportedAtMs: (prompt: string): number | undefined => taskByPrompt.get(prompt)?.reportedAtMs,
		/** Returns the number of submitted tasks. */
		submits: (): number => tasks.size,
		async close(): Promise<void> {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}
