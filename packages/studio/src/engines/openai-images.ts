import assert from "node:assert/strict";
import type { Logger } from "pino";
import sharp from "sharp";
import { z } from "zod";
import { UPSCALE_SCENE } from "@atelier/media-protocol/model";
import { formFile } from "../media-format.ts";
import { textAt, valueAt } from "../read-json.ts";
import { collectFiles, type RemoteFile } from "./engine-outputs.ts";
import type { CatalogModel } from "./catalog-model.ts";
import { EngineError, type EngineInputs, type EngineTask } from "./engine.ts";
import { remoteSettings, type EngineKind, type ServedModel } from "./engine-kind.ts";
import { bearer, createServiceClient, type CallFailedError, type ServiceResponse } from "./http-client.ts";
import { convertCallError, rejectedStudioError, toSubmitError, unknownOutcomeError } from "./job-errors.ts";
import { completeFields, requestBody, requestMapping } from "./request-mapping.ts";

const settings = z.strictObject({
	/** `url` may end in `/v1`, which is removed: the paths of the requests contain it. */
	...remoteSettings,
	/** Timeout of a generation, because the response contains the image. Node.js limits it to 300. */
	timeoutSeconds: z.int().min(1).max(290).default(180),
	/** The reaction to a request that has an unknown outcome and may have been billed. */
	whenUnknown: z.enum(["fail", "sendAgain"]).default("fail"),
});

const modelSettingsSchema = z.strictObject({
	...requestMapping,
	/** The model's name at the service. */
	model: z.string().min(1),
});

type ModelSettings = z.infer<typeof modelSettingsSchema>;

/** The response may contain images in base64. */
const RESPONSE_BYTES_MAX = 150 * 1024 * 1024;
/** A file of a few kilobytes can declare gigabytes of pixels. */
const MASK_PIXELS_MAX = 100_000_000;
/** Sent with 429 and with 400. */
const PAYMENT_CODES = ["insufficient_quota", "billing_hard_limit_reached"];
const POLICY_CODES = ["content_policy_violation", "moderation_blocked", "content_filter"];

/** Input media are sent as files. */
function withoutMedia({ options }: CatalogModel): Pick<CatalogModel, "options"> {
	return { options: Object.fromEntries(Object.entries(options).filter(([, { type }]) => type !== "array")) };
}

/** One image under `image`, several under `image[]`. */
async function formOf(fields: Readonly<Record<string, unknown>>, { images, mask }: EngineInputs): Promise<FormData> {
	const form = new FormData();
	for (const [field, value] of Object.entries(fields)) {
		form.set(field, typeof value === "string" ? value : JSON.stringify(value));
	}
	for (const [index, bytes] of images.entries()) {
		form.append(images.length === 1 ? "image" : "image[]", await formFile(bytes, `image-${index + 1}`));
	}
	if (mask) form.append("mask", await formFile(await toTransparencyMask(mask), "mask"));
	return form;
}

/** The service changes an image where its mask is transparent. */
async function toTransparencyMask(mask: Uint8Array): Promise<Uint8Array> {
	try {
		const { data, info } = await sharp(mask, { limitInputPixels: MASK_PIXELS_MAX })
			// Transparent areas stay unchanged, like black ones.
			.flatten({ background: "#000000" })
			.greyscale()
			.negate()
			.raw()
			.toBuffer({ resolveWithObject: true });
		const { width, height } = info;
		const black = { create: { width, height, channels: 3, background: "#000000" } } as const;
		return await sharp(black)
			.joinChannel(data, { raw: { width, height, channels: 1 } })
			.png()
			.toBuffer();
	} catch (cause) {
		throw new EngineError("invalid_input", "the mask cannot be read", { retryable: false, cause });
	}
}

/** Converts a failed call to the error of the task. Passes on codes only: the service's text may quote the prompt. */
function toEngineError(
	{ repeatsUnknown, ...log }: { readonly name: string; readonly logger: Logger; readonly repeatsUnknown: boolean },
	error: CallFailedError,
): EngineError {
	const { status, body, mayHaveActed } = error;
	const code = valueAt(body, "error", "code") ?? valueAt(body, "error", "type") ?? "";
	const errorCode = typeof code === "string" || typeof code === "number" ? String(code) : "";
	const param = textAt(body, "error", "param");
	if (POLICY_CODES.includes(errorCode)) {
		return new EngineError("content_policy", "the engine rejected the prompt", { retryable: false, cause: error });
	}
	if (PAYMENT_CODES.includes(errorCode)) return rejectedStudioError(log, error, errorCode);
	// The service may have generated and billed an image, but bills no request that it failed itself or does not implement.
	if (mayHaveActed && status !== 500 && status !== 501) return unknownOutcomeError(repeatsUnknown, error);
	if (!error.retryable && errorCode !== "") {
		const message = `the engine rejected the request: ${errorCode}${param === undefined ? "" : ` (${param})`}`;
		return new EngineError("invalid_input", message, { retryable: false, cause: error });
	}
	return toSubmitError(log, error, errorCode);
}

/** Another request would be billed again, so no failure to collect its images is retried. */
async function collectImages(images: readonly unknown[], to: Parameters<typeof collectFiles>[1], signal: AbortSignal) {
	const files = images.flatMap((image): readonly RemoteFile[] => {
		const base64 = textAt(image, "b64_json")?.replace(/^data:[^,]*,/, "");
		const url = base64 === undefined ? textAt(image, "url") : `data:;base64,${base64}`;
		return url === undefined ? [] : [{ url }];
	});
	return await collectFiles(files, to, signal).catch((error: unknown) => {
		if (!(error instanceof EngineError)) throw error;
		throw new EngineError(error.code, error.message, { retryable: false, cause: error });
	});
}

/** Services with OpenAI's images API: https://platform.openai.com/docs/api-reference/images. One call returns the images. */
export const openAiImagesKind: EngineKind<z.infer<typeof settings>, ModelSettings> = {
	kind: "openai-images",
	settings,
	modelSettings: modelSettingsSchema,
	async open({ name, settings: { url, concurrency, timeoutSeconds, whenUnknown }, secret, models: entries }, deps) {
		const { clock, logger, addIssue } = deps;
		const models = entries.map(({ model, modelSettings, settingPath }) => {
			if (model.mediaType !== "image") addIssue(settingPath, "expected another engine: this one only generates images");
			if (model.scenes.includes(UPSCALE_SCENE)) {
				addIssue(settingPath, "expected another engine for upscale: this one cannot upscale");
			}
			const fields = completeFields(withoutMedia(model), modelSettings.fields, { n: "n" }, settingPath, addIssue);
			return { model, settingPath, modelSettings: { ...modelSettings, fields } };
		});
		const repeatsUnknown = whenUnknown === "sendAgain";
		const client = createServiceClient({
			url: url.replace(/\/v1\/?$/, ""),
			headers: bearer(secret),
			timeoutMs: timeoutSeconds * 1000,
			clock,
		});
		const download = deps.downloadFor(client.origin);

		async function send(
			task: EngineTask,
			inputs: EngineInputs,
			{ model, modelSettings }: ServedModel<ModelSettings>,
			signal: AbortSignal,
		): Promise<ServiceResponse> {
			const body = { ...requestBody(withoutMedia(model), modelSettings, task, "prompt"), model: modelSettings.model };
			const call = { method: "POST", signal, bytesMax: RESPONSE_BYTES_MAX } as const;
			if (inputs.images.length === 0) return await client.json("/v1/images/generations", { ...call, json: body });
			return await client.json("/v1/images/edits", { ...call, form: await formOf(body, inputs) });
		}

		return {
			name,
			...(concurrency !== undefined && { concurrency }),
			models: () => models.map(({ model }) => model),
			async run(task, signal) {
				const servedModel = models.find(({ model }) => model.id === task.model);
				assert(servedModel, "the studio asks an engine only for what it serves");
				// The checkpoint is written before the request is sent. If it exists, an earlier run may have sent the request.
				if ((await task.checkpoint.read()) !== undefined && !repeatsUnknown) throw unknownOutcomeError(false);
				const inputs = await task.readInputs();
				await task.checkpoint.write({ isSent: true });
				const { body } = await convertCallError(send(task, inputs, servedModel, signal), (error) =>
					toEngineError({ name, logger, repeatsUnknown }, error),
				);
				const images = valueAt(body, "data");
				if (Array.isArray(images)) {
					return await collectImages(images, { download, mediaType: servedModel.model.mediaType }, signal);
				}
				// The request was billed, and another one would be billed again.
				throw new EngineError("upstream_error", "invalid response of the engine", { retryable: false });
			},
			async close() {},
		};
	},
};
