import { z } from "zod";
import { describeJsonShape } from "@atelier/media-protocol/describe-json-shape";
import { isObject } from "@atelier/media-protocol/parse-value";
import { formFile } from "../media-format.ts";
import { collectFiles } from "./engine-outputs.ts";
import type { EngineError } from "./engine.ts";
import { remoteSettings } from "./engine-kind.ts";
import {
	contentPolicyError,
	invalidResponseError,
	jobFailedError,
	jobLostError,
	noOutputError,
	toSubmitError,
} from "./job-errors.ts";
import type { JobAdapter, PollResult } from "./job-adapter.ts";
import { httpJobEngineKind, type JobContext } from "./http-job-engine.ts";
import { dataUri, hostedMapping, encodeInputs, modelForScene, promptField, requestBody } from "./request-mapping.ts";
import { textAt, valueAt } from "../read-json.ts";
import { bearer, CallFailedError } from "./http-client.ts";

interface ReplicateJob {
	readonly id: string;
}

const modelSettingsSchema = z.strictObject(
	hostedMapping(
		z.string().regex(/^[\w.-]+\/[\w.-]+(:[0-9a-f]{64})?$/, {
			error: "expected the name of a model, such as black-forest-labs/flux-schnell, or with its version after a colon",
		}),
	),
);

/** Larger files are uploaded first. */
const DATA_URI_BYTES_MAX = 256 * 1024;
/** A prediction contains its log, and may contain its file as a data URI. */
const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;
const CONTENT = /nsfw|flagged as sensitive|\(E005\)/i;
const CODE = /\b(E\d{4})\b/;

/** One prediction of Replicate, which supports neither lookups without an id nor idempotency keys. */
function createJob(context: JobContext<unknown, z.infer<typeof modelSettingsSchema>>): JobAdapter<ReplicateJob> {
	const { client, download, model, modelSettings, task } = context;
	const { mediaType } = model;

	/** Returns a data URI, or the URL of an uploaded file. */
	async function encodeInput(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
		if (bytes.byteLength <= DATA_URI_BYTES_MAX) return await dataUri(bytes);
		const form = new FormData();
		form.append("content", await formFile(bytes, "input"));
		const { body } = await client.json("/files", { method: "POST", form, signal });
		const url = textAt(body, "urls", "get");
		if (url === undefined) throw jobFailedError("no_upload");
		return url;
	}

	function donePollResult(output: unknown): PollResult {
		const files = urlsIn(output).map((url) => ({ url }));
		if (files.length === 0) return { kind: "missing", error: noOutputError(), shape: describeJsonShape(output) };
		return { kind: "done", collect: (signal) => collectFiles(files, { download, mediaType }, signal) };
	}

	async function submit(input: object): Promise<ReplicateJob> {
		const [name, version] = modelForScene(modelSettings.model, task.scene).split(":");
		const [path, json] =
			version === undefined ? [`/models/${name}/predictions`, { input }] : ["/predictions", { version, input }];
		const { body, status } = await client.json(path, { method: "POST", json });
		const id = textAt(body, "id");
		if (id === undefined) throw invalidResponseError(status);
		return { id };
	}

	return {
		async prepareSubmit(signal) {
			const encoded = await encodeInputs(task, (bytes) => encodeInput(bytes, signal));
			const input = requestBody(model, modelSettings, task, promptField(modelSettings, task), encoded);
			return () => submit(input);
		},
		toSubmitError: (error) =>
			error.status === 429 ? throttledError(error) : toSubmitError(context, error, `http_${error.status}`),
		async poll({ id }, signal) {
			const path = `/predictions/${encodeURIComponent(id)}`;
			const { body } = await client.json(path, { signal, bytesMax: RESPONSE_BYTES_MAX });
			switch (textAt(body, "status") ?? "") {
				case "succeeded":
					if (valueAt(body, "data_removed") === true) throw jobLostError();
					return donePollResult(valueAt(body, "output"));
				case "failed":
					throw toJobError(textAt(body, "error") ?? "");
				case "canceled":
					// A person canceled it at Replicate.
					throw jobFailedError("canceled", { retryable: false });
				case "aborted":
					throw jobFailedError("aborted");
				default:
					// Unknown statuses are treated like `processing`.
					return { kind: "open", progressPercent: progressIn(textAt(body, "logs")) };
			}
		},
		async cancel({ id }, signal) {
			await client.json(`/predictions/${encodeURIComponent(id)}/cancel`, { method: "POST", signal });
		},
	};
}

/** The model's message may quote the prompt, so only its code is passed on. */
function toJobError(error: string): EngineError {
	return CONTENT.test(error) ? contentPolicyError() : jobFailedError(CODE.exec(error)?.[1]);
}

/** Parses "Your rate limit resets in ~30s." if the header Retry-After is missing. */
function throttledError(error: CallFailedError): CallFailedError {
	const [, seconds] = /resets in ~(\d{1,5})s/.exec(textAt(error.body, "detail") ?? "") ?? [];
	const {
		code,
		message,
		status,
		body,
		retryAfterMs = seconds === undefined ? undefined : Number(seconds) * 1000,
	} = error;
	return new CallFailedError(code, message, { retryable: true, mayHaveActed: false, status, body, retryAfterMs });
}

/** Returns the URLs of an output: a URL, a list of them, or an object of them. */
function urlsIn(output: unknown): readonly string[] {
	if (typeof output === "string") return /^(https?:|data:)/.test(output) ? [output] : [];
	if (Array.isArray(output)) return output.flatMap(urlsIn);
	return isObject(output) ? Object.values(output).flatMap(urlsIn) : [];
}

/** Parses the last progress bar of the model's log: " 45%|####". */
function progressIn(logs: string | undefined): number | undefined {
	const last = [...(logs ?? "").slice(-4096).matchAll(/(\d{1,3})%\|/g)].at(-1);
	return last?.[1] === undefined ? undefined : Number(last[1]);
}

/** Replicate: images, videos and music, pay per use. */
export const replicateKind = httpJobEngineKind({
	kind: "replicate",
	settings: z.strictObject({ ...remoteSettings, url: remoteSettings.url.default("https://api.replicate.com/v1") }),
	modelSettings: modelSettingsSchema,
	isPaid: true,
	requiredSecret: "a token of Replicate",
	headers: bearer,
	createJob,
});
