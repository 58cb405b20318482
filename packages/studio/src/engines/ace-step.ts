import { z } from "zod";
import { isObject, parseNestedJson } from "@atelier/media-protocol/parse-value";
import { readOutputs } from "./engine-outputs.ts";
import type { EngineOutput } from "./engine.ts";
import { remoteSettings } from "./engine-kind.ts";
import {
	invalidRequestError,
	invalidResponseError,
	jobFailedError,
	jobLostError,
	noOutputError,
} from "./job-errors.ts";
import type { JobAdapter, PollResult } from "./job-adapter.ts";
import { httpJobEngineKind, type JobContext } from "./http-job-engine.ts";
import { requestBody, requestMapping, type RequestMapping } from "./request-mapping.ts";
import { listAt, numberAt, textAt, valueAt } from "../read-json.ts";
import { bearer } from "./http-client.ts";

interface AceStepJob {
	readonly taskId: string;
}

const RUNNING = 0;
const SUCCEEDED = 1;

/** One job of ACE-Step's HTTP service, which supports neither lookups without an id nor cancellation. */
function createJob(context: JobContext<unknown, RequestMapping>): JobAdapter<AceStepJob> {
	const { client, model, modelSettings, task } = context;

	/** Returns the data of the envelope. Errors are `{detail}`, or an envelope whose `code` is the status. */
	async function callApi(path: string, json: object, signal?: AbortSignal): Promise<unknown> {
		const { body } = await client.json(path, { method: "POST", json, ...(signal && { signal }) });
		const code = numberAt(body, "code") ?? 200;
		if (code === 200) return valueAt(body, "data");
		throw code >= 500 || code === 429 ? jobFailedError(`code_${code}`) : invalidRequestError(`code_${code}`);
	}

	async function downloadSongs(items: readonly unknown[], signal: AbortSignal): Promise<readonly EngineOutput[]> {
		const files = items.flatMap((item) => textAt(item, "file") ?? []);
		const seed = songSeed(items[0]);
		return await readOutputs(files, model.mediaType, async (file) => {
			return { bytes: await client.file(filePath(file), { signal }), seed };
		});
	}

	async function submit(): Promise<AceStepJob> {
		// One song by default; ACE-Step's own default is two.
		const input = { batch_size: 1, audio_format: "mp3", ...modelSettings.input };
		const body = requestBody(model, { ...modelSettings, input }, task, "prompt");
		// ACE-Step ignores the seed without this flag.
		if (body["seed"] !== undefined) body["use_random_seed"] ??= false;
		const taskId = textAt(await callApi("/release_task", body), "task_id");
		if (taskId === undefined) throw invalidResponseError(200);
		return { taskId };
	}

	return {
		prepareSubmit: async () => submit,
		async poll({ taskId }, signal) {
			const data = await callApi("/query_result", { task_id_list: [taskId] }, signal);
			const job = listAt(data).find((each) => textAt(each, "task_id") === taskId);
			const items = resultItems(textAt(job, "result"));
			const status = numberAt(job, "status") ?? RUNNING;
			if (status === RUNNING) return openPollResult(items[0]);
			if (status !== SUCCEEDED) throw jobFailedError();
			if (!items.some((item) => textAt(item, "file") !== undefined)) throw noOutputError();
			return { kind: "done", collect: (stop) => downloadSongs(items, stop) };
		},
	};
}

function openPollResult(item: unknown): PollResult {
	// The service reports an unknown job like a waiting one that has reported nothing yet.
	if (item === undefined) return { kind: "missing", error: jobLostError() };
	const progress = numberAt(item, "progress");
	return { kind: "open", progressPercent: progress === undefined ? undefined : progress * 100 };
}

/** Returns the path of a file. The service returns a path, or a file name that it serves under its file route. */
function filePath(file: string): string {
	return file.startsWith("/v1/") ? file : `/v1/audio?path=${encodeURIComponent(file)}`;
}

/** Returns the seed of the first song from `"12345,67890"`. */
function songSeed(item: unknown): number | null {
	const seed = Number((textAt(item, "seed_value") ?? "").split(",")[0]);
	return Number.isSafeInteger(seed) && seed > 0 ? seed : null;
}

/** Parses the result, which is a list in a string of JSON. */
function resultItems(result: string | undefined): readonly unknown[] {
	return listAt(parseNestedJson(result)).filter(isObject);
}

/** ACE-Step 1.5: music on one's own hardware. */
export const aceStepKind = httpJobEngineKind({
	kind: "ace-step",
	settings: z.strictObject(remoteSettings),
	modelSettings: z.strictObject(requestMapping),
	isPaid: false,
	headers: bearer,
	defaultFields: () => ({
		duration: "audio_duration",
		lyrics: "lyrics",
		seed: "seed",
		bpm: "bpm",
		key: "key_scale",
		language: "vocal_language",
	}),
	check({ model }, addIssue) {
		if (model.mediaType !== "music") addIssue("expected a model for music");
		if (Object.values(model.options).some(({ type }) => type === "array")) {
			addIssue("expected no option with input media");
		}
	},
	createJob,
});
