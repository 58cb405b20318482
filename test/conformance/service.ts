/** The service under test, as the rules see it. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { PROFILES } from "@atelier/media-protocol/profiles";
import { parseTask, parseTaskId, type TaskReading } from "@atelier/media-protocol/parse-task";
import { parseJson, parseNestedJson } from "@atelier/media-protocol/parse-value";
import { list, readDocument, record, type Json, type OpenApiDocument } from "./openapi-document.ts";

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** The JSON of the body; `undefined` if it is not JSON. */
	readonly body: unknown;
}

export interface RequestOptions {
	/** The API key; `null` sends none. */
	readonly key?: string | null;
	readonly json?: unknown;
	readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
	readonly headers?: Readonly<Record<string, string>>;
}

export interface Service {
	send(method: string, path: string, options?: RequestOptions): Promise<Answer>;
	/** Fetches a file by its URL, without a key. */
	fetchFile(url: string): Promise<Response>;
	/** The service's OpenAPI document; `undefined` if it publishes none. */
	readonly document: OpenApiDocument | undefined;
	/** A generation request that the service should accept. */
	readonly request: Json;
	/** One task shared by all rules, because each submit is charged. */
	accepted(): Promise<{ readonly taskId: string; readonly answer: Answer }>;
	/** That task's record, once it has ended. */
	ended(): Promise<Json>;
	/** A task for a single rule that changes it. */
	submitted(): Promise<string>;
	endOf(taskId: string): Promise<Json>;
	/** The parsed record of a task; `undefined` without a state. */
	read(task: Json): TaskReading | undefined;
	/** The number of tasks that the service has accepted so far. */
	submittedTasks(): number;
}

export interface ServiceOptions {
	readonly baseUrl: string;
	readonly key: string;
	/** The model to use if the service does not list its models. */
	readonly model?: string | undefined;
	/** The time limit of a task. */
	readonly waitMs: number;
	/** The pause between two polls. */
	readonly pauseMs: number;
}

const GENERATE = "/api/v1/generate";
const ANSWER_TIMEOUT_MS = 60_000;
const RATE_LIMITED_ATTEMPTS_MAX = 5;

/** A rule that cannot be checked with this service. */
export class NotOfferedError extends Error {
	override readonly name = "NotOfferedError";
}

/** Deviations of the service where the specification leaves the behavior open. */
export class LeftOpenError extends Error {
	override readonly name = "LeftOpenError";
}

/** A missing response, which does not show whether the service conforms. */
export class NotReachableError extends Error {
	override readonly name = "NotReachableError";
}

export async function connectService(options: ServiceOptions): Promise<Service> {
	const { key, waitMs, pauseMs } = options;
	const base = options.baseUrl.replace(/\/+$/, "");

	async function send(method: string, path: string, requestOptions: RequestOptions = {}): Promise<Answer> {
		for (let tries = 1; ; tries++) {
			const answer = await sendOnce(method, path, requestOptions);
			const waitSeconds = Number(answer.headers.get("retry-after"));
			if (answer.status !== 429 || !(waitSeconds > 0) || tries === RATE_LIMITED_ATTEMPTS_MAX) return answer;
			await sleep(waitSeconds * 1000);
		}
	}

	async function sendOnce(
		method: string,
		path: string,
		{ key: given, json, body, headers }: RequestOptions,
	): Promise<Answer> {
		const bearer = given === undefined ? key : given;
		const request = {
			method,
			headers: {
				...(bearer !== null && { authorization: `Bearer ${bearer}` }),
				...(json !== undefined && { "content-type": "application/json" }),
				...headers,
			},
			...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body }),
			redirect: "manual",
			signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
		} as const;
		const response = await fetch(base + path, request).catch((error: unknown) => {
			throw new NotReachableError(`${method} ${path}: no answer (${causeOf(error)})`, { cause: error });
		});
		const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
		const text = isStream ? await firstChunk(response) : await response.text();
		const answer = { status: response.status, headers: response.headers, text, body: parsed(text) };
		if (method === "POST" && path === GENERATE) countTask(answer);
		return answer;
	}

	const submittedIds = new Set<string>();
	function countTask({ body }: Answer): void {
		const taskId = record(body)["code"] === 0 ? taskIdIn(body) : undefined;
		if (taskId !== undefined) submittedIds.add(taskId);
	}

	const published = await send("GET", "/openapi.json");
	const isDocument = published.status === 200 && typeof record(published.body)["openapi"] === "string";
	const document = isDocument ? readDocument(record(published.body)) : undefined;
	const request = requestOf(document, options.model);

	let accepted: Promise<{ taskId: string; answer: Answer }> | undefined;
	let ended: Promise<Json> | undefined;
	const reportedErrors = new WeakSet<Error>();
	const origin = new URL(base).origin;
	const read = (task: Json): TaskReading | undefined =>
		parseTask(task, { profile: PROFILES.specification, origin, request: { mediaType: "image", options: {} } });

	async function submit(): Promise<{ taskId: string; answer: Answer }> {
		const answer = await send("POST", GENERATE, { json: request });
		const taskId = taskIdIn(answer.body);
		assert(
			taskId !== undefined,
			`the submit that the other rules need received ${answer.status} ${answer.text.slice(0, 300)}`,
		);
		return { taskId, answer };
	}

	/** The same failure is reported once; the rules that depend on it are skipped. */
	async function reportOnce<T>(needed: Promise<T>): Promise<T> {
		try {
			return await needed;
		} catch (error) {
			if (!(error instanceof Error)) throw error;
			if (reportedErrors.has(error))
				throw new NotOfferedError("needs the task that could not be submitted or read, see above");
			reportedErrors.add(error);
			throw error;
		}
	}

	async function endOf(taskId: string): Promise<Json> {
		let isKnown = false;
		let stateName: string | undefined;
		for (const untilMs = performance.now() + waitMs; performance.now() < untilMs; await sleep(pauseMs)) {
			const answer = await send("GET", `/api/v1/task/${encodeURIComponent(taskId)}?refresh=1`);
			const task = record(parseNestedJson(record(answer.body)["data"]));
			const state = read(task)?.task;
			if (state && state.state !== "open") return task;
			isKnown = state !== undefined && state.phase !== "unknown";
			stateName = state?.word;
		}
		const after = `after ${waitMs / 1000} s`;
		if (isKnown) return assert.fail(`the task had not ended ${after}: it is ${stateName}`);
		const what = stateName === undefined ? "has no known state" : `has the unknown state ${stateName}`;
		throw new LeftOpenError(`the task ${what} ${after}; the specification leaves the states open`);
	}

	const service: Service = {
		send,
		fetchFile: (url) => fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }),
		document,
		request,
		accepted: () => reportOnce((accepted ??= submit())),
		ended: () => reportOnce((ended ??= service.accepted().then(({ taskId }) => endOf(taskId)))),
		submitted: async () => {
			await service.accepted();
			return (await submit()).taskId;
		},
		endOf,
		read,
		submittedTasks: () => submittedIds.size,
	};
	return service;
}

/** A generation request for an image, as the specification shows it; the options are those that it names. */
function requestOf(document: OpenApiDocument | undefined, named: string | undefined): Json {
	const requestFields = (document?.requestSchemas ?? []).map((each) => record(each["properties"]));
	const found = requestFields.find(
		({ mediaType, model }) =>
			record(mediaType)["const"] === "image" && (named === undefined || record(model)["const"] === named),
	);
	const model = named ?? record(found?.["model"])["const"];
	if (typeof model !== "string") {
		throw new Error("this service does not list its models: name an image model with --model ID");
	}
	const known = record(record(found?.["options"])["properties"]);
	const options = found
		? Object.fromEntries(["aspect_ratio", "resolution"].flatMap((name) => firstValue(name, record(known[name]))))
		: { aspect_ratio: "1:1" };
	return { mediaType: "image", model, prompt: "a lighthouse in a storm", scene: "text-to-image", options };
}

function firstValue(name: string, schema: Json): readonly (readonly [string, unknown])[] {
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

function taskIdIn(body: unknown): string | undefined {
	return parseTaskId(parseNestedJson(record(body)["data"]), PROFILES.specification);
}

function causeOf(error: unknown): string {
	const cause = error instanceof Error ? (error.cause ?? error) : error;
	return cause instanceof Error ? ("code" in cause ? String(cause.code) : cause.message) : String(cause);
}

function parsed(text: string): unknown {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
}
