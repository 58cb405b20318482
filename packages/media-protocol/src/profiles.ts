/**
 * The differences between media generation services, as data: their requests and the meanings of their state words. The
 * parsers beside this file handle the rest. Only `specification` and `studio` are fully documented; the others follow
 * documents of vendors and reports of users.
 */
import type { RequestTemplate } from "./request-template.ts";
import type { StateMeaning } from "./state-map.ts";

/** Paths of the request's fields in the body of a submit, separated by dots. Fields without a path are not sent. */
interface RequestFields {
	readonly mediaType?: string;
	readonly model: string;
	readonly prompt: string;
	readonly scene?: string;
	/** The URL that the service calls at the end of the task. */
	readonly callbackUrl?: string;
	readonly options: string;
}

export interface MediaProfile {
	readonly name: string;
	/** The header with the API key, and the text before the key. */
	readonly auth: { readonly header: string; readonly prefix: string };
	/** Values of `code` that mean success. */
	readonly successCodes: readonly (number | string)[];
	/** Values of `code` that mean a retry later, beside 429 and 503. */
	readonly busyCodes: readonly number[];
	/** Values of `code` by which the response to a poll reports a failed task. */
	readonly taskFailedCodes: readonly number[];
	/** Field names of a task's id, best first. */
	readonly taskIdNames: readonly string[];
	/** Meanings of state words and numbers that differ from `state-map.ts`. */
	readonly words: Readonly<Record<string, StateMeaning>>;
	/** Option names that differ from the specification. */
	readonly optionNames: Readonly<Record<string, string>>;
	readonly requestPaths: RequestFields;
	readonly submit: RequestTemplate;
	readonly read: RequestTemplate;
	/** The service lacks an operation without a template. */
	readonly cancel?: RequestTemplate;
	/**
	 * Lists the tasks of one idempotency key. Only for services that filter by it, and run a repeated submit with the same
	 * `Idempotency-Key` once: the bot repeats submits whose response was lost.
	 */
	readonly find?: RequestTemplate;
	/** Accepts an input file as multipart form, and returns its `url`. */
	readonly uploads?: RequestTemplate;
	/** Returns the `secret` that signs callbacks as Standard Webhooks. Callbacks of a service without it are not used. */
	readonly callbackSecret?: RequestTemplate;
	readonly models?: RequestTemplate;
	readonly credits?: RequestTemplate;
	/** Accepts the body of a submit, and generates nothing. */
	readonly quote?: RequestTemplate;
}

/** The operations that the specification requires. */
const minimal: MediaProfile = {
	name: "specification",
	auth: { header: "authorization", prefix: "Bearer " },
	successCodes: [0],
	busyCodes: [],
	taskFailedCodes: [],
	taskIdNames: ["taskId", "task_id", "id"],
	words: {},
	optionNames: {},
	requestPaths: { mediaType: "mediaType", model: "model", prompt: "prompt", scene: "scene", options: "options" },
	submit: { method: "POST", path: "/api/v1/generate" },
	read: { method: "GET", path: "/api/v1/task/{taskId}?refresh=1" },
};

/**
 * Adds optional operations: a service without them responds with 404, which the callers handle. The specification has no
 * idempotency keys, so the bot does not rely on them.
 */
const specification: MediaProfile = {
	...minimal,
	cancel: { method: "POST", path: "/api/v1/task/{taskId}/cancel" },
	models: { method: "GET", path: "/api/v1/models" },
	credits: { method: "GET", path: "/api/v1/credits" },
	quote: { method: "POST", path: "/api/v1/credits/quote" },
};

/** The studio of Atelier, built in or remote. */
const studio: MediaProfile = {
	...specification,
	name: "studio",
	requestPaths: { ...minimal.requestPaths, callbackUrl: "callbackUrl" },
	find: { method: "GET", path: "/api/v1/tasks?idempotencyKey={key}" },
	uploads: { method: "POST", path: "/api/v1/uploads" },
	callbackSecret: { method: "GET", path: "/api/v1/callbacks/secret" },
};

/** Sites built from the ShipAny template. Their records have the public `id` beside the provider's `taskId`. */
const shipany: MediaProfile = {
	...minimal,
	name: "shipany",
	taskIdNames: ["id", "taskId"],
	submit: { method: "POST", path: "/api/ai/generate" },
	read: { method: "POST", path: "/api/ai/query", body: { taskId: "{taskId}" } },
};

/** The jobs API of kie.ai, whose codes follow HTTP: 455 is maintenance, 501 a failed generation. */
const kie: MediaProfile = {
	...minimal,
	name: "kie",
	successCodes: [200],
	busyCodes: [455],
	taskFailedCodes: [501],
	words: { "0": "running", "1": "success", "2": "failed", "3": "failed" },
	optionNames: { image_input: "image_urls" },
	requestPaths: { model: "model", prompt: "input.prompt", options: "input" },
	submit: { method: "POST", path: "/api/v1/jobs/createTask" },
	read: { method: "GET", path: "/api/v1/jobs/recordInfo?taskId={taskId}" },
	credits: { method: "GET", path: "/api/v1/chat/credit" },
};

/** PiAPI. It cancels pending tasks only. */
const piapi: MediaProfile = {
	...minimal,
	name: "piapi",
	auth: { header: "x-api-key", prefix: "" },
	successCodes: [200],
	taskIdNames: ["task_id", "taskId", "id"],
	requestPaths: { model: "model", prompt: "input.prompt", scene: "task_type", options: "input" },
	submit: { method: "POST", path: "/api/v1/task" },
	read: { method: "GET", path: "/api/v1/task/{taskId}" },
	cancel: { method: "DELETE", path: "/api/v1/task/{taskId}" },
};

export const PROFILES = { specification, studio, shipany, kie, piapi } as const;
export type ProfileName = keyof typeof PROFILES;
export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[];
