import assert from "node:assert/strict";
import { formFile } from "../../media-type.ts";
import { collectFiles } from "../collect-files.ts";
import { EngineError, type EngineTask } from "../engine.ts";
import { promptOf, type HostedDeps, type HostedOrder } from "../hosted-models.ts";
import {
	beforeTheOrder,
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
import { isObject, textAt, valueAt } from "../read-json.ts";
import { CallFailedError } from "../http-client.ts";

export interface ReplicateJob {
	readonly id: string;
}

/** Larger files are uploaded first. */
const DATA_URI_BYTES_MAX = 256 * 1024;
/** A prediction contains its log, and may contain its file as a data URI. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const CONTENT = /nsfw|flagged as sensitive|\(E005\)/i;
const CODE = /\b(E\d{4})\b/;

/** One prediction of Replicate. It supports no lookup without an id, and no idempotency key. */
export function replicateJob(deps: HostedDeps, order: HostedOrder, task: EngineTask): JobService<ReplicateJob> {
	const { caller, download, logger } = deps;
	const { mediaType } = order.model;

	async function sourceOf(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
		if (bytes.byteLength <= DATA_URI_BYTES_MAX) return await dataUri(bytes);
		const form = new FormData();
		form.append("content", await formFile(bytes, "input"));
		const { body } = await caller.json("/files", { method: "POST", form, signal });
		const url = textAt(body, "urls", "get");
		if (url === undefined) throw failedJob("no_upload");
		return url;
	}

	function refusalOf(error: CallFailedError): Error {
		if (isOperatorsFault(error)) return operatorsFault(logger, deps.name, error);
		if (error.status === 429) return throttled(error);
		return error.code === "invalid_input" ? refusedOrder(`http_${error.status}`) : error;
	}

	function done(output: unknown): Look {
		const files = addressesIn(output).map((url) => ({ url }));
		if (files.length === 0) throw madeNothing();
		return { kind: "done", collect: (signal) => collectFiles(files, { download, mediaType }, signal) };
	}

	return {
		async submit(_key, signal) {
			const named = ofScene(order.named, task.scene);
			assert(named !== undefined);
			try {
				const media = await beforeTheOrder(Promise.all(task.inputs.map((bytes) => sourceOf(bytes, signal))));
				const input = orderBody({ ...order, media, prompt: promptOf(order, task) }, order.model, task);
				const [name, version] = named.split(":");
				const [path, json] =
					version === undefined ? [`/models/${name}/predictions`, { input }] : ["/predictions", { version, input }];
				const { body, status } = await caller.json(path, { method: "POST", json, signal });
				const id = textAt(body, "id");
				if (id === undefined) throw unreadableOrder(status);
				return { id };
			} catch (error) {
				throw error instanceof CallFailedError ? refusalOf(error) : error;
			}
		},
		async look({ id }, signal) {
			const path = `/predictions/${encodeURIComponent(id)}`;
			const { body } = await orLost(caller.json(path, { signal, bytesMax: ANSWER_BYTES_MAX }));
			switch (textAt(body, "status") ?? "") {
				case "succeeded":
					if (valueAt(body, "data_removed") === true) throw lostJob();
					return done(valueAt(body, "output"));
				case "failed":
					throw faultOf(textAt(body, "error") ?? "");
				case "canceled":
				case "aborted":
					throw failedJob(textAt(body, "status"));
				default:
					// An unknown status is no end.
					return {
						kind: "open",
						progressPercent: progressIn(textAt(body, "logs")),
						lookAgainMs: LOOK_EVERY_MS[mediaType],
					};
			}
		},
		async cancel({ id }, signal) {
			await caller.json(`/predictions/${encodeURIComponent(id)}/cancel`, { method: "POST", signal });
		},
	};
}

/** The model's message may quote the prompt, so only its code is passed on. */
function faultOf(error: string): EngineError {
	return CONTENT.test(error) ? refusedForContent() : failedJob(CODE.exec(error)?.[1]);
}

/** Parses "Your rate limit resets in ~30s." if the header is missing. */
function throttled(error: CallFailedError): EngineError {
	const [, seconds] = /resets in ~(\d{1,5})s/.exec(textAt(error.body, "detail") ?? "") ?? [];
	return new EngineError(error.code, error.message, {
		retryable: true,
		retryAfterMs: error.retryAfterMs ?? (seconds === undefined ? undefined : Number(seconds) * 1000),
	});
}

/** A URL, a list of them, or an object of them. */
function addressesIn(output: unknown): readonly string[] {
	if (typeof output === "string") return /^(https?:|data:)/.test(output) ? [output] : [];
	if (Array.isArray(output)) return output.flatMap(addressesIn);
	return isObject(output) ? Object.values(output).flatMap(addressesIn) : [];
}

/** Parses the last progress bar of the model's log: " 45%|####". */
function progressIn(logs: string | undefined): number | undefined {
	const last = [...(logs ?? "").slice(-4096).matchAll(/(\d{1,3})%\|/g)].at(-1);
	return last?.[1] === undefined ? undefined : Math.min(100, Number(last[1]));
}
