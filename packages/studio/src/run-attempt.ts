import { MASK_OPTION } from "@atelier/media-protocol/model";
import type { Logger } from "pino";
import { isStoreFailure } from "@atelier/store/store-errors";
import { orAborted } from "@atelier/common/or-aborted";
import { waitAtMost } from "@atelier/common/wait-at-most";
import { RunTakenOverError, type TaskCheckpoints } from "./task-checkpoints.ts";
import { noOutputError } from "./engines/job-errors.ts";
import {
	EngineError,
	type Engine,
	type EngineInputs,
	type EngineOutput,
	type ReportProgress,
} from "./engines/engine.ts";
import { InputMediaError, type InputFetcher } from "./fetch-input.ts";
import type { MediaStore } from "./media-store.ts";
import type { StudioContext } from "./studio-context.ts";
import { untilSaved } from "./until-saved.ts";
import {
	TASK_FAILURES,
	type ProcessingTask,
	type StoredOutput,
	type StudioRequest,
	type TaskFailure,
} from "./studio-task.ts";

/** The result of one run of an attempt. */
export type AttemptVerdict =
	| { readonly kind: "succeeded"; readonly outputs: readonly StoredOutput[] }
	| FailedAttempt
	/** This process has to leave the task, which continues in another process or after the next start. */
	| { readonly kind: "stopped" }
	| { readonly kind: "canceled" };

export interface FailedAttempt {
	readonly kind: "failed";
	readonly failure: TaskFailure;
	/** False if the request, its input media, or the storage of the studio caused the failure. */
	readonly isEngineFailure: boolean;
	/** As in `EngineError`. */
	readonly isRefused: boolean;
	/** The Retry-After of the engine; 0 without one. */
	readonly retryAfterMs: number;
}

export interface AttemptDeps extends StudioContext {
	readonly media: MediaStore;
	readonly fetchInputs: InputFetcher;
	readonly checkpoints: TaskCheckpoints;
}

/** A stop waits this long for an engine that has to record a submitted job first. Less than the timeout of a stop of the queue. */
const STOP_WAIT_MS = 4_000;
/** The longest message of an engine that a task shows. */
const MESSAGE_CHARS_MAX = 500;

/** One attempt of a task at an engine. */
interface Attempt {
	readonly task: ProcessingTask;
	readonly engine: Engine;
	/** Aborted with a `RunDeadlineError`. */
	readonly deadline: AbortSignal;
	readonly stop: AbortSignal;
	readonly cancel: AbortSignal;
	readonly report: ReportProgress;
}

export class RunDeadlineError extends Error {
	override readonly name = "RunDeadlineError";
}

/**
 * Runs a task once: runs the engine and stores its outputs. Ends at the deadline, on `stop` and on `cancel`,
 * even if the engine does not react; a late result of such an engine is dropped. Rejects if the store fails during the run
 * of the engine: the next sweep continues the attempt, and a paid job with it.
 */
export async function runAttempt(deps: AttemptDeps, attempt: Attempt, logger: Logger): Promise<AttemptVerdict> {
	const { task, engine, stop, cancel } = attempt;
	const { taskId, request } = task;
	const attemptEnded = new AbortController();
	const signal = AbortSignal.any([stop, cancel, attempt.deadline, attemptEnded.signal]);
	const checkpoint = deps.checkpoints.checkpointOf({ taskId, attempt: task.attempt, engine: engine.name });
	const readInputs = (): Promise<EngineInputs> => fetchEngineInputs(deps.fetchInputs, request.inputs, signal);
	let hasOutputs = false;
	try {
		const engineTask = { ...request, taskId, attempt: task.attempt, checkpoint, readInputs };
		const engineRun = engine.run(engineTask, signal, attempt.report);
		const engineOutputs = await orAborted(engineRun, signal).catch(async (error: unknown) => {
			if (stop.aborted) await waitAtMost(deps.clock, STOP_WAIT_MS, engineRun);
			throw error;
		});
		if (engineOutputs.length === 0) throw noOutputError();
		hasOutputs = true;
		const save = (): Promise<StoredOutput[]> =>
			Promise.all(engineOutputs.map((output) => saveOutput(deps.media, taskId, output)));
		const outputs = await untilSaved({ clock: deps.clock, logger }, save, signal);
		return { kind: "succeeded", outputs };
	} catch (error) {
		if (stop.aborted) return { kind: "stopped" };
		if (cancel.aborted) return { kind: "canceled" };
		if (error instanceof RunTakenOverError) return { kind: "stopped" };
		if (isStoreFailure(error)) throw error;
		const verdict = failedAttempt(error, hasOutputs);
		logger.warn({ err: error, failure: verdict.failure.code, engine: engine.name }, "attempt failed");
		return verdict;
	} finally {
		attemptEnded.abort(new Error("the attempt has ended"));
	}
}

async function fetchEngineInputs(
	fetchInputs: InputFetcher,
	inputs: StudioRequest["inputs"],
	signal: AbortSignal,
): Promise<EngineInputs> {
	const { [MASK_OPTION]: maskUrls = [], ...otherUrls } = inputs;
	const imageUrls = Object.values(otherUrls).flat();
	const fetched = await fetchInputs([...imageUrls, ...maskUrls], signal);
	return { images: fetched.slice(0, imageUrls.length), mask: fetched[imageUrls.length] };
}

async function saveOutput(media: MediaStore, taskId: string, output: EngineOutput): Promise<StoredOutput> {
	const saved = await media.save(output.bytes, taskId);
	if (!saved || saved.type !== output.type) {
		throw new EngineError("no_output", `the engine's output is not of type ${output.type}`, { retryable: true });
	}
	const { file, contentType, sizeBytes, sha256 } = saved;
	const { type, width, height, durationSeconds, seed } = output;
	return { type, file, contentType, sizeBytes, sha256, width, height, durationSeconds, seed };
}

function failedAttempt(error: unknown, hasOutputs: boolean): FailedAttempt {
	const failure = failureOf(error);
	const isUnsaved = hasOutputs && error instanceof RunDeadlineError;
	const engineError = error instanceof EngineError ? error : undefined;
	return {
		kind: "failed",
		failure,
		isEngineFailure: !(error instanceof InputMediaError) && !isUnsaved && mayBlameEngine(failure),
		isRefused: engineError?.isRefused ?? false,
		retryAfterMs: engineError?.retryAfterMs ?? 0,
	};
}

function mayBlameEngine({ code, retryable }: TaskFailure): boolean {
	// A paid submit with an unknown outcome is not retried, but its engine did not respond.
	return retryable || code === "internal" || code === "upstream_timeout";
}

/** Returns the failure for the client: the text of an engine error, but no text of other errors. */
function failureOf(error: unknown): TaskFailure {
	if (error instanceof EngineError) {
		return { code: error.code, message: error.message.slice(0, MESSAGE_CHARS_MAX), retryable: error.retryable };
	}
	return error instanceof RunDeadlineError ? TASK_FAILURES.ranTooLong : TASK_FAILURES.brokenEngine;
}
