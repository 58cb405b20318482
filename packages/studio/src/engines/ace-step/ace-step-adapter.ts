import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { describeOutputs } from "../describe-output.ts";
import type { EngineOutput, EngineTask, Model } from "../engine.ts";
import {
	failedJob,
	isOperatorsFault,
	lostJob,
	madeNothing,
	operatorsFault,
	refusedOrder,
	unreadableOrder,
} from "../job-faults.ts";
import type { JobService, Look } from "../job-runner.ts";
import { orderBody, type OrderFields } from "../request-mapping.ts";
import { isObject, listAt, numberAt, textAt, valueAt } from "../read-json.ts";
import { CallFailedError, type ServiceCaller } from "../http-client.ts";

export interface AceStepJob {
	readonly taskId: string;
}

export interface AceStepOrder {
	readonly model: Model;
	readonly input: Readonly<Record<string, unknown>>;
	readonly fields: OrderFields;
}

const RUNNING = 0;
const SUCCEEDED = 1;
/** An unknown job looks like a waiting one; a known job soon reports progress. */
const SILENT_MS_MAX = 60_000;

/** One job of ACE-Step's HTTP service. It supports neither a lookup without an id, nor cancellation. */
export function aceStepJob(
	deps: { readonly name: string; readonly caller: ServiceCaller; readonly clock: Clock; readonly logger: Logger },
	{ model, input, fields }: AceStepOrder,
	task: EngineTask,
): JobService<AceStepJob> {
	const { caller, clock } = deps;
	let silentSinceMs: number | undefined;

	/** Errors are `{detail}`, or an envelope whose `code` is the status. */
	async function ask(path: string, json: object, signal: AbortSignal): Promise<unknown> {
		const { body } = await caller.json(path, { method: "POST", json, signal });
		const code = numberAt(body, "code") ?? 200;
		if (code === 200) return valueAt(body, "data");
		throw code >= 500 || code === 429 ? failedJob(`code_${code}`) : refusedOrder(`code_${code}`);
	}

	function working(item: unknown): Look {
		const progress = numberAt(item, "progress");
		if (item !== undefined) silentSinceMs = undefined;
		else silentSinceMs ??= clock.nowMs();
		if (silentSinceMs !== undefined && clock.nowMs() - silentSinceMs >= SILENT_MS_MAX) throw lostJob();
		return { kind: "open", progressPercent: progress === undefined ? undefined : progress * 100 };
	}

	async function fetchAll(items: readonly unknown[], signal: AbortSignal): Promise<readonly EngineOutput[]> {
		const files = items.flatMap((item) => textAt(item, "file") ?? []);
		const bytes = await Promise.all(files.map((file) => caller.file(pathOf(file), { signal })));
		return await describeOutputs(bytes, model.mediaType, seedOf(items[0]));
	}

	return {
		async submit(_key, signal) {
			// One song by default; ACE-Step's own default is two.
			const usual = { batch_size: 1, audio_format: "mp3", ...input };
			const body = orderBody({ input: usual, fields, prompt: "prompt", media: [] }, model, task);
			// ACE-Step ignores the seed without this flag.
			if (body["seed"] !== undefined) body["use_random_seed"] ??= false;
			try {
				const taskId = textAt(await ask("/release_task", body, signal), "task_id");
				if (taskId === undefined) throw unreadableOrder(200);
				return { taskId };
			} catch (error) {
				throw error instanceof CallFailedError && isOperatorsFault(error)
					? operatorsFault(deps.logger, deps.name, error)
					: error;
			}
		},
		async look({ taskId }, signal) {
			const data = await ask("/query_result", { task_id_list: [taskId] }, signal);
			const row = (Array.isArray(data) ? data : []).find((each) => textAt(each, "task_id") === taskId);
			const items = parsedList(textAt(row, "result"));
			const status = numberAt(row, "status") ?? RUNNING;
			if (status === RUNNING) return working(items[0]);
			if (status !== SUCCEEDED) throw failedJob();
			if (!items.some((item) => textAt(item, "file") !== undefined)) throw madeNothing();
			return { kind: "done", collect: (until) => fetchAll(items, until) };
		},
	};
}

/** A path of the service. Other values are file names, which the service serves under its file route. */
function pathOf(file: string): string {
	return file.startsWith("/v1/") ? file : `/v1/audio?path=${encodeURIComponent(file)}`;
}

/** `"12345,67890"`: one seed per song. */
function seedOf(item: unknown): number | null {
	const seed = Number((textAt(item, "seed_value") ?? "").split(",")[0]);
	return Number.isSafeInteger(seed) && seed > 0 ? seed : null;
}

/** The result is a string of JSON. */
function parsedList(text: string | undefined): readonly unknown[] {
	try {
		const list = JSON.parse(text ?? "[]") as unknown;
		return listAt({ list }, "list").filter(isObject);
	} catch {
		return [];
	}
}
