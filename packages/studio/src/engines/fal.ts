import { z } from "zod";
import { describeJsonShape } from "@atelier/media-protocol/describe-json-shape";
import { collectFiles, type RemoteFile } from "./engine-outputs.ts";
import type { EngineError } from "./engine.ts";
import { remoteSettings } from "./engine-kind.ts";
import {
	contentPolicyError,
	convertCallError,
	invalidRequestError,
	invalidResponseError,
	isOperatorError,
	isUnknownJob,
	jobFailedError,
	noOutputError,
	toSubmitError,
} from "./job-errors.ts";
import type { JobAdapter, PollResult } from "./job-adapter.ts";
import { httpJobEngineKind, type JobContext } from "./http-job-engine.ts";
import { dataUri, hostedMapping, encodeInputs, modelForScene, promptField, requestBody } from "./request-mapping.ts";
import { listAt, numberAt, textAt, valueAt } from "../read-json.ts";
import type { CallFailedError } from "./http-client.ts";

/** The URLs of a job. All have the service's origin, because every request sends the API key. */
interface FalJob {
	readonly status: string;
	readonly response: string;
	readonly cancel: string;
}

const modelSettingsSchema = z.strictObject(
	hostedMapping(
		z.string().regex(/^[\w-]+(\/[\w.-]+)+$/, { error: "expected the name of a model, such as fal-ai/flux/dev" }),
	),
);

/** A result may contain its file as a data URI. */
const RESULT_BYTES_MAX = 64 * 1024 * 1024;
/** Failures of the machine, not of the request. */
const TRANSIENT_ERROR_TYPES =
	/^(request_timeout|startup_timeout|runner_|internal_|generation_timeout|downstream_service_)/;
const REQUEST_ID = /^[\w-]{1,100}$/;

/** One request in fal's queue, which supports no lookup without its id. */
function createJob(context: JobContext<unknown, z.infer<typeof modelSettingsSchema>>): JobAdapter<FalJob> {
	const { client, download, model, modelSettings, task } = context;
	const { mediaType } = model;
	const endpoint = modelForScene(modelSettings.model, task.scene);

	/** Uses fal's URLs if they are at its origin, and the documented ones otherwise. */
	function jobOf(body: unknown, id: string): FalJob {
		const [owner = "", app = ""] = endpoint.split("/");
		const documentedPath = `/${owner}/${app}/requests/${id}`;
		return {
			status: sameOriginUrl(textAt(body, "status_url"), client.origin) ?? `${documentedPath}/status`,
			response: sameOriginUrl(textAt(body, "response_url"), client.origin) ?? documentedPath,
			cancel: sameOriginUrl(textAt(body, "cancel_url"), client.origin) ?? `${documentedPath}/cancel`,
		};
	}

	/** A failed request is also "completed": only its result shows the failure. */
	async function readResult(job: FalJob, signal: AbortSignal): Promise<PollResult> {
		const response = client.json(job.response, { signal, bytesMax: RESULT_BYTES_MAX });
		const { body } = await convertCallError(response, toResultError);
		const files = filesOf(body);
		if (files.length === 0) {
			if (hasHiddenFile(body)) throw contentPolicyError();
			return { kind: "missing", error: noOutputError(), shape: describeJsonShape(body) };
		}
		return { kind: "done", collect: (stop) => collectFiles(files, { download, mediaType }, stop) };
	}

	async function submit(json: object): Promise<FalJob> {
		const { body, status } = await client.json(`/${endpoint}`, { method: "POST", json });
		const id = textAt(body, "request_id");
		if (id === undefined || !REQUEST_ID.test(id)) throw invalidResponseError(status);
		return jobOf(body, id);
	}

	return {
		async prepareSubmit() {
			const encoded = await encodeInputs(task, dataUri);
			const json = requestBody(model, modelSettings, task, promptField(modelSettings, task), encoded);
			return () => submit(json);
		},
		toSubmitError(error) {
			if (error.code === "invalid_input") return toRequestError(error.body);
			return toSubmitError(context, error, errorTypeOf(error.body));
		},
		async poll(job, signal) {
			const { body } = await client.json(job.status, { signal });
			if (textAt(body, "status") === "COMPLETED") return await readResult(job, signal);
			const jobsAhead = numberAt(body, "queue_position");
			const queuePosition = jobsAhead === undefined ? undefined : jobsAhead + 1;
			return { kind: "open", queuePosition };
		},
		async cancel(job, signal) {
			await client.json(job.cancel, { method: "PUT", signal });
		},
	};
}

/** Maps the error response of the result's URL. An error without a type comes from the queue and may be temporary. */
function toResultError(error: CallFailedError): EngineError {
	const type = errorTypeOf(error.body);
	if (isUnknownJob(error) || (type === undefined && (error.retryable || isOperatorError(error)))) return error;
	if (type !== undefined && TRANSIENT_ERROR_TYPES.test(type)) return jobFailedError(type);
	return error.status >= 500 ? jobFailedError(type) : toRequestError(error.body);
}

/** Maps an error that the request caused. */
function toRequestError(body: unknown): EngineError {
	const type = errorTypeOf(body);
	if (type === "content_policy_violation") return contentPolicyError();
	return type === "no_media_generated" ? noOutputError() : invalidRequestError(type);
}

/** `{detail: [{type, loc, msg}]}` from a model, `{detail, error_type}` from the platform. */
function errorTypeOf(body: unknown): string | undefined {
	return textAt(body, "error_type") ?? textAt(listAt(body, "detail")[0], "type");
}

/** Files are under the name of the media type: one or several, objects or URLs. */
function filesOf(body: unknown): readonly RemoteFile[] {
	const hiddenFlags = listAt(body, "has_nsfw_concepts");
	const found = ["images", "videos", "audios", "image", "video", "audio", "audio_file"].flatMap((name) => {
		const value = valueAt(body, name);
		return value === undefined ? [] : Array.isArray(value) ? value : [value];
	});
	const seed = numberAt(body, "seed") ?? null;
	return found.flatMap((each, index) => {
		const url = typeof each === "string" ? each : textAt(each, "url");
		return url === undefined || hiddenFlags[index] === true ? [] : [{ url, seed }];
	});
}

function hasHiddenFile(body: unknown): boolean {
	return listAt(body, "has_nsfw_concepts").includes(true);
}

function sameOriginUrl(url: string | undefined, origin: string): string | undefined {
	return url !== undefined && URL.parse(url)?.origin === origin ? url : undefined;
}

/** fal: images, videos and music, pay per use. */
export const falKind = httpJobEngineKind({
	kind: "fal",
	settings: z.strictObject({ ...remoteSettings, url: remoteSettings.url.default("https://queue.fal.run") }),
	modelSettings: modelSettingsSchema,
	isPaid: true,
	requiredSecret: "a key of fal",
	headers: (key = "") => ({ authorization: `Key ${key}` }),
	createJob,
});
