/**
 * How services of the family differ from each other, as data: what is sent where, and what their own words mean. What
 * they have in common, and every other tolerance, is in the readers beside this.
 *
 * Only `specification` and `studio` are documented in full. The others follow what their vendors and their users publish.
 */
import type { RequestShape } from "./request-template.ts";
import type { StateMeaning } from "./state-map.ts";

/** Where each part of an order stands in the body of a submit; dots lead into objects. What has no place is not sent. */
interface OrderPlaces {
	readonly mediaType?: string;
	readonly model: string;
	readonly prompt: string;
	readonly scene?: string;
	/** Where the service is to tell that the task has ended. */
	readonly callbackUrl?: string;
	/** The options are laid into the object there; the body itself where this is empty. */
	readonly options: string;
}

export interface MediaProfile {
	readonly name: string;
	readonly auth: { readonly header: string; readonly before: string };
	/** The values of `code` that mean success. */
	readonly successCodes: readonly (number | string)[];
	/** Beside 429 and 503: values of `code` that ask for patience. */
	readonly busyCodes: readonly number[];
	/** Values of `code` by which the answer to a read says that the task itself has failed. */
	readonly taskFailedCodes: readonly number[];
	/** Whether a submit that is repeated with the same `Idempotency-Key` makes nothing twice. */
	readonly honoursIdempotencyKey: boolean;
	/** The names of a task's id, the best first. */
	readonly taskIdNames: readonly string[];
	/** State words that this service uses in another sense than the rest, or that are numbers. */
	readonly words: Readonly<Record<string, StateMeaning>>;
	/** What options are called there, where it is not as in the specification. */
	readonly optionNames: Readonly<Record<string, string>>;
	readonly orderPlaces: OrderPlaces;
	readonly submit: RequestShape;
	readonly read: RequestShape;
	/** What is left away does not exist there, and is not asked for. */
	readonly cancel?: RequestShape;
	/** Lists the tasks of one idempotency key. Only for a service that filters by it, or another's task would be found. */
	readonly find?: RequestShape;
	/** Takes a file to start from as a multipart form, and answers with its `url`. */
	readonly uploads?: RequestShape;
	readonly models?: RequestShape;
	readonly credits?: RequestShape;
	/** Takes the body of a submit, and makes nothing. */
	readonly quote?: RequestShape;
}

/** What the specification states. */
const stated: MediaProfile = {
	name: "specification",
	auth: { header: "authorization", before: "Bearer " },
	successCodes: [0],
	busyCodes: [],
	taskFailedCodes: [],
	honoursIdempotencyKey: false,
	taskIdNames: ["taskId", "task_id", "id"],
	words: {},
	optionNames: {},
	orderPlaces: { mediaType: "mediaType", model: "model", prompt: "prompt", scene: "scene", options: "options" },
	submit: { method: "POST", path: "/api/v1/generate" },
	read: { method: "GET", path: "/api/v1/task/{taskId}?refresh=1" },
};

/**
 * Beyond what is stated, what can be tried without harm: a service that has no models, cancel, credits or quote answers
 * 404, which is understood. Nothing is said of idempotency keys, so none is relied on.
 */
const specification: MediaProfile = {
	...stated,
	cancel: { method: "POST", path: "/api/v1/task/{taskId}/cancel" },
	models: { method: "GET", path: "/api/v1/models" },
	credits: { method: "GET", path: "/api/v1/credits" },
	quote: { method: "POST", path: "/api/v1/credits/quote" },
};

/** The studio of any Atelier, built in or somewhere else. */
const studio: MediaProfile = {
	...specification,
	name: "studio",
	orderPlaces: { ...stated.orderPlaces, callbackUrl: "callbackUrl" },
	honoursIdempotencyKey: true,
	find: { method: "GET", path: "/api/v1/tasks?idempotencyKey={key}" },
	uploads: { method: "POST", path: "/api/v1/uploads" },
};

/** Sites made from the ShipAny template. Their rows carry the public `id` beside a `taskId` that is the provider's. */
const shipany: MediaProfile = {
	...stated,
	name: "shipany",
	taskIdNames: ["id", "taskId"],
	submit: { method: "POST", path: "/api/ai/generate" },
	read: { method: "POST", path: "/api/ai/query", body: { taskId: "{taskId}" } },
};

/** The jobs API of kie.ai, whose code follows HTTP: 455 is maintenance, 501 a generation that failed. */
const kie: MediaProfile = {
	...stated,
	name: "kie",
	successCodes: [200],
	busyCodes: [455],
	taskFailedCodes: [501],
	words: { "0": "running", "1": "success", "2": "failed", "3": "failed" },
	optionNames: { image_input: "image_urls" },
	orderPlaces: { model: "model", prompt: "input.prompt", options: "input", callbackUrl: "callBackUrl" },
	submit: { method: "POST", path: "/api/v1/jobs/createTask" },
	read: { method: "GET", path: "/api/v1/jobs/recordInfo?taskId={taskId}" },
	credits: { method: "GET", path: "/api/v1/chat/credit" },
};

/** PiAPI. It cancels a task only while that is pending. */
const piapi: MediaProfile = {
	...stated,
	name: "piapi",
	auth: { header: "x-api-key", before: "" },
	successCodes: [200],
	taskIdNames: ["task_id", "taskId", "id"],
	orderPlaces: { model: "model", prompt: "input.prompt", scene: "task_type", options: "input" },
	submit: { method: "POST", path: "/api/v1/task" },
	read: { method: "GET", path: "/api/v1/task/{taskId}" },
	cancel: { method: "DELETE", path: "/api/v1/task/{taskId}" },
};

/** ACE-Step's own server: music on hardware of one's own. It makes two pieces where nobody says one. */
const acestep: MediaProfile = {
	...stated,
	name: "acestep",
	successCodes: [200],
	taskIdNames: ["task_id"],
	words: { "0": "running", "1": "success", "2": "failed" },
	optionNames: { duration: "audio_duration", output_format: "audio_format" },
	orderPlaces: { model: "model", prompt: "prompt", options: "" },
	submit: { method: "POST", path: "/release_task", body: { batch_size: 1, audio_format: "mp3" } },
	read: { method: "POST", path: "/query_result", body: { task_id_list: ["{taskId}"] } },
};

export const PROFILES = { specification, studio, shipany, kie, piapi, acestep } as const;
export type ProfileName = keyof typeof PROFILES;
export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[];
