import { hash } from "node:crypto";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import { isObject, type Json } from "@atelier/media-protocol/parse-value";
import { listAt, textAt, valueAt } from "../../read-json.ts";
import { formFile } from "../../media-format.ts";
import { readOutputs } from "../engine-outputs.ts";
import { EngineError, type Engine, type EngineTask } from "../engine.ts";
import { remoteSettings, type EngineConfig, type EngineKind, type ServedModel } from "../engine-kind.ts";
import { convertCallError, invalidResponseError, jobLostError, toSubmitError } from "../job-errors.ts";
import type { JobAdapter, LookupResult, PollResult } from "../job-adapter.ts";
import { encodeInputs } from "../request-mapping.ts";
import { createRemoteJobEngine } from "../remote-job-engine.ts";
import { seedOf } from "../seed.ts";
import { bearer, createServiceClient, type CallFailedError, type ServiceClient } from "../http-client.ts";
import { followSocket } from "./follow-socket.ts";
import { fillWorkflow, readWorkflow, workflowEntry, type Workflow } from "./workflow.ts";

/** Workflows by scene. */
type Workflows = ReadonlyMap<string, Workflow>;

const settings = z.strictObject({
	...remoteSettings,
	/** Timeout of a request, not of a generation. */
	timeoutSeconds: z.int().min(1).max(300).default(30),
});
const modelSettingsSchema = z.strictObject({ workflows: z.record(z.string(), workflowEntry) });

interface ComfyUiJob {
	readonly promptId: string;
}

const POLL_INTERVAL_MS = 1_000;
/** A job is in neither list for a moment while it moves from the queue to the history. A restart loses all jobs. */
const LOST_AFTER_MS = 3_000;
/** The responses of `/queue` and `/history` contain whole workflows. */
const QUEUE_BYTES_MAX = 64 * 1024 * 1024;
const HISTORY_BYTES_MAX = 16 * 1024 * 1024;
const NODE_ERRORS_SHOWN_MAX = 3;

interface OutputFile {
	readonly filename: string;
	readonly subfolder: string;
	readonly type: string;
}

/** A ComfyUI: https://docs.comfy.org/development/comfyui-server/comms_routes. */
function createEngine(
	config: EngineConfig<z.infer<typeof settings>, Workflows>,
	{ clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Engine {
	const { url, timeoutSeconds } = config.settings;
	// For a proxy in front of ComfyUI, which itself has no authentication.
	const headers = bearer(config.secret);
	const client = createServiceClient({ url, headers, timeoutMs: timeoutSeconds * 1000, clock });
	const deps = { name: config.name, isPaid: false, pollIntervalMs: POLL_INTERVAL_MS, clock, logger };
	const socketUrl = `${url.replace(/^http/, "ws").replace(/\/+$/, "")}/ws`;

	function adapterFor(
		task: EngineTask,
		{ model, modelSettings: workflows }: ServedModel<Workflows>,
	): JobAdapter<ComfyUiJob> {
		const workflow = workflows.get(task.scene);
		if (!workflow) throw new EngineError("invalid_input", `no workflow for ${task.scene}`, { retryable: false });
		const seed = seedOf(task);

		async function poll({ promptId }: ComfyUiJob, signal: AbortSignal): Promise<PollResult> {
			const item = historyItem(await readHistory(client, promptId, signal), promptId);
			if (item && hasEnded(item)) {
				throwIfFailed(item);
				const found = filesOf(item, workflow?.entry.outputs);
				return {
					kind: "done",
					collect: (stop) =>
						readOutputs(found, model.mediaType, async ({ filename, subfolder, type }) => {
							const query = new URLSearchParams({ filename, subfolder, type });
							return { bytes: await client.file(`/view?${query.toString()}`, { signal: stop }), seed };
						}),
				};
			}
			const { running, pending } = await readQueue(client, signal);
			const isListed = item !== undefined || [...running, ...pending].includes(promptId);
			// Of the waiting jobs, the first is next. 0 if the job does not wait.
			if (isListed) return { kind: "open", queuePosition: pending.indexOf(promptId) + 1 };
			return { kind: "missing", error: jobLostError(), lostAfterMs: LOST_AFTER_MS };
		}

		return {
			poll,
			follow: (key, report, signal) =>
				followSocket(
					{ url: `${socketUrl}?clientId=${key}`, headers, clock },
					Object.keys(workflow.graph).length,
					report,
					signal,
				),
			async prepareSubmit(signal) {
				const uploadImage = (bytes: Uint8Array): Promise<string> =>
					convertCallError(upload(client, bytes, signal), (error) => toSubmitError(deps, error));
				const { media: images, mask } = await encodeInputs(task, uploadImage);
				const prompt = fillWorkflow(workflow, task, { seed, images, mask });
				return (key) => submit(client, prompt, key);
			},
			toSubmitError: (error) => toPromptError(deps, error),
			lookUp: (key, signal) => lookUp(client, key, signal),
			cancel: ({ promptId }, signal) => cancel(client, promptId, signal),
		};
	}

	return createRemoteJobEngine({ ...config, settings: { concurrency: 1, ...config.settings } }, deps, adapterFor);
}

/** The studio has validated the request, so a rejected workflow is the operator's mistake. */
function toPromptError(deps: Parameters<typeof toSubmitError>[0], error: CallFailedError): EngineError {
	if (error.status !== 400) return toSubmitError(deps, error);
	const nodes = valueAt(error.body, "node_errors");
	const nodeErrors = Object.values(isObject(nodes) ? nodes : {}).flatMap((node) =>
		listAt(node, "errors").map((each) => {
			const place = [textAt(node, "class_type") ?? "a node", textAt(each, "extra_info", "input_name")];
			return `${textAt(each, "type") ?? "unknown"} in ${place.filter(Boolean).join(".")}`;
		}),
	);
	const workflowProblem = textAt(error.body, "error") ?? textAt(error.body, "error", "type") ?? "unknown";
	const details = nodeErrors.slice(0, NODE_ERRORS_SHOWN_MAX).join(", ") || workflowProblem;
	const message = `the engine rejects its workflow: ${details}`;
	return new EngineError("engine_unavailable", message, { retryable: true, cause: error });
}

async function submit(client: ServiceClient, prompt: object, key: string): Promise<ComfyUiJob> {
	const json = { prompt, client_id: key, prompt_id: key, extra_data: {} };
	const { body } = await client.json("/prompt", { method: "POST", json });
	const promptId = textAt(body, "prompt_id");
	if (promptId === undefined) throw invalidResponseError(200, "it contains no prompt_id");
	return { promptId };
}

async function upload(client: ServiceClient, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
	const form = new FormData();
	// The name is derived from the content, so that overwriting changes nothing.
	form.set("image", await formFile(bytes, hash("sha256", bytes).slice(0, 32)));
	form.set("overwrite", "true");
	form.set("type", "input");
	form.set("subfolder", "atelier");
	const { body } = await client.json("/upload/image", { method: "POST", form, signal });
	const stored = textAt(body, "name");
	if (stored === undefined) throw invalidResponseError(200, "it did not accept the image");
	return [textAt(body, "subfolder"), stored].filter(Boolean).join("/");
}

/** Finds a job by our key, which is its id. */
async function lookUp(client: ServiceClient, key: string, signal: AbortSignal): Promise<LookupResult<ComfyUiJob>> {
	const { running, pending } = await readQueue(client, signal);
	const isQueued = [...running, ...pending].includes(key);
	const exists = isQueued || Object.hasOwn(await readHistory(client, key, signal), key);
	return exists ? { promptId: key } : undefined;
}

/** Cancels only our own job: an interrupt stops the running job of any client. */
async function cancel(client: ServiceClient, promptId: string, signal: AbortSignal): Promise<void> {
	const { running, pending } = await readQueue(client, signal);
	if (pending.includes(promptId)) {
		await client.file("/queue", { method: "POST", json: { delete: [promptId] }, signal });
	} else if (running.includes(promptId)) {
		// Newer servers check that this job is the running one.
		await client.file("/interrupt", { method: "POST", json: { prompt_id: promptId }, signal });
	}
}

/** Reads the ids of jobs; those that wait in their order. */
async function readQueue(client: ServiceClient, signal: AbortSignal) {
	const { body } = await client.json("/queue", { signal, bytesMax: QUEUE_BYTES_MAX });
	return { running: jobIdsAt(body, "queue_running"), pending: jobIdsAt(body, "queue_pending") };
}

/** Reads the ids of a heap of `[number, id, …]`, in which the lowest number is next. */
function jobIdsAt(body: unknown, name: string): readonly unknown[] {
	const jobs = valueAt(body, name);
	if (!Array.isArray(jobs) || !jobs.every((job) => Array.isArray(job))) {
		throw invalidResponseError(200, "its queue cannot be read");
	}
	return jobs.toSorted((one, other) => Number(one[0]) - Number(other[0])).map((job): unknown => job[1]);
}

async function readHistory(client: ServiceClient, promptId: string, signal: AbortSignal): Promise<Json> {
	const { body } = await client.json(`/history/${promptId}`, { signal, bytesMax: HISTORY_BYTES_MAX });
	if (!isObject(body)) throw invalidHistoryError();
	return body;
}

/** Returns the item of a job, whose status is an object or absent; `undefined` if the history does not have the job. */
function historyItem(history: Json, promptId: string): Json | undefined {
	const item = history[promptId];
	if (item === undefined) return undefined;
	if (!isObject(item) || !isObject(item["status"] ?? {})) throw invalidHistoryError();
	return item;
}

function invalidHistoryError(): CallFailedError {
	return invalidResponseError(200, "its history cannot be read");
}

/** Servers without a status add a job to the history when it has ended. */
function hasEnded(item: Json): boolean {
	return valueAt(item, "status", "completed") === true || textAt(item, "status", "status_str") !== "running";
}

function throwIfFailed(item: Json): void {
	const state = textAt(item, "status", "status_str");
	if (state === undefined || (valueAt(item, "status", "completed") === true && state === "success")) return;
	const messages = listAt(item, "status", "messages");
	const messageOf = (name: string): unknown => messages.find((each) => Array.isArray(each) && each[0] === name);
	if (messageOf("execution_interrupted")) {
		throw new EngineError("upstream_error", "the job was interrupted at the engine", { retryable: false });
	}
	const details: unknown = listAt(messageOf("execution_error"))[1];
	const type = textAt(details, "exception_type");
	const ranOutOfMemory = /out ?of ?memory/i.test(`${type} ${textAt(details, "exception_message")}`);
	const failure = ranOutOfMemory ? "ran out of memory" : `failed${type === undefined ? "" : ` with ${type}`}`;
	const place = textAt(details, "node_type") ?? "a node";
	throw new EngineError("upstream_error", `the engine ${failure} in ${place}`, { retryable: true });
}

/** Returns the results in the order of their nodes or, if there are none, the previews. */
function filesOf(item: Json, nodes: readonly string[] | undefined): readonly OutputFile[] {
	const outputs = valueAt(item, "outputs");
	const all = Object.entries(isObject(outputs) ? outputs : {})
		.filter(([nodeId]) => !nodes || nodes.includes(nodeId))
		.toSorted(([one], [other]) => Number(one) - Number(other))
		.flatMap(([, kinds]) => Object.values(isObject(kinds) ? kinds : {}))
		.flatMap((list) => listAt(list))
		.flatMap((file): OutputFile[] => {
			const filename = textAt(file, "filename");
			if (filename === undefined) return [];
			return [{ filename, subfolder: textAt(file, "subfolder") ?? "", type: textAt(file, "type") ?? "output" }];
		});
	const results = all.filter(({ type }) => type === "output");
	return results.length > 0 ? results : all;
}

/** The operator's own ComfyUI: one workflow per scene and model. */
export const comfyUiKind: EngineKind<z.infer<typeof settings>, z.infer<typeof modelSettingsSchema>> = {
	kind: "comfyui",
	settings,
	modelSettings: modelSettingsSchema,
	async open(config, { clock, logger, readFile, addIssue }) {
		const models: ServedModel<Workflows>[] = [];
		for (const servedModel of config.models) {
			const { model, settingPath } = servedModel;
			const { workflows } = servedModel.modelSettings;
			const scenes = new Map<string, Workflow>();
			for (const scene of Object.keys(workflows)) {
				if (model.scenes.includes(scene)) continue;
				addIssue(`${settingPath}.workflows.${scene}`, "expected a scene of the model");
			}
			for (const scene of model.scenes) {
				const path = `${settingPath}.workflows.${scene}`;
				const entry = workflows[scene];
				if (!entry) {
					addIssue(path, "expected a workflow, because the model has this scene");
					continue;
				}
				const text = await readFile(entry.file, `${path}.file`);
				if (text === undefined) continue;
				const workflow = readWorkflow(text, entry, model, scene, (message) => addIssue(path, message));
				if (workflow) scenes.set(scene, workflow);
			}
			models.push({ ...servedModel, modelSettings: scenes });
		}
		return createEngine({ ...config, models }, { clock, logger });
	},
};
