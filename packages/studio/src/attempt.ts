import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { untilAborted } from "@atelier/common/until-aborted";
import type { EngineMemos } from "./engines/engine-checkpoints.ts";
import { EngineError, type Engine, type EngineOutput, type EngineTask, type Report } from "./engines/engine.ts";
import { FAULTS } from "./task-errors.ts";
import type { InputFetcher } from "./fetch-input.ts";
import type { MediaStore } from "./media-store.ts";
import type { ProcessingTask, StoredOutput, TaskFault } from "./task.ts";

/** How one run of an engine ended. */
export type AttemptVerdict =
	| { readonly kind: "made"; readonly outputs: readonly StoredOutput[] }
	/** `speaksAgainstEngine`: it failed at work, and not because of what was ordered or what the order starts from. */
	| {
			readonly kind: "fault";
			readonly fault: TaskFault;
			readonly speaksAgainstEngine: boolean;
			/** How long the engine asks to be left alone. */
			readonly retryAfterMs: number;
	  }
	/** The service is stopping; the task goes on after the next start. */
	| { readonly kind: "stopped" }
	| { readonly kind: "canceled" };

export interface AttemptDeps {
	readonly clock: Clock;
	readonly media: MediaStore;
	readonly fetchInputs: InputFetcher;
	readonly memos: EngineMemos;
}

const MESSAGE_CHARS_MAX = 500;

class RunDeadlineError extends Error {
	override readonly name = "RunDeadlineError";
}

/**
 * Runs a task once: inputs fetched, engine run, outputs stored. Ends at the deadline, on `stop` and on `cancel` even where the
 * engine does not listen; what such an engine still answers is dropped.
 */
export async function runAttempt(
	deps: AttemptDeps,
	run: {
		readonly task: ProcessingTask;
		readonly engine: Engine;
		readonly deadlineMs: number;
		readonly stop: AbortSignal;
		readonly cancel: AbortSignal;
		readonly report: Report;
	},
	logger: Logger,
): Promise<AttemptVerdict> {
	const over = new AbortController();
	const deadline = new AbortController();
	const signal = AbortSignal.any([run.stop, run.cancel, deadline.signal, over.signal]);
	deps.clock.sleep(Math.max(0, run.deadlineMs - deps.clock.nowMs()), over.signal).then(
		() => deadline.abort(new RunDeadlineError("the run took too long")),
		() => {},
	);
	const { taskId, attempt, order } = run.task;
	const { model, scene, prompt, options } = order;
	let engineBegan = false;
	try {
		const inputs = await untilAborted(deps.fetchInputs(Object.values(order.inputs).flat(), signal), signal);
		engineBegan = true;
		const memo = deps.memos.of({ taskId, attempt, engine: run.engine.name });
		const engineTask: EngineTask = { taskId, attempt, memo, model, scene, prompt, options, inputs };
		const made = await untilAborted(run.engine.run(engineTask, signal, run.report), signal);
		if (made.length === 0) throw new EngineError("no_output", "the engine made nothing", { retryable: true });
		const outputs = await Promise.all(made.map((output) => keepOutput(deps.media, taskId, output)));
		return { kind: "made", outputs };
	} catch (error) {
		if (run.stop.aborted) return { kind: "stopped" };
		if (run.cancel.aborted) return { kind: "canceled" };
		const fault = faultOf(error);
		logger.warn({ err: error, fault: fault.code, engine: run.engine.name }, "attempt failed");
		const retryAfterMs = (error instanceof EngineError ? error.retryAfterMs : undefined) ?? 0;
		return { kind: "fault", fault, speaksAgainstEngine: engineBegan && isNotTheOrders(fault), retryAfterMs };
	} finally {
		over.abort(new Error("the attempt is over"));
	}
}

async function keepOutput(media: MediaStore, taskId: string, output: EngineOutput): Promise<StoredOutput> {
	const kept = await media.keep(output.bytes, taskId);
	if (!kept || kept.type !== output.type) {
		throw new EngineError("no_output", `the engine's output is not ${output.type} media`, { retryable: true });
	}
	const { file, contentType, sizeBytes, sha256 } = kept;
	const { type, width, height, durationSeconds, seed } = output;
	return { type, file, contentType, sizeBytes, sha256, width, height, durationSeconds, seed };
}

function isNotTheOrders({ code, retryable }: TaskFault): boolean {
	return retryable || code === FAULTS.brokenEngine.code;
}

/** What the client may read of a failure: an engine's own words where it chose them, nothing of any other error. */
function faultOf(error: unknown): TaskFault {
	if (error instanceof EngineError) {
		return { code: error.code, message: error.message.slice(0, MESSAGE_CHARS_MAX), retryable: error.retryable };
	}
	return error instanceof RunDeadlineError ? FAULTS.ranTooLong : FAULTS.brokenEngine;
}
