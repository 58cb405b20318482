import assert from "node:assert/strict";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import type { Download } from "@atelier/common/download";
import { formFile } from "../../media-type.ts";
import { describeOutputs } from "../describe-output.ts";
import { EngineError, type Engine, type EngineTask } from "../engine.ts";
import type { EngineEntry } from "../engine-factory.ts";
import { bearer, CallFailedError, createServiceCaller, type ServiceAnswer } from "../http-client.ts";

export interface OpenAiServing {
	/** The model's name at the service. */
	readonly model: string;
	readonly sizes: Readonly<Record<string, string>>;
	readonly parameters: Readonly<Record<string, string>>;
	readonly always: Readonly<Record<string, string | number | boolean>>;
}

export interface OpenAiSettings {
	/** With or without the `/v1` of the paths. */
	readonly url: string;
	readonly concurrency?: number;
	readonly timeoutSeconds: number;
	readonly whenUnknown: "fail" | "sendAgain";
}

/** The response contains images in base64. */
const ANSWER_BYTES_MAX = 150 * 1024 * 1024;
const IMAGES_MAX = 16;
/** Statuses that do not come from the service itself: the outcome is unknown. */
const UNKNOWN_STATUSES = [0, 408, 409, 425, 502, 504];
const POLICY_CODES = ["content_policy_violation", "moderation_blocked", "content_filter"];

const answered = z.object({
	data: z.array(z.object({ b64_json: z.string().nullish(), url: z.string().nullish() })).max(IMAGES_MAX),
});
const refused = z.object({
	error: z.object({
		code: z.union([z.string(), z.number()]).nullish(),
		type: z.string().nullish(),
		param: z.string().nullish(),
	}),
});

/** One call returns the images: there is no job to poll. */
export function createOpenAiImagesEngine(
	{ name, settings, secret, models }: EngineEntry<OpenAiSettings, OpenAiServing>,
	{ clock, download }: { readonly clock: Clock; readonly download: Download },
): Engine {
	const { concurrency } = settings;
	const sendsUnknownAgain = settings.whenUnknown === "sendAgain";
	const caller = createServiceCaller({
		url: settings.url.replace(/\/v1\/?$/, ""),
		headers: bearer(secret),
		timeoutMs: settings.timeoutSeconds * 1000,
		clock,
	});

	async function order(task: EngineTask, served: OpenAiServing, signal: AbortSignal): Promise<ServiceAnswer> {
		const parameters = parametersOf(task, served);
		const call = { method: "POST", signal, bytesMax: ANSWER_BYTES_MAX } as const;
		if (task.inputs.length === 0) return await caller.json("/v1/images/generations", { ...call, json: parameters });
		return await caller.json("/v1/images/edits", { ...call, form: await formOf(parameters, task.inputs) });
	}

	async function fetchImage(url: string, signal: AbortSignal): Promise<Uint8Array> {
		try {
			return Buffer.concat(await Array.fromAsync(download(url, signal)));
		} catch (cause) {
			signal.throwIfAborted();
			throw new EngineError("upstream_error", "the engine's file cannot be downloaded", { retryable: false, cause });
		}
	}

	return {
		name,
		...(concurrency !== undefined && { concurrency }),
		models: () => models.map(({ model }) => model),
		async run(task, signal) {
			const served = models.find(({ model }) => model.id === task.model);
			assert(served, "the studio asks an engine only for what it serves");
			// Written before the request: a run that finds it knows that there may have been one.
			if ((await task.memo.read()) !== undefined && !sendsUnknownAgain) throw unknownOutcome(false);
			await task.memo.write({ isSent: true });
			const { body } = await order(task, served.serving, signal).catch((error: unknown) => {
				throw explained(error, sendsUnknownAgain);
			});
			const parsed = answered.safeParse(body);
			// It was billed, and another request would be billed again.
			if (!parsed.success) {
				throw new EngineError("upstream_error", "invalid response of the engine", { retryable: false });
			}
			const files: Uint8Array[] = [];
			for (const { b64_json: base64, url } of parsed.data.data) {
				if (base64) files.push(Buffer.from(base64.replace(/^data:[^,]*,/, ""), "base64"));
				else if (url) files.push(await fetchImage(url, signal));
			}
			return await describeOutputs(files, served.model.mediaType, null);
		},
		async close() {},
	};
}

function parametersOf(
	{ prompt, options }: EngineTask,
	served: OpenAiServing,
): Record<string, string | number | boolean> {
	const { aspect_ratio: ratio, resolution, n } = options;
	const size = served.sizes[resolution === undefined ? String(ratio) : `${String(ratio)}/${String(resolution)}`];
	const named = Object.entries(served.parameters).flatMap(([option, parameter]) => {
		const value = options[option];
		return value === undefined ? [] : [[parameter, value] as const];
	});
	return {
		...served.always,
		...Object.fromEntries(named),
		model: served.model,
		prompt,
		...(size !== undefined && { size }),
		...(n !== undefined && { n }),
	};
}

/** One image under `image`, several under `image[]`. */
async function formOf(
	parameters: Readonly<Record<string, string | number | boolean>>,
	images: readonly Uint8Array[],
): Promise<FormData> {
	const form = new FormData();
	for (const [parameter, value] of Object.entries(parameters)) form.set(parameter, String(value));
	for (const [index, bytes] of images.entries()) {
		form.append(images.length === 1 ? "image" : "image[]", await formFile(bytes, `image-${index + 1}`));
	}
	return form;
}

/** Passes on codes only: the service's text may repeat the prompt. */
function explained(error: unknown, sendsUnknownAgain: boolean): unknown {
	if (!(error instanceof CallFailedError)) return error;
	const { status, body, mayHaveActed, retryAfterMs } = error;
	const parsed = refused.safeParse(body);
	const { code, type, param } = parsed.success ? parsed.data.error : {};
	const word = String(code ?? type ?? "");
	if (POLICY_CODES.includes(word)) {
		return new EngineError("content_policy", "the engine rejected the prompt", { retryable: false, cause: error });
	}
	if (status === 429 && word === "insufficient_quota") {
		const message = "the engine wants to be paid";
		return new EngineError("engine_unavailable", message, { retryable: true, retryAfterMs, cause: error });
	}
	if (mayHaveActed && (UNKNOWN_STATUSES.includes(status) || status < 300))
		return unknownOutcome(sendsUnknownAgain, error);
	if (status >= 400 && status < 500 && !error.retryable && word !== "") {
		const message = `the engine refused the order: ${word}${param ? ` (${param})` : ""}`.slice(0, 200);
		return new EngineError("invalid_input", message, { retryable: false, cause: error });
	}
	return error;
}

function unknownOutcome(retryable: boolean, cause?: unknown): EngineError {
	const message = "it is unknown whether the engine accepted the job";
	return new EngineError("upstream_timeout", message, { retryable, cause });
}
