import { hash } from "node:crypto";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import { isObject } from "@atelier/media-protocol/parse-value";
import { formFile } from "../../media-format.ts";
import { describeOutputs } from "../engine-outputs.ts";
import { EngineError, type Engine, type EngineTask } from "../engine.ts";
import { remoteSettings, type EngineEntry, type EngineKind, type ServedModel } from "../engine-kind.ts";
import { convertCallError, invalidResponseError, jobLostError } from "../job-errors.ts";
import type { EngineJob, LookupResult, PollResult } from "../engine-job.ts";
import { inputSources } from "../request-mapping.ts";
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
const mappingSchema = z.strictObject({ workflows: z.record(z.string(), workflowEntry) });

interface ComfyUiJob {
	readonly promptId: string;
}

const POLL_INTERVAL_MS = 1_000;
/** The responses of `/queue` and `/history` contain whole workflows. */
const QUEUE_BYTES_MAX = 64 * 1024 * 1024;
const HISTORY_BYTES_MAX = 16 * 1024 * 1024;
const FILES_MAX = 16;
const NODE_ERRORS_SHOWN_MAX = 3;

const submitResponse = z.object({ prompt_id: z.string().min(1) });
const rejectResponse = z.object({
	error: z.union([z.object({ type: z.string().default("unknown") }), z.string()]).optional(),
	node_errors: z
		.record(
			z.string(),
			z.object({
				class_type: z.string().default("a node"),
				errors: z
					.array(z.object({ type: z.string(), extra_info: z.object({ input_name: z.string().optional() }).optional() }))
					.default([]),
			}),
		)
		.catch({}),
});
/** `[number, prompt_id, …]`. */
const queueItem = z.tuple([z.number().catch(0), z.string()]).rest(z.unknown());
const queueResponse = z.object({ queue_running: z.array(queueItem), queue_pending: z.array(queueItem) });
const outputFile = z.object({
	filename: z.string().min(1),
	subfolder: z.string().default(""),
	type: z.string().default("output"),
});
const historyItem = z.object({
	outputs: z.record(z.string(), z.record(z.string(), z.unknown())).catch({}),
	status: z
		.object({
			status_str: z.string(),
			completed: z.boolean().catch(false),
			messages: z.array(z.tuple([z.string(), z.unknown()])).catch([]),
		})
		.nullish(),
});
const historyResponse = z.record(z.string(), historyItem);
const executionError = z.object({
	exception_type: z.string().catch(""),
	exception_message: z.string().catch(""),
	node_type: z.string().catch("a node"),
});

type HistoryItem = z.infer<typeof historyItem>;

/** A ComfyUI: https://docs.comfy.org/development/comfyui-server/comms_routes. */
function createEngine(
	entry: EngineEntry<z.infer<typeof settings>, Workflows>,
	{ clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Engine {
	const { url, timeoutSeconds } = entry.settings;
	// For a proxy in front of ComfyUI, which itself has no authentication.
	const headers = bearer(entry.secret);
	const client = createServiceClient({ url, headers, timeoutMs: timeoutSeconds * 1000, clock });
	const socketUrl = `${url.replace(/^http/, "ws").replace(/\/+$/, "")}/ws`;

	function serviceFor(task: EngineTask, { model, mapping: workflows }: ServedModel<Workflows>): EngineJob<ComfyUiJob> {
		const workflow = workflows.get(task.scene);
		if (!workflow) throw new EngineError("invalid_input", `no workflow for ${task.scene}`, { retryable: false });
		const seed = seedOf(task);

		async function poll({ promptId }: ComfyUiJob, signal: AbortSignal): Promise<PollResult> {
			const item = (await readHistory(client, promptId, signal))[promptId];
			if (item && hasEnded(item)) {
				throwIfFailed(item);
				const found = filesOf(item, workflow?.entry.outputs);
				return {
					kind: "done",
					collect: async (stop) => {
						const files = await downloadFiles(client, found, stop);
						const outputs = files.map((bytes) => ({ bytes, seed }));
						return await describeOutputs(outputs, model.mediaType);
					},
				};
			}
			const { queue_running: running, queue_pending: pending } = await readQueue(client, signal);
			const isListed = item !== undefined || [...running, ...pending].some(([, id]) => id === promptId);
			if (isListed) return { kind: "open", queuePosition: queuePositionOf(pending, promptId) };
			// A job is in neither list while it moves from the queue to the history.
			return { kind: "missing", error: jobLostError() };
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
				const { media: images, mask } = await inputSources(task, (bytes) => upload(client, bytes, signal));
				const prompt = fillWorkflow(workflow, task, { seed, images, mask });
				return (key) => submit(client, prompt, key);
			},
			lookUp: (key, signal) => lookUp(client, key, signal),
			cancel: ({ promptId }, signal) => cancel(client, promptId, signal),
		};
	}

	const deps = { name: entry.name, isPaid: false, pollIntervalMs: POLL_INTERVAL_MS, clock, logger };
	return createRemoteJobEngine({ ...entry, settings: { concurrency: 1, ...entry.settings } }, deps, serviceFor);
}

/** The studio has validated the request, so a rejected workflow is the operator's mistake. */
function toSubmitError(error: CallFailedError): Error {
	if (error.status !== 400) return error;
	const parsed = rejectResponse.safeParse(error.body);
	const { error: workflowError, node_errors: nodes = {} } = parsed.success ? parsed.data : {};
	const nodeErrors = Object.values(nodes).flatMap(({ class_type: nodeType, errors }) =>
		errors.map(
			({ type, extra_info: { input_name: input } = {} }) => `${type} in ${[nodeType, input].filter(Boolean).join(".")}`,
		),
	);
	const workflowProblem = typeof workflowError === "string" ? workflowError : workflowError?.type;
	const details = nodeErrors.slice(0, NODE_ERRORS_SHOWN_MAX).join(", ") || (workflowProblem ?? "unknown");
	const message = `the engine rejects its workflow: ${details}`;
	return new EngineError("engine_unavailable", message, { retryable: true, cause: error });
}

async function submit(client: ServiceClient, prompt: object, key: string): Promise<ComfyUiJob> {
	const json = { prompt, client_id: key, prompt_id: key, extra_data: {} };
	const { body } = await convertCallError(client.json("/prompt", { method: "POST", json }), toSubmitError);
	const parsed = submitResponse.safeParse(body);
	if (parsed.success) return { promptId: parsed.data.prompt_id };
	throw invalidResponseError(200, "it contains no prompt_id");
}

async function upload(client: ServiceClient, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
	const form = new FormData();
	// The name is derived from the content, so that overwriting changes nothing.
	form.set("image", await formFile(bytes, hash("sha256", bytes).slice(0, 32)));
	form.set("overwrite", "true");
	form.set("type", "input");
	form.set("subfolder", "atelier");
	const { body } = await client.json("/upload/image", { method: "POST", form, signal });
	const parsed = z.object({ name: z.string().min(1), subfolder: z.string().default("") }).safeParse(body);
	if (!parsed.success) throw invalidResponseError(200, "it did not accept the image");
	const { name: stored, subfolder } = parsed.data;
	return subfolder === "" ? stored : `${subfolder}/${stored}`;
}

/** Finds a job by our key, which is its id. */
async function lookUp(client: ServiceClient, key: string, signal: AbortSignal): Promise<LookupResult<ComfyUiJob>> {
	const { queue_running: running, queue_pending: pending } = await readQueue(client, signal);
	const isQueued = [...running, ...pending].some(([, id]) => id === key);
	const exists = isQueued || Object.hasOwn(await readHistory(client, key, signal), key);
	return exists ? { kind: "found", job: { promptId: key } } : { kind: "absent" };
}

/** Returns the position in the queue, a heap in which the lowest number is next. 0 if the job does not wait. */
function queuePositionOf(pending: readonly z.infer<typeof queueItem>[], promptId: string): number {
	return pending.toSorted(([one], [other]) => one - other).findIndex(([, id]) => id === promptId) + 1;
}

/** Cancels only our own job: an interrupt stops the running job of any client. */
async function cancel(client: ServiceClient, promptId: string, signal: AbortSignal): Promise<void> {
	const { queue_running: running, queue_pending: pending } = await readQueue(client, signal);
	if (pending.some(([, id]) => id === promptId)) {
		await client.file("/queue", { method: "POST", json: { delete: [promptId] }, signal });
	} else if (running.some(([, id]) => id === promptId)) {
		// Newer servers check that this job is the running one.
		await client.file("/interrupt", { method: "POST", json: { prompt_id: promptId }, signal });
	}
}

async function readQueue(client: ServiceClient, signal: AbortSignal): Promise<z.infer<typeof queueResponse>> {
	const { body } = await client.json("/queue", { signal, bytesMax: QUEUE_BYTES_MAX });
	const parsed = queueResponse.safeParse(body);
	if (!parsed.success) throw invalidResponseError(200, "its queue cannot be read");
	return parsed.data;
}

async function readHistory(
	client: ServiceClient,
	promptId: string,
	signal: AbortSignal,
): Promise<z.infer<typeof historyResponse>> {
	const { body } = await client.json(`/history/${promptId}`, { signal, bytesMax: HISTORY_BYTES_MAX });
	const parsed = historyResponse.safeParse(body);
	if (!parsed.success) throw invalidResponseError(200, "its history cannot be read");
	return parsed.data;
}

/** Servers without a status add a job to the history when it has ended. */
function hasEnded({ status }: HistoryItem): boolean {
	return !status || status.completed || status.status_str !== "running";
}

function throwIfFailed({ status }: HistoryItem): void {
	if (!status || (status.completed && status.status_str === "success")) return;
	const messages = new Map(status.messages);
	if (messages.has("execution_interrupted")) {
		throw new EngineError("upstream_error", "the job was interrupted at the engine", { retryable: false });
	}
	const details = messages.get("execution_error");
	const {
		exception_type: type,
		exception_message: text,
		node_type: nodeType,
	} = executionError.parse(isObject(details) ? details : {});
	const ranOutOfMemory = /OutOfMemory/i.test(type) || /out of memory/i.test(text);
	const failure = ranOutOfMemory ? "ran out of memory" : `failed${type === "" ? "" : ` with ${type}`}`;
	throw new EngineError("upstream_error", `the engine ${failure} in ${nodeType}`, { retryable: true });
}

/** Returns the results in the order of their nodes or, if there are none, the previews. */
function filesOf(
	{ outputs }: HistoryItem,
	nodes: readonly string[] | undefined,
): readonly z.infer<typeof outputFile>[] {
	const all = Object.entries(outputs)
		.filter(([nodeId]) => !nodes || nodes.includes(nodeId))
		.toSorted(([one], [other]) => Number(one) - Number(other))
		.flatMap(([, kinds]) => Object.values(kinds))
		.flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : []))
		.flatMap((each) => {
			const parsed = outputFile.safeParse(each);
			return parsed.success ? [parsed.data] : [];
		});
	const results = all.filter(({ type }) => type === "output");
	return (results.length > 0 ? results : all).slice(0, FILES_MAX);
}

async function downloadFiles(
	client: ServiceClient,
	found: readonly z.infer<typeof outputFile>[],
	signal: AbortSignal,
): Promise<readonly Uint8Array[]> {
	const files: Uint8Array[] = [];
	for (const { filename, subfolder, type } of found) {
		files.push(await client.file(`/view?${new URLSearchParams({ filename, subfolder, type }).toString()}`, { signal }));
	}
	return files;
}

/** The operator's own ComfyUI: one workflow per scene and model. */
export const comfyUiKind: EngineKind<z.infer<typeof settings>, z.infer<typeof mappingSchema>> = {
	kind: "comfyui",
	settings,
	mapping: mappingSchema,
	builtInModels: [],
	async open(entry, { clock, logger, readFile, addIssue }) {
		const models: ServedModel<Workflows>[] = [];
		for (const servedModel of entry.models) {
			const { model, settingPath } = servedModel;
			const { workflows } = servedModel.mapping;
			const scenes = new Map<string, Workflow>();
			for (const scene of Object.keys(workflows)) {
				if (model.scenes.includes(scene)) continue;
				addIssue(`${settingPath}.workflows.${scene}`, "expected a scene of the model");
			}
			for (const scene of model.scenes) {
				const path = `${settingPath}.workflows.${scene}`;
				const mapping = workflows[scene];
				if (!mapping) {
					addIssue(path, "expected a workflow, because the model has this scene");
					continue;
				}
				const text = await readFile(mapping.file, `${path}.file`);
				if (text === undefined) continue;
				const { workflow, issues } = readWorkflow(text, mapping, model, scene);
				for (const issue of issues) addIssue(path, issue);
				if (workflow) scenes.set(scene, workflow);
			}
			models.push({ ...servedModel, mapping: scenes });
		}
		return createEngine({ ...entry, models }, { clock, logger });
	},
};
