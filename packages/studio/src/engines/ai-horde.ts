import sharp from "sharp";
import { z } from "zod";
import { isObject } from "@atelier/media-protocol/parse-value";
import { collectFiles, type RemoteFile } from "./engine-outputs.ts";
import { EngineError, type EngineOutput } from "./engine.ts";
import { UPSCALE_SCENE } from "@atelier/media-protocol/model";
import { remoteSettings } from "./engine-kind.ts";
import { contentPolicyError, invalidResponseError, jobFailedError, toSubmitError } from "./job-errors.ts";
import type { JobAdapter, PollResult } from "./job-adapter.ts";
import { httpJobEngineKind, type JobContext } from "./http-job-engine.ts";
import { encodeInputs, requestBody, requestMapping } from "./request-mapping.ts";
import { listAt, numberAt, textAt, valueAt } from "../read-json.ts";
import type { ServiceClient } from "./http-client.ts";

interface AiHordeJob {
	readonly id: string;
	readonly sentAtMs: number;
}

const settings = z.strictObject({
	...remoteSettings,
	url: remoteSettings.url.default("https://aihorde.net/api/v2"),
	/** Contact of the operator, for the horde's administrators. */
	contact: z
		.string()
		.regex(/^[\x21-\x7e]{1,100}$/, { error: "expected an address at which you can be contacted, without blanks" })
		.default("unknown"),
});
const modelSettingsSchema = z.strictObject({
	...requestMapping,
	/** Names as in `GET /status/models`; the horde uses any of them. */
	models: z.array(z.string().min(1)).min(1),
	/** The allowed difference of an image from its input image. */
	denoisingStrength: z.number().min(0.01).max(1).default(0.6),
});

/** The horde's anonymous key, which has the lowest priority. */
const ANONYMOUS = "0000000000";
/** Widths and heights are multiples of this. */
const SIDE_STEP = 64;
/** Workers come and go, so a request fails only after no worker could run it for this long. */
const IMPOSSIBLE_MS_MAX = 20_000;
/** Polls a request about four times in its remaining time, and at least this often. */
const POLLS_PER_WAIT = 4;
const POLL_MS_MAX = 15_000;
/** The workers of the horde rarely change within a shorter time. */
const NO_WORKERS_RETRY_MS = 10 * 60_000;
/** The horde's maximum for the sides of input images. */
const SOURCE_SIDE_MAX = 3072;
/** The response may contain the files in base64. */
const FILES_RESPONSE_BYTES_MAX = 32 * 1024 * 1024;

const CONTENT_CODES = new Set(["CorruptPrompt", "Profanity"]);

/** One request to the horde, which supports no lookup without an id. */
function createJob(context: JobContext<unknown, z.infer<typeof modelSettingsSchema>>): JobAdapter<AiHordeJob> {
	const { name, client, download, clock, logger, model, task } = context;
	const { models, denoisingStrength, ...mapping } = context.modelSettings;
	const { mediaType } = model;
	let impossibleSinceMs: number | undefined;

	async function createBody(): Promise<Record<string, unknown>> {
		const encoded = await encodeInputs(task, toWebpBase64);
		const input = { nsfw: false, censor_nsfw: true, r2: true, shared: false, models, ...mapping.input };
		// The horde has no field for the negative prompt: it follows the prompt after "###".
		const { negative_prompt: negative, ...body } = requestBody(model, { ...mapping, input }, task, "prompt", encoded);
		if (typeof negative === "string" && negative !== "") body["prompt"] = `${task.prompt} ### ${negative}`;
		if (encoded.media.length > 0) {
			body["source_processing"] ??= encoded.mask !== undefined ? "inpainting" : "img2img";
			body["params"] = { denoising_strength: denoisingStrength, ...(body["params"] as object | undefined) };
		}
		return body;
	}

	function openPollResult(job: AiHordeJob, response: unknown): PollResult {
		const waitMs = (numberAt(response, "wait_time") ?? 0) * 1000;
		const elapsedMs = clock.nowMs() - job.sentAtMs;
		return {
			kind: "open",
			// The horde reports 0 once it generates all images of the request.
			queuePosition: numberAt(response, "queue_position"),
			progressPercent: waitMs > 0 ? (100 * elapsedMs) / (elapsedMs + waitMs) : undefined,
			waitMs: Math.min(POLL_MS_MAX, waitMs / POLLS_PER_WAIT),
		};
	}

	async function collect({ id }: AiHordeJob, signal: AbortSignal): Promise<readonly EngineOutput[]> {
		const path = `/generate/status/${encodeURIComponent(id)}`;
		const { body } = await client.json(path, { signal, bytesMax: FILES_RESPONSE_BYTES_MAX });
		const generations = listAt(body, "generations").filter(isObject);
		const uncensored = generations.filter((each) => !isCensored(each));
		if (generations.length > 0 && uncensored.length === 0) throw contentPolicyError();
		return await collectFiles(uncensored.flatMap(fileOf), { download, mediaType }, signal);
	}

	async function submit(json: object): Promise<AiHordeJob> {
		const { body } = await client.json("/generate/async", { method: "POST", json });
		const id = textAt(body, "id");
		if (id === undefined) throw invalidResponseError(202);
		const warnings = listAt(body, "warnings").flatMap((each) => textAt(each, "code") ?? []);
		if (warnings.length > 0) logger.warn({ engine: name, warnings }, "horde warned about a request");
		return { id, sentAtMs: clock.nowMs() };
	}

	return {
		async prepareSubmit() {
			const json = await createBody();
			return () => submit(json);
		},
		toSubmitError(error) {
			const code = textAt(error.body, "rc");
			if (code !== undefined && CONTENT_CODES.has(code)) return contentPolicyError();
			return code === "NoValidWorkers" ? noWorkerError() : toSubmitError(context, error, code);
		},
		async poll(job, signal) {
			const { body } = await client.json(`/generate/check/${encodeURIComponent(job.id)}`, { signal });
			if (valueAt(body, "faulted") === true) throw jobFailedError("faulted");
			if (valueAt(body, "done") === true) return { kind: "done", collect: (stop) => collect(job, stop) };
			if (valueAt(body, "is_possible") !== false) impossibleSinceMs = undefined;
			else impossibleSinceMs ??= clock.nowMs();
			if (impossibleSinceMs !== undefined && clock.nowMs() - impossibleSinceMs >= IMPOSSIBLE_MS_MAX) {
				await cancel(client, job, signal);
				throw noWorkerError();
			}
			return openPollResult(job, body);
		},
		cancel: (job, signal) => cancel(client, job, signal),
	};
}

async function cancel(client: ServiceClient, { id }: AiHordeJob, signal: AbortSignal): Promise<void> {
	await client.json(`/generate/status/${encodeURIComponent(id)}`, { method: "DELETE", signal });
}

function noWorkerError(): EngineError {
	return new EngineError("engine_unavailable", "no worker of the horde offers this at the moment", {
		retryable: true,
		retryAfterMs: NO_WORKERS_RETRY_MS,
	});
}

/** Returns whether the worker replaced the image by a placeholder. */
function isCensored(generation: Readonly<Record<string, unknown>>): boolean {
	return (
		generation["censored"] === true ||
		listAt(generation, "gen_metadata").some((each) => textAt(each, "type") === "censorship")
	);
}

function fileOf(generation: Readonly<Record<string, unknown>>): readonly RemoteFile[] {
	const image = textAt(generation, "img");
	if (image === undefined) return [];
	const seed = Number(generation["seed"]);
	const url = /^https?:/.test(image) ? image : `data:image/webp;base64,${image}`;
	return [{ url, seed: Number.isSafeInteger(seed) && generation["seed"] !== "" ? seed : null }];
}

/** Converts an input image to the form that the horde expects. */
async function toWebpBase64(bytes: Uint8Array): Promise<string> {
	try {
		const image = sharp(bytes).autoOrient().resize({
			width: SOURCE_SIDE_MAX,
			height: SOURCE_SIDE_MAX,
			fit: "inside",
			withoutEnlargement: true,
		});
		return (await image.webp().toBuffer()).toString("base64");
	} catch (cause) {
		throw new EngineError("invalid_input", "the input image cannot be read", { retryable: false, cause });
	}
}

/** Finds every width and height in the constant fields and the field mappings. */
function sidesIn(value: unknown): readonly number[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) =>
		/(^|\.)(width|height)$/.test(key) && typeof inner === "number" ? [inner] : sidesIn(inner),
	);
}

/** AI Horde: images by volunteers, without a GPU and without an account. */
export const aiHordeKind = httpJobEngineKind({
	kind: "ai-horde",
	settings,
	modelSettings: modelSettingsSchema,
	isPaid: false,
	headers: (secret = ANONYMOUS, { contact }) => ({ apikey: secret, "client-agent": `Atelier:1:${contact}` }),
	defaultFields: () => ({
		seed: { field: "params.seed", as: "text" },
		negative_prompt: "negative_prompt",
		image_input: "source_image",
		mask_image: "source_mask",
	}),
	check({ model, modelSettings: { input, fields } }, addIssue) {
		if (model.mediaType !== "image") addIssue("expected a model for images");
		if (model.scenes.includes(UPSCALE_SCENE))
			addIssue("expected another engine for upscale: this one only generates new images");
		for (const side of sidesIn({ ...input, fields })) {
			if (side % SIDE_STEP !== 0) addIssue(`expected widths and heights in steps of ${SIDE_STEP}, not ${side}`);
		}
	},
	createJob,
});
