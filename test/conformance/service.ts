/** The service under test, as the rules see it. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { list, readDocument, record, type Json, type OpenApiDocument } from "./openapi-document.ts";

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** The JSON of the body; `undefined` where it is none. */
	readonly body: unknown;
}

export interface Asked {
	/** `null` sends none. */
	readonly key?: string | null;
	readonly json?: unknown;
	readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
	readonly headers?: Readonly<Record<string, string>>;
}

export interface Service {
	ask(method: string, path: string, more?: Asked): Promise<Answer>;
	/** A file by its whole address, without a key. */
	fetchFile(url: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
	/** What it says of itself; `undefined` where it publishes nothing. */
	readonly document: OpenApiDocument | undefined;
	/** An order that it should take. */
	readonly order: Json;
	/** One task for all rules: what is submitted is paid. */
	taken(): Promise<{ readonly taskId: string; readonly answer: Answer }>;
	/** That task's record, once it has ended. */
	ended(): Promise<Json>;
	/** A task of one rule alone, for what changes it. */
	submitted(): Promise<string>;
	endOf(taskId: string): Promise<Json>;
}

export interface ServiceOptions {
	readonly baseUrl: string;
	readonly key: string;
	/** Where the service does not list its models. */
	readonly model?: string | undefined;
	/** How long the task may take. */
	readonly waitMs: number;
	/** Between two reads of it. */
	readonly pauseMs: number;
}

const ANSWER_TIMEOUT_MS = 60_000;
const TOO_OFTEN_TRIES = 5;
const ENDED = /^(success|succeeded|completed?|done|finished|fail(ed|ure)?|error|cancell?ed|expired|timeout)$/i;

/** A rule that cannot be asked of this service. */
export class NotOffered extends Error {
	override readonly name = "NotOffered";
}

export async function visit(options: ServiceOptions): Promise<Service> {
	const { key, waitMs, pauseMs } = options;
	const base = options.baseUrl.replace(/\/+$/, "");

	async function ask(method: string, path: string, more: Asked = {}): Promise<Answer> {
		for (let tries = 1; ; tries++) {
			const answer = await askOnce(method, path, more);
			const waitSeconds = Number(answer.headers.get("retry-after"));
			if (answer.status !== 429 || !(waitSeconds > 0) || tries === TOO_OFTEN_TRIES) return answer;
			await sleep(waitSeconds * 1000);
		}
	}

	async function askOnce(method: string, path: string, { key: given, json, body, headers }: Asked): Promise<Answer> {
		const bearer = given === undefined ? key : given;
		const response = await fetch(base + path, {
			method,
			headers: {
				...(bearer !== null && { authorization: `Bearer ${bearer}` }),
				...(json !== undefined && { "content-type": "application/json" }),
				...headers,
			},
			...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body }),
			redirect: "manual",
			signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
		});
		const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
		const text = isStream ? await firstChunk(response) : await response.text();
		return { status: response.status, headers: response.headers, text, body: parsed(text) };
	}

	const published = await ask("GET", "/openapi.json");
	const isDocument = published.status === 200 && typeof record(published.body)["openapi"] === "string";
	const document = isDocument ? readDocument(record(published.body)) : undefined;
	const order = orderOf(document, options.model);

	let taken: Promise<{ taskId: string; answer: Answer }> | undefined;
	let ended: Promise<Json> | undefined;

	async function submit(): Promise<{ taskId: string; answer: Answer }> {
		const answer = await ask("POST", "/api/v1/generate", { json: order });
		const { taskId } = record(record(answer.body)["data"]);
		assert(
			typeof taskId === "string" && taskId !== "",
			`the submit that the other rules need was answered with ${answer.status} ${answer.text.slice(0, 300)}`,
		);
		return { taskId, answer };
	}

	async function endOf(taskId: string): Promise<Json> {
		for (const untilMs = performance.now() + waitMs; performance.now() < untilMs; await sleep(pauseMs)) {
			const answer = await ask("GET", `/api/v1/task/${encodeURIComponent(taskId)}?refresh=1`);
			const task = record(record(answer.body)["data"]);
			const word = task["status"] ?? task["state"];
			if (typeof word === "string" && ENDED.test(word)) return task;
		}
		return assert.fail(`the task had not ended after ${waitMs / 1000} s, or has no status in the words of this family`);
	}

	const service: Service = {
		ask,
		fetchFile: (url, headers = {}) => fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }),
		document,
		order,
		taken: () => (taken ??= submit()),
		ended: () => (ended ??= service.taken().then(({ taskId }) => endOf(taskId))),
		submitted: async () => (await submit()).taskId,
		endOf,
	};
	return service;
}

/** An order for an image, which is what the specification shows; the options are those that it names. */
function orderOf(document: OpenApiDocument | undefined, named: string | undefined): Json {
	const images = (document?.orders ?? []).map((each) => record(each["properties"]));
	const found = images.find(
		({ mediaType, model }) =>
			record(mediaType)["const"] === "image" && (named === undefined || record(model)["const"] === named),
	);
	const model = named ?? record(found?.["model"])["const"];
	if (typeof model !== "string") {
		throw new Error("this service does not list its models: name one that makes images, --model ID");
	}
	const known = record(record(found?.["options"])["properties"]);
	const options = found
		? Object.fromEntries(["aspect_ratio", "resolution"].flatMap((name) => firstWord(name, record(known[name]))))
		: { aspect_ratio: "1:1" };
	return { mediaType: "image", model, prompt: "a lighthouse in a storm", scene: "text-to-image", options };
}

function firstWord(name: string, schema: Json): readonly (readonly [string, unknown])[] {
	const [first] = list(schema["enum"]);
	return first === undefined ? [] : [[name, first]];
}

async function firstChunk(response: Response): Promise<string> {
	assert(response.body, "a stream has a body");
	const reader = response.body.getReader();
	const { value } = await reader.read();
	await reader.cancel();
	return new TextDecoder().decode(value);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
