import { z } from "zod";
import { describeJsonShape } from "@atelier/media-protocol/describe-json-shape";
import { PROFILE_NAMES, PROFILES, type MediaProfile } from "@atelier/media-protocol/profiles";
import { parseEnvelope, httpStatusOf } from "@atelier/media-protocol/parse-envelope";
import { parseSubmissionLookup } from "@atelier/media-protocol/parse-submission-lookup";
import { isModerationCode, parseTask, parseTaskId } from "@atelier/media-protocol/parse-task";
import { baseUrlOf, bodyOf, pathOf, type RequestTemplate } from "@atelier/media-protocol/request-template";
import { formFile } from "../media-format.ts";
import { collectFiles } from "./engine-outputs.ts";
import type { CatalogModel } from "./catalog-model.ts";
import type { EngineError } from "./engine.ts";
import { remoteSettings } from "./engine-kind.ts";
import {
	contentPolicyError,
	convertCallError,
	invalidRequestError,
	invalidResponseError,
	jobFailedError,
	noOutputError,
	toSubmitError,
} from "./job-errors.ts";
import type { JobAdapter, PollResult } from "./job-adapter.ts";
import { httpJobEngineKind, type JobContext } from "./http-job-engine.ts";
import {
	dataUri,
	encodeInputs,
	modelForScene,
	perScene,
	requestBody,
	requestMapping,
	setField,
	type OptionFields,
} from "./request-mapping.ts";
import { textAt, valueAt } from "../read-json.ts";
import { callFailedError, type CallFailedError, type ServiceClient } from "./http-client.ts";

interface MediaServiceJob {
	readonly remoteId: string;
}

const settings = z.strictObject({
	...remoteSettings,
	url: remoteSettings.url.transform(baseUrlOf),
	/** The profile of the service; `studio` for another Atelier. */
	profile: z.enum(PROFILE_NAMES).default("specification"),
});
const modelSettingsSchema = z.strictObject({
	...requestMapping,
	/** The model's name at the service, if it differs from the id. */
	model: perScene(z.string().min(1)).exactOptional(),
});

/** The response about a finished task may contain its file. */
const TASK_BYTES_MAX = 64 * 1024 * 1024;
const TOO_MANY_REQUESTS = 429;
/** Final failures of a studio that say nothing about the request. */
const STUDIO_FAULT_CODES = ["internal", "engine_unavailable"];

type ServiceCall = Parameters<ServiceClient["json"]>[1] & { readonly values?: Readonly<Record<string, string>> };

/**
 * One task of another service of the specification, parsed as tolerantly as the bot does. If the service lists tasks by
 * idempotency key, a submit without a response is looked up that way.
 */
function createJob(
	context: JobContext<z.infer<typeof settings>, z.infer<typeof modelSettingsSchema>>,
): JobAdapter<MediaServiceJob> {
	const { client, download, model, modelSettings, task } = context;
	const profile: MediaProfile = PROFILES[context.settings.profile];
	const { mediaType } = model;
	const { cancel, find } = profile;

	/** Returns the payload of a response. The code of the envelope takes precedence over the HTTP status. */
	function callService(template: RequestTemplate, call: ServiceCall) {
		return convertCallError(payloadOf(template, call), withEnvelopeStatus);
	}

	async function payloadOf(template: RequestTemplate, { values = {}, ...call }: ServiceCall) {
		const json = call.json ?? bodyOf(template, values);
		const options = { ...call, ...(json && { json }), method: template.method, bytesMax: TASK_BYTES_MAX };
		const { status, body } = await client.json(pathOf(template, values), options);
		const envelope = parseEnvelope(body, status, profile);
		if (envelope.kind === "success") return { ...envelope, status };
		throw envelope.kind === "invalid" ? invalidResponseError(status) : callFailedError(status, body);
	}

	/** Converts a failed call as if its HTTP status were the code of the envelope. */
	function withEnvelopeStatus(error: CallFailedError): CallFailedError {
		const envelope = parseEnvelope(error.body, error.status, profile);
		if (envelope.kind !== "rejection") return error;
		const isBusy = profile.busyCodes.includes(Number(envelope.code));
		const status = isBusy ? TOO_MANY_REQUESTS : httpStatusOf(envelope.code, error.status);
		return callFailedError(status, error.body, error.retryAfterMs);
	}

	function codeOf(error: CallFailedError): string | undefined {
		const envelope = parseEnvelope(error.body, error.status, profile);
		return envelope.kind === "rejection" ? envelope.code : undefined;
	}

	/** Returns the URL of an uploaded file, or a data URI if the service has no uploads. */
	async function encodeInput(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
		if (!profile.uploads) return await dataUri(bytes);
		const form = new FormData();
		form.append("file", await formFile(bytes, "input"));
		const url = textAt((await callService(profile.uploads, { signal, form })).payload, "url");
		if (url === undefined) throw jobFailedError("no_upload");
		return url;
	}

	function createBody(encoded: Awaited<ReturnType<typeof encodeInputs>>): object {
		const { requestPaths } = profile;
		const body = requestBody(model, modelSettings, task, requestPaths.prompt, encoded);
		setField(body, requestPaths.model, modelForScene(modelSettings.model ?? model.id, task.scene));
		if (requestPaths.mediaType !== undefined) setField(body, requestPaths.mediaType, mediaType);
		if (requestPaths.scene !== undefined) setField(body, requestPaths.scene, task.scene);
		return body;
	}

	async function submit(key: string, json: object): Promise<MediaServiceJob> {
		const call = { json, headers: { "idempotency-key": key } };
		const { payload, status } = await callService(profile.submit, call);
		const remoteId = parseTaskId(payload, profile);
		if (remoteId === undefined) throw invalidResponseError(status);
		return { remoteId };
	}

	/** Some services report a failed task by the code of a successful response. */
	function toPollError(error: CallFailedError): EngineError {
		const code = codeOf(error);
		if (isModerationCode(code ?? "")) return contentPolicyError();
		return profile.taskFailedCodes.includes(Number(code ?? "")) ? jobFailedError(code) : error;
	}

	function toTaskError(code: string, retryable: unknown): EngineError {
		if (isModerationCode(code)) return contentPolicyError();
		if (code === "invalid_input") return invalidRequestError(code);
		// A person canceled it at the service.
		if (code === "canceled") return jobFailedError(code, { retryable: false });
		// A studio has retried the task itself, where that makes sense; another engine can still run what it cannot.
		const isFinal = profile.name === "studio" && retryable === false && !STUDIO_FAULT_CODES.includes(code);
		return jobFailedError(code, { retryable: !isFinal });
	}

	return {
		async prepareSubmit(signal) {
			const json = createBody(await encodeInputs(task, (bytes) => encodeInput(bytes, signal)));
			return (key) => submit(key, json);
		},
		toSubmitError(error) {
			const code = codeOf(error);
			// A service that returns a task id has accepted the task, whatever its code says.
			if (parseTaskId(valueAt(error.body, "data"), profile) !== undefined) return invalidResponseError(error.status);
			const isContentRejection = error.code === "invalid_input" && isModerationCode(code ?? "");
			return isContentRejection ? contentPolicyError() : toSubmitError(context, error, code);
		},
		...(find && {
			async lookUp(key, signal) {
				const { payload } = await callService(find, { signal, values: { key } });
				const lookup = parseSubmissionLookup(payload, key, profile);
				if (lookup?.kind === "absent") return undefined;
				return lookup?.kind === "found" ? { remoteId: lookup.remoteId } : "cannot_tell";
			},
		}),
		async poll({ remoteId }, signal): Promise<PollResult> {
			const response = callService(profile.read, { signal, values: { taskId: remoteId } });
			const { payload, path, status } = await convertCallError(response, toPollError);
			const request = { mediaType, options: task.options };
			const remoteTask = parseTask(payload, { profile, origin: client.origin, path, request })?.task;
			if (!remoteTask) throw invalidResponseError(status);
			switch (remoteTask.state) {
				case "open":
					return {
						kind: "open",
						progressPercent: remoteTask.progressPercent ?? undefined,
						queuePosition: remoteTask.queuePosition ?? undefined,
						waitMs: remoteTask.pollAgainAfterMs ?? undefined,
					};
				case "failed":
					throw toTaskError(remoteTask.code, valueAt(payload, "error", "retryable"));
				case "success": {
					const files = remoteTask.outputs;
					if (files.length > 0) {
						return { kind: "done", collect: (stop) => collectFiles(files, { download, mediaType }, stop) };
					}
					return { kind: "missing", error: noOutputError(), shape: describeJsonShape(payload) };
				}
			}
		},
		...(cancel && {
			async cancel({ remoteId }, signal) {
				await client.json(pathOf(cancel, { taskId: remoteId }), { method: cancel.method, signal });
			},
		}),
	};
}

/** Maps every option to the service's field. */
function defaultFields(model: CatalogModel, profile: z.infer<typeof settings>["profile"]): OptionFields {
	const { requestPaths, optionNames }: MediaProfile = PROFILES[profile];
	const fieldOf = (option: string): string => `${requestPaths.options}.${optionNames[option] ?? option}`;
	return Object.fromEntries(
		Object.entries(model.options).map(([option, { type }]) => [
			option,
			type === "array" ? { field: fieldOf(option), as: "list" as const } : fieldOf(option),
		]),
	);
}

/** Another service of the specification, such as an Atelier with better hardware. */
export const mediaServiceKind = httpJobEngineKind({
	kind: "media-service",
	settings,
	modelSettings: modelSettingsSchema,
	isPaid: true,
	requiredSecret: "a key of the service",
	headers(secret = "", { profile }) {
		const { header, prefix } = PROFILES[profile].auth;
		return { [header]: prefix + secret, accept: "application/json" };
	},
	defaultFields: (model, { profile }) => defaultFields(model, profile),
	createJob,
});
