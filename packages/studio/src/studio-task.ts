/**
 * The states of a task, described for clients in docs/studio-api.md.
 *
 *     pending -> processing -> success | failed
 *     processing -> pending     another attempt after a temporary failure, or the same one after a stop of the service
 *     pending -> failed         waited too long, or no engine serves its model any more
 *     pending -> canceled       immediately
 *     processing -> canceled    once the engine has canceled it; it may also finish first
 *
 * `pending` is written with its credits reserved, before the response to the client. `success` is written only when the
 * outputs are safely stored; the credits are posted after that, and voided after `failed` and `canceled`. The last
 * three states are final. Every transition is one compare-and-set on the stored document, and only its winner continues.
 */
import type { MediaType } from "@atelier/media-protocol/model";
import type { EngineOutput, FailureCode } from "./engines/engine.ts";
import type { StudioLimits } from "./limits.ts";

export const TASK_STATES = ["pending", "processing", "success", "failed", "canceled"] as const;

export interface Warning {
	readonly code: string;
	readonly message: string;
}

export interface TaskFailure {
	readonly code: FailureCode;
	readonly message: string;
	readonly retryable: boolean;
}

/** The failures of the service itself. */
export const TASK_FAILURES = {
	ranTooLong: { code: "timeout", message: "the run took too long", retryable: true },
	deadlinePassed: { code: "timeout", message: "the task took longer than it may", retryable: true },
	noEngine: { code: "engine_unavailable", message: "no engine serves this model any more", retryable: false },
	brokenEngine: { code: "internal", message: "the engine failed unexpectedly", retryable: false },
	interruptedTooOften: {
		code: "internal",
		message: "the service stopped too often while it worked on this task",
		retryable: true,
	},
} as const satisfies Record<string, TaskFailure>;

/** An output of an engine whose bytes are in the media store. */
export interface StoredOutput extends Omit<EngineOutput, "bytes"> {
	/** Name of the file in the media store. */
	readonly file: string;
	readonly contentType: string;
	readonly sizeBytes: number;
	readonly sha256: string;
}

/** The request, validated and with defaults. */
export interface StudioRequest {
	readonly mediaType: MediaType;
	readonly model: string;
	readonly scene: string;
	readonly prompt: string;
	readonly options: Readonly<Record<string, string | number | boolean>>;
	/** URLs of the input media by option, for each option with a URL. */
	readonly inputs: Readonly<Record<string, readonly string[]>>;
	readonly warnings: readonly Warning[];
	/** Fixed at the submit. */
	readonly priceCredits: number;
	readonly priceVersion: string;
}

interface TaskBase {
	readonly taskId: string;
	readonly account: string;
	readonly request: StudioRequest;
	/** Receives a callback when the task has ended; `null`: none is sent. */
	readonly callbackUrl: string | null;
	/** The hash of the request's body; `null` for a submit without an idempotency key. */
	readonly bodySha256: string | null;
	/** The ledger account of the key's spend cap; `null` for a key without a cap. */
	readonly capAccount: string | null;
	/** The number of started attempts, without one that was interrupted and waits for its repetition. */
	readonly attempt: number;
	/** Refused attempts that do not count towards `attemptsMax`. */
	readonly refusals: number;
	/** Interrupted runs, which do not count as attempts. */
	readonly interruptions: number;
	readonly createdAtMs: number;
	readonly updatedAtMs: number;
	/** The start of the first run; `null` before it. */
	readonly startedAtMs: number | null;
	/** The total time from the last updates of interrupted runs to their recovery, which the deadline does not count. */
	readonly downtimeMs: number;
	/** Cancellation was requested: the task is never retried, and ends as canceled unless its engine is faster. */
	readonly cancelRequested: boolean;
}

export type PendingStudioTask = TaskBase & {
	readonly state: "pending";
	readonly notBeforeMs: number;
	/** The engine that ran this attempt when the service stopped, and may still have it. */
	readonly engine?: string;
};
export type ProcessingTask = TaskBase & {
	readonly state: "processing";
	readonly engine: string;
	readonly progressPercent: number;
	/** The position in the engine's own queue, where 1 is next. */
	readonly enginePosition: number | null;
};
type OpenTask = PendingStudioTask | ProcessingTask;

/** An attempt to send the callback of an ended task. */
export interface CallbackAttempt {
	readonly atMs: number;
	readonly durationMs: number;
	readonly httpStatus?: number;
	/** The reason why there was no response. */
	readonly error?: string;
}
export type EndedTask = TaskBase & {
	readonly completedAtMs: number;
	readonly callbackAttempts?: readonly CallbackAttempt[];
} & (
		| { readonly state: "success"; readonly outputs: readonly StoredOutput[] }
		| { readonly state: "failed"; readonly failure: TaskFailure }
		| { readonly state: "canceled" }
	);
export type StudioTask = OpenTask | EndedTask;

export function isEnded(task: StudioTask): task is EndedTask {
	return task.state === "success" || task.state === "failed" || task.state === "canceled";
}

export function newTask(
	taskId: string,
	account: string,
	request: StudioRequest,
	submitFields: Pick<TaskBase, "bodySha256" | "callbackUrl" | "capAccount">,
	nowMs: number,
): PendingStudioTask {
	return {
		...submitFields,
		taskId,
		account,
		request,
		attempt: 0,
		refusals: 0,
		interruptions: 0,
		createdAtMs: nowMs,
		updatedAtMs: nowMs,
		startedAtMs: null,
		downtimeMs: 0,
		cancelRequested: false,
		state: "pending",
		notBeforeMs: nowMs,
	};
}

/** A transition: returns the next document, or `undefined` if the state does not allow it. */
export type Transition<T extends StudioTask = StudioTask> = (task: StudioTask, nowMs: number) => T | undefined;

/** An engine starts the next attempt of a waiting task. A late task fails instead. */
export function startAttempt(engine: string, limits: StudioLimits): Transition<ProcessingTask | EndedTask> {
	return (task, nowMs) => {
		if (task.state !== "pending") return undefined;
		if (isLate(task, limits, nowMs)) return failWith(TASK_FAILURES.deadlinePassed)(task, nowMs);
		return {
			...baseOf(task, nowMs),
			attempt: task.attempt + 1,
			startedAtMs: task.startedAtMs ?? nowMs,
			state: "processing",
			engine,
			progressPercent: 0,
			enginePosition: null,
		};
	};
}

/** The progress of a run, as its engine reports it. */
export interface RunProgress {
	readonly progressPercent: number;
	readonly enginePosition: number | null;
}

/** Records progress of this attempt. Percentages only increase. */
export function recordProgress(
	attempt: number,
	{ progressPercent, enginePosition }: RunProgress,
): Transition<ProcessingTask> {
	return (task, nowMs) => {
		if (task.state !== "processing" || task.attempt !== attempt) return undefined;
		const percent = Math.max(task.progressPercent, progressPercent);
		return { ...task, updatedAtMs: nowMs, progressPercent: percent, enginePosition };
	};
}

/** The attempt has failed, and the next one starts at this time. */
export function retryAt(notBeforeMs: number, refusals: number): Transition<PendingStudioTask> {
	return (task, nowMs) =>
		task.state === "processing" ? { ...baseOf(task, nowMs), refusals, state: "pending", notBeforeMs } : undefined;
}

/** The service stopped during a run: the same attempt waits for its repetition. */
const repeatAttempt: Transition<PendingStudioTask> = (task, nowMs) =>
	task.state === "processing"
		? {
				...baseOf(task, nowMs),
				attempt: task.attempt - 1,
				interruptions: task.interruptions + 1,
				downtimeMs: task.downtimeMs + (nowMs - task.updatedAtMs),
				state: "pending",
				notBeforeMs: nowMs,
				engine: task.engine,
			}
		: undefined;

/** The outputs are stored. */
export function succeedWith(outputs: readonly StoredOutput[]): Transition<EndedTask> {
	return (task, nowMs) =>
		task.state === "processing"
			? { ...baseOf(task, nowMs), state: "success", outputs, completedAtMs: nowMs }
			: undefined;
}

/** Ends an open task. */
export function failWith(failure: TaskFailure): Transition<EndedTask> {
	return (task, nowMs) =>
		isEnded(task) ? undefined : { ...baseOf(task, nowMs), state: "failed", failure, completedAtMs: nowMs };
}

/** Ends a waiting task, and records the request for a running one. */
export const requestCancellation: Transition = (task, nowMs) => {
	if (task.state === "pending") return asCanceled(task, nowMs);
	return task.state === "processing" && !task.cancelRequested
		? { ...task, updatedAtMs: nowMs, cancelRequested: true }
		: undefined;
};

/**
 * Adds an attempt to the log of the callback. The task stays as clients see it. Not allowed if the log has another length,
 * because another process made the same attempt.
 */
export function recordCallbackAttempt(attempt: CallbackAttempt, attemptsBefore: number): Transition<EndedTask> {
	return (task) => {
		if (!isEnded(task)) return undefined;
		const { callbackAttempts = [] } = task;
		return callbackAttempts.length === attemptsBefore
			? { ...task, callbackAttempts: [...callbackAttempts, attempt] }
			: undefined;
	};
}

/** Wraps a transition: a task with a cancellation request ends as canceled instead. */
export function unlessCanceled<T extends StudioTask>(transition: Transition<T>): Transition<T | EndedTask> {
	return (task, nowMs) => (!isEnded(task) && task.cancelRequested ? asCanceled(task, nowMs) : transition(task, nowMs));
}

/** Ends an open task whose cancellation was requested. */
export const endIfCanceled: Transition<EndedTask> = unlessCanceled<EndedTask>(() => undefined);

/** Wraps a transition: it applies only while the task is in this run, so a process that has lost the task changes nothing. */
export function onlyForRun<T extends StudioTask>(run: ProcessingTask, transition: Transition<T>): Transition<T> {
	return (task, nowMs) =>
		task.attempt === run.attempt && task.interruptions === run.interruptions ? transition(task, nowMs) : undefined;
}

function asCanceled(task: OpenTask, nowMs: number): EndedTask {
	return { ...baseOf(task, nowMs), cancelRequested: true, state: "canceled", completedAtMs: nowMs };
}

/** Returns whether the deadline of the task has passed. */
export function isLate(task: StudioTask, limits: StudioLimits, nowMs: number): boolean {
	return deadlineMs(task, limits) <= nowMs;
}

/** No process runs the task: fails a waiting one that is late, and repeats an interrupted attempt, up to a limit. */
export function recover(limits: StudioLimits): Transition<PendingStudioTask | EndedTask> {
	return (task, nowMs) => {
		if (task.state === "pending") {
			return isLate(task, limits, nowMs) ? failWith(TASK_FAILURES.deadlinePassed)(task, nowMs) : undefined;
		}
		const isInterruptedTooOften = task.interruptions >= limits.interruptionsMax;
		const transition = isInterruptedTooOften ? failWith(TASK_FAILURES.interruptedTooOften) : repeatAttempt;
		return transition(task, nowMs);
	};
}

/** Returns when the task must have ended or, while it waits for its first run, must have started. */
export function deadlineMs(task: StudioTask, limits: StudioLimits): number {
	return task.startedAtMs === null
		? task.createdAtMs + limits.queueDeadlineMs
		: task.startedAtMs + task.downtimeMs + limits.runDeadlineMs[task.request.mediaType];
}

const FIELDS_OF_STATE = ["state", "notBeforeMs", "engine", "progressPercent", "enginePosition"] as const;
type FieldsOfState = Record<(typeof FIELDS_OF_STATE)[number], unknown>;

/** Removes the fields of the state. Those of a later version stay. */
function baseOf(task: OpenTask, nowMs: number): TaskBase {
	const base: TaskBase & Partial<FieldsOfState> = { ...task, updatedAtMs: nowMs };
	for (const field of FIELDS_OF_STATE) delete base[field];
	return base;
}
