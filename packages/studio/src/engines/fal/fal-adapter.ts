import assert from "node:assert/strict";
import { collectFiles, type MadeFile } from "../collect-files.ts";
import type { EngineTask } from "../engine.ts";
import { promptOf, type HostedDeps, type HostedOrder } from "../hosted-models.ts";
import {
	failedJob,
	isOperatorsFault,
	lostJob,
	madeNothing,
	operatorsFault,
	orLost,
	refusedForContent,
	refusedOrder,
	unreadableOrder,
} from "../job-faults.ts";
import { LOOK_EVERY_MS } from "../job-engine.ts";
import type { JobService, Look } from "../job-runner.ts";
import { dataUri, ofScene, orderBody } from "../request-mapping.ts";
import { isObject, listAt, numberAt, textAt, valueAt } from "../read-json.ts";
import { CallFailedError } from "../http-client.ts";

/** The URLs of a job, below the service's URL, because requests carry the key. */
export interface FalJob {
	readonly status: string;
	readonly response: string;
	readonly cancel: string;
}

/** A result may contain its file as a data URI. */
const RESULT_BYTES_MAX = 64 * 1024 * 1024;
/** Faults of the machine, not of the request. */
const PASSING = /^(request_timeout|startup_timeout|runner_|internal_|generation_timeout|downstream_service_)/;
const REQUEST_ID = /^[\w-]{1,100}$/;

/** One request in fal's queue. fal supports no lookup without an id. */
export function falJob(deps: HostedDeps, order: HostedOrder, task: EngineTask): JobService<FalJob> {
	const { caller, download, logger } = deps;
	const { mediaType } = order.model;
	const endpoint = ofScene(order.named, task.scene);

	/** Uses fal's URLs if they are at its origin, and the documented ones otherwise. */
	function jobOf(body: unknown, id: string): FalJob {
		assert(endpoint !== undefined);
		const [owner = "", app = ""] = endpoint.split("/");
		const own = `/${owner}/${app}/requests/${id}`;
		return {
			status: localAddress(textAt(body, "status_url"), caller.origin) ?? `${own}/status`,
			response: localAddress(textAt(body, "response_url"), caller.origin) ?? own,
			cancel: localAddress(textAt(body, "cancel_url"), caller.origin) ?? `${own}/cancel`,
		};
	}

	/** A failed request is also "completed": only its result shows the failure. */
	async function done(job: FalJob, signal: AbortSignal): Promise<Look> {
		const { body } = await caller.json(job.response, { signal, bytesMax: RESULT_BYTES_MAX }).catch((error: unknown) => {
			throw error instanceof CallFailedError ? endOf(error) : error;
		});
		const files = filesOf(body);
		if (files.length === 0) throw wasHidden(body) ? refusedForContent() : madeNothing();
		return { kind: "done", collect: (until) => collectFiles(files, { download, mediaType }, until) };
	}

	return {
		async submit(_key, signal) {
			const media = await Promise.all(task.inputs.map(dataUri));
			try {
				const json = orderBody({ ...order, media, prompt: promptOf(order, task) }, order.model, task);
				const { body, status } = await caller.json(`/${endpoint}`, { method: "POST", json, signal });
				const id = textAt(body, "request_id");
				if (id === undefined || !REQUEST_ID.test(id)) throw unreadableOrder(status);
				return jobOf(body, id);
			} catch (error) {
				if (!(error instanceof CallFailedError)) throw error;
				if (isOperatorsFault(error)) throw operatorsFault(logger, deps.name, error, typeOf(error.body));
				throw error.code === "invalid_input" ? refusalOf(error.body) : error;
			}
		},
		async look(job, signal) {
			const { body } = await orLost(caller.json(job.status, { signal }));
			if (textAt(body, "status") === "COMPLETED") return await done(job, signal);
			const ahead = numberAt(body, "queue_position");
			const queuePosition = ahead === undefined ? undefined : ahead + 1;
			return { kind: "open", queuePosition, lookAgainMs: LOOK_EVERY_MS[mediaType] };
		},
		async cancel(job, signal) {
			await caller.json(job.cancel, { method: "PUT", signal });
		},
	};
}

/** Converts an error instead of a result. An error without a type comes from the queue and may be temporary. */
function endOf(error: CallFailedError): Error {
	const type = typeOf(error.body);
	if (error.status === 404 || error.status === 410) return lostJob();
	if (type === undefined && (error.retryable || isOperatorsFault(error))) return error;
	if (type !== undefined && PASSING.test(type)) return failedJob(type);
	return error.status >= 500 ? failedJob(type) : refusalOf(error.body);
}

function refusalOf(body: unknown): Error {
	const type = typeOf(body);
	if (type === "content_policy_violation") return refusedForContent();
	return type === "no_media_generated" ? madeNothing() : refusedOrder(type);
}

/** `{detail: [{type, loc, msg}]}` from a model, `{detail, error_type}` from the platform. */
function typeOf(body: unknown): string | undefined {
	return textAt(body, "error_type") ?? textAt(listAt(body, "detail")[0], "type");
}

/** Files are under the name of the media type: one or several, objects or URLs. */
function filesOf(body: unknown): readonly MadeFile[] {
	const hidden = listAt(body, "has_nsfw_concepts");
	const found = ["images", "videos", "audios", "image", "video", "audio", "audio_file"].flatMap((name) => {
		const value = valueAt(body, name);
		return value === undefined ? [] : Array.isArray(value) ? value : [value];
	});
	const seed = numberAt(body, "seed") ?? null;
	return found.flatMap((each, index) => {
		const url = typeof each === "string" ? each : textAt(each, "url");
		return url === undefined || hidden[index] === true ? [] : [{ url, seed }];
	});
}

function wasHidden(body: unknown): boolean {
	return isObject(body) && listAt(body, "has_nsfw_concepts").includes(true);
}

function localAddress(url: string | undefined, origin: string): string | undefined {
	return url !== undefined && URL.parse(url)?.origin === origin ? url : undefined;
}
