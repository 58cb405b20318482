import type { Logger } from "pino";
import sharp from "sharp";
import type { Clock } from "@atelier/common/clock";
import type { Download } from "@atelier/common/download";
import { collectFiles, type MadeFile } from "../collect-files.ts";
import { EngineError, type EngineOutput, type EngineTask, type Model } from "../engine.ts";
import {
	failedJob,
	isOperatorsFault,
	operatorsFault,
	orLost,
	refusedForContent,
	refusedOrder,
	unreadableOrder,
} from "../job-faults.ts";
import type { JobService, Look } from "../job-runner.ts";
import { orderBody, type OrderFields } from "../request-mapping.ts";
import { isObject, listAt, numberAt, textAt, valueAt } from "../read-json.ts";
import { CallFailedError, type ServiceCaller } from "../http-client.ts";

export interface AiHordeJob {
	readonly id: string;
	readonly sentAtMs: number;
}

export interface AiHordeOrder {
	readonly model: Model;
	readonly models: readonly string[];
	readonly denoisingStrength: number;
	readonly input: Readonly<Record<string, unknown>>;
	readonly fields: OrderFields;
}

/** Workers come and go, so a request fails only after being impossible for this long. */
const IMPOSSIBLE_MS_MAX = 20_000;
const LOOK_MS_MAX = 15_000;
const NO_WORKERS_RETRY_MS = 10 * 60_000;
/** The horde's maximum for input images. */
const SOURCE_SIDE_MAX = 3072;
/** The response may contain the files in base64. */
const FILES_ANSWER_BYTES_MAX = 32 * 1024 * 1024;

const CONTENT_CODES = new Set(["CorruptPrompt", "Profanity"]);

/** One request to the horde. It supports no lookup without an id. */
export function aiHordeJob(
	deps: {
		readonly name: string;
		readonly caller: ServiceCaller;
		readonly download: Download;
		readonly clock: Clock;
		readonly logger: Logger;
	},
	order: AiHordeOrder,
	task: EngineTask,
): JobService<AiHordeJob> {
	const { caller, clock, logger } = deps;
	const { mediaType } = order.model;
	let impossibleSinceMs: number | undefined;

	async function bodyOf(): Promise<Record<string, unknown>> {
		const media = await Promise.all(task.inputs.map(sourceImage));
		const usual = { nsfw: false, censor_nsfw: true, r2: true, shared: false, models: order.models, ...order.input };
		const { negative_prompt: negative, ...body } = orderBody(
			{ input: usual, fields: order.fields, prompt: "prompt", media },
			order.model,
			task,
		);
		if (typeof negative === "string" && negative !== "") body["prompt"] = `${task.prompt} ### ${negative}`;
		if (media.length > 0) {
			body["source_processing"] ??= "img2img";
			body["params"] = { denoising_strength: order.denoisingStrength, ...(body["params"] as object | undefined) };
		}
		return body;
	}

	function refusalOf(error: CallFailedError): Error {
		const code = textAt(error.body, "rc");
		if (code !== undefined && CONTENT_CODES.has(code)) return refusedForContent();
		if (code === "NoValidWorkers") return nobodyCan();
		if (isOperatorsFault(error)) return operatorsFault(logger, deps.name, error, code);
		return error.code === "invalid_input" ? refusedOrder(code) : error;
	}

	function open(job: AiHordeJob, answer: unknown): Look {
		const waitMs = (numberAt(answer, "wait_time") ?? 0) * 1000;
		const spentMs = clock.nowMs() - job.sentAtMs;
		return {
			kind: "open",
			// 0 once no part of it waits.
			queuePosition: numberAt(answer, "queue_position"),
			progressPercent: waitMs > 0 ? (100 * spentMs) / (spentMs + waitMs) : undefined,
			lookAgainMs: Math.min(LOOK_MS_MAX, waitMs / 4),
		};
	}

	async function collect({ id }: AiHordeJob, signal: AbortSignal): Promise<readonly EngineOutput[]> {
		const path = `/generate/status/${encodeURIComponent(id)}`;
		const { body } = await caller.json(path, { signal, bytesMax: FILES_ANSWER_BYTES_MAX });
		const made = listAt(body, "generations").filter(isObject);
		const shown = made.filter((each) => !isCensored(each));
		if (made.length > 0 && shown.length === 0) throw refusedForContent();
		return await collectFiles(shown.flatMap(fileOf), { download: deps.download, mediaType }, signal);
	}

	return {
		async submit(_key, signal) {
			const json = await bodyOf();
			try {
				const { body } = await caller.json("/generate/async", { method: "POST", json, signal });
				const id = textAt(body, "id");
				if (id === undefined) throw unreadableOrder(202);
				const warnings = listAt(body, "warnings").flatMap((each) => textAt(each, "code") ?? []);
				if (warnings.length > 0) logger.warn({ engine: deps.name, warnings }, "warning of the horde about a request");
				return { id, sentAtMs: clock.nowMs() };
			} catch (error) {
				throw error instanceof CallFailedError ? refusalOf(error) : error;
			}
		},
		async look(job, signal) {
			const { body } = await orLost(caller.json(`/generate/check/${encodeURIComponent(job.id)}`, { signal }));
			if (valueAt(body, "faulted") === true) throw failedJob("faulted");
			if (valueAt(body, "done") === true) return { kind: "done", collect: (until) => collect(job, until) };
			if (valueAt(body, "is_possible") !== false) impossibleSinceMs = undefined;
			else impossibleSinceMs ??= clock.nowMs();
			if (impossibleSinceMs !== undefined && clock.nowMs() - impossibleSinceMs >= IMPOSSIBLE_MS_MAX) {
				await withdraw(caller, job, signal);
				throw nobodyCan();
			}
			return open(job, body);
		},
		cancel: (job, signal) => withdraw(caller, job, signal),
	};
}

async function withdraw(caller: ServiceCaller, { id }: AiHordeJob, signal: AbortSignal): Promise<void> {
	await caller.json(`/generate/status/${encodeURIComponent(id)}`, { method: "DELETE", signal });
}

function nobodyCan(): EngineError {
	return new EngineError("engine_unavailable", "no worker of the horde offers this at the moment", {
		retryable: true,
		retryAfterMs: NO_WORKERS_RETRY_MS,
	});
}

/** A censoring worker returns a replacement image. */
function isCensored(generation: Readonly<Record<string, unknown>>): boolean {
	return (
		generation["censored"] === true ||
		listAt(generation, "gen_metadata").some((each) => textAt(each, "type") === "censorship")
	);
}

function fileOf(generation: Readonly<Record<string, unknown>>): readonly MadeFile[] {
	const image = textAt(generation, "img");
	if (image === undefined) return [];
	const seed = Number(generation["seed"]);
	const url = /^https?:/.test(image) ? image : `data:image/webp;base64,${image}`;
	return [{ url, seed: Number.isSafeInteger(seed) && generation["seed"] !== "" ? seed : null }];
}

/** The horde expects WebP in base64. */
async function sourceImage(bytes: Uint8Array): Promise<string> {
	try {
		const image = sharp(bytes).resize({
			width: SOURCE_SIDE_MAX,
			height: SOURCE_SIDE_MAX,
			fit: "inside",
			withoutEnlargement: true,
		});
		return (await image.webp().toBuffer()).toString("base64");
	} catch (error) {
		throw new EngineError("invalid_input", "the input image cannot be read", {
			retryable: false,
			cause: error,
		});
	}
}
