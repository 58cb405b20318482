import type { Logger } from "pino";
import type { Download } from "@atelier/common/download";
import type { MediaProfile } from "@atelier/media-protocol/profiles";
import { readEnvelope, statusOfCode } from "@atelier/media-protocol/parse-envelope";
import { readFinding } from "@atelier/media-protocol/parse-lookup";
import { readTask, readTaskId } from "@atelier/media-protocol/parse-task";
import { filledBody, pathOf, type RequestShape } from "@atelier/media-protocol/request-template";
import { formFile } from "../../media-type.ts";
import { collectFiles } from "../collect-files.ts";
import type { EngineTask, Model } from "../engine.ts";
import {
	beforeTheOrder,
	failedJob,
	isOperatorsFault,
	lostJob,
	madeNothing,
	operatorsFault,
	refusedForContent,
	refusedOrder,
	unreadableOrder,
} from "../job-faults.ts";
import { LOOK_EVERY_MS } from "../job-engine.ts";
import type { JobService, Look } from "../job-runner.ts";
import { dataUri, ofScene, orderBody, put, type OrderFields } from "../request-mapping.ts";
import { textAt, valueAt } from "../read-json.ts";
import { callFailed, CallFailedError, type ServiceCaller } from "../http-client.ts";

export interface MediaServiceJob {
	readonly remoteId: string;
}

export interface MediaServiceOrder {
	readonly model: Model;
	/** The model's name at the service. */
	readonly named: string | Readonly<Record<string, string>>;
	readonly input: Readonly<Record<string, unknown>>;
	readonly fields: OrderFields;
}

/** The response about a finished task may contain its file. */
const TASK_BYTES_MAX = 64 * 1024 * 1024;
/** A new task, or its files, may appear a moment later. */
const VAIN_LOOKS_MAX = 3;
const BUSY = 429;
/** Codes of the family for a rejection by moderation. */
const CONTENT = /^42201$|moderat|safety|sensitive|nsfw|content_policy|content_filter/i;

interface Sending {
	readonly signal: AbortSignal;
	readonly values?: Readonly<Record<string, string>>;
	readonly json?: object;
	readonly form?: FormData;
	readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One task of another service of the specification, parsed as tolerantly as the bot does. If the service lists tasks by
 * idempotency key, a submit without a response is looked up that way.
 */
export function mediaServiceJob(
	deps: {
		readonly name: string;
		readonly profile: MediaProfile;
		readonly caller: ServiceCaller;
		readonly download: Download;
		readonly logger: Logger;
	},
	order: MediaServiceOrder,
	task: EngineTask,
): JobService<MediaServiceJob> {
	const { profile, caller, download, logger } = deps;
	const { mediaType } = order.model;
	const { cancel, find } = profile;
	let vainLooks = 0;
	let sentMedia: readonly string[] = [];

	/** Returns the payload of a response. The envelope counts first, then the HTTP status. */
	async function ask(shape: RequestShape, { values = {}, ...sending }: Sending) {
		const json = sending.json ?? filledBody(shape, values);
		const call = { ...sending, ...(json && { json }), method: shape.method, bytesMax: TASK_BYTES_MAX };
		try {
			const { status, body } = await caller.json(pathOf(shape, values), call);
			const envelope = readEnvelope(body, status, profile);
			if (envelope.kind === "success") return { ...envelope, status };
			throw envelope.kind === "invalid" ? unreadableOrder(status) : callFailed(status, body);
		} catch (error) {
			throw error instanceof CallFailedError ? faultIn(error) : error;
		}
	}

	/** Converts the envelope of a failed call. */
	function faultIn(error: CallFailedError): CallFailedError {
		const envelope = readEnvelope(error.body, error.status, profile);
		if (envelope.kind !== "refusal") return error;
		const isBusy = profile.busyCodes.includes(Number(envelope.code));
		const status = isBusy ? BUSY : statusOfCode(envelope.code, error.status);
		return callFailed(status, error.body, error.retryAfterMs);
	}

	function codeOf(error: CallFailedError): string | undefined {
		const envelope = readEnvelope(error.body, error.status, profile);
		return envelope.kind === "refusal" ? envelope.code : undefined;
	}

	/** Provides an input file: uploaded, or inside of the request. */
	async function sourceOf(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
		if (!profile.uploads) return await dataUri(bytes);
		const form = new FormData();
		form.append("file", await formFile(bytes, "input"));
		const url = textAt((await ask(profile.uploads, { signal, form })).payload, "url");
		if (url === undefined) throw failedJob("no_upload");
		return url;
	}

	function bodyOf(media: readonly string[]): object {
		const { orderPlaces: places, submit } = profile;
		const input = { ...submit.body, ...order.input };
		const body = orderBody({ ...order, input, media, prompt: places.prompt }, order.model, task);
		put(body, places.model, ofScene(order.named, task.scene));
		if (places.mediaType !== undefined) put(body, places.mediaType, mediaType);
		if (places.scene !== undefined) put(body, places.scene, task.scene);
		return body;
	}

	function refusalOf(error: CallFailedError): Error {
		const code = codeOf(error);
		// A service that returns a task id has accepted the task, whatever its code says.
		if (readTaskId(valueAt(error.body, "data"), profile) !== undefined) return unreadableOrder(error.status);
		if (isOperatorsFault(error)) return operatorsFault(logger, deps.name, error, code);
		if (error.code !== "invalid_input") return error;
		return CONTENT.test(code ?? "") ? refusedForContent() : refusedOrder(code);
	}

	/** Some services report a failed task by the code of a successful response. */
	function endOf(error: CallFailedError): Error {
		const code = codeOf(error);
		if (profile.taskFailedCodes.includes(Number(code ?? ""))) return failedJob(code);
		if (error.status !== 404 && error.status !== 410) return error;
		return ++vainLooks >= VAIN_LOOKS_MAX ? lostJob() : unreadableOrder(error.status);
	}

	return {
		async submit(key, signal) {
			try {
				sentMedia = await beforeTheOrder(Promise.all(task.inputs.map((bytes) => sourceOf(bytes, signal))));
				const sending = { signal, json: bodyOf(sentMedia), headers: { "idempotency-key": key } };
				const { payload, status } = await ask(profile.submit, sending);
				const remoteId = readTaskId(payload, profile);
				if (remoteId === undefined) throw unreadableOrder(status);
				return { remoteId };
			} catch (error) {
				throw error instanceof CallFailedError ? refusalOf(error) : error;
			}
		},
		...(find && {
			async find(key, signal) {
				const { payload } = await ask(find, { signal, values: { key } });
				const finding = readFinding(payload, key, profile);
				if (finding?.kind !== "found") return finding ?? { kind: "cannot_tell" };
				return { kind: "found", job: { remoteId: finding.remoteId } };
			},
		}),
		async look({ remoteId }, signal): Promise<Look> {
			const { payload, at, status } = await ask(profile.read, { signal, values: { taskId: remoteId } }).catch(
				(error: unknown) => {
					throw error instanceof CallFailedError ? endOf(error) : error;
				},
			);
			const requested = { mediaType, options: { ...task.options, image_input: sentMedia } };
			const read = readTask(payload, { profile, origin: caller.origin, at, requested })?.task;
			if (!read) throw unreadableOrder(status);
			const lookAgainMs = LOOK_EVERY_MS[mediaType];
			switch (read.state) {
				case "open":
					return {
						kind: "open",
						progressPercent: read.progressPercent ?? undefined,
						queuePosition: read.queuePosition ?? undefined,
						lookAgainMs: Math.max(lookAgainMs, read.lookAgainAfterMs ?? 0),
					};
				case "failed":
					throw CONTENT.test(read.code) ? refusedForContent() : failedJob(read.code);
				case "success": {
					const files = read.outputs;
					if (files.length > 0) {
						return { kind: "done", collect: (until) => collectFiles(files, { download, mediaType }, until) };
					}
					if (++vainLooks >= VAIN_LOOKS_MAX) throw madeNothing();
					return { kind: "open", lookAgainMs };
				}
			}
		},
		...(cancel && {
			async cancel({ remoteId }, signal) {
				await caller.json(pathOf(cancel, { taskId: remoteId }), { method: cancel.method, signal });
			},
		}),
	};
}
