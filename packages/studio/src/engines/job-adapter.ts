import { hash } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { EngineError, EngineOutput, EngineTask, ReportProgress } from "./engine.ts";
import { CallFailedError } from "./http-client.ts";

/** The job of a submit without a response; `undefined` if the service has none. */
export type LookupResult<Job> = Job | "cannot_tell" | undefined;

/** The state of a job. A failed one is thrown as `EngineError`. */
export type PollResult =
	| {
			readonly kind: "open";
			readonly progressPercent?: number | undefined;
			/** The position in the service's own queue: 1 is next. */
			readonly queuePosition?: number | undefined;
			/** The service asks for this wait before the next poll. */
			readonly waitMs?: number | undefined;
	  }
	/** The service shows no such job, or no file of a finished one. `error` is thrown if that lasts. */
	| {
			readonly kind: "missing";
			readonly error: EngineError;
			/** The time for which that may last; a minute by default. */
			readonly lostAfterMs?: number;
			/** The shape of a response without a file, for the log. */
			readonly shape?: string;
	  }
	/** Files can be downloaded repeatedly without another charge. */
	| { readonly kind: "done"; readonly collect: (signal: AbortSignal) => Promise<readonly EngineOutput[]> };

/** Submits a job within a bounded time. The idempotency key is a UUID that stays the same for one attempt. */
export type SubmitJob<Job> = (idempotencyKey: string) => Promise<Job>;

/** The operations of a service for one task. `Job` identifies the job as plain JSON. */
export interface JobAdapter<Job extends object> {
	/** Prepares the request of a job, such as uploads of input media. */
	prepareSubmit(signal: AbortSignal): Promise<SubmitJob<Job>>;
	/** Converts a failed call of a submit or its preparation; by default without the code of the service. */
	readonly toSubmitError?: (error: CallFailedError) => EngineError;
	/** Absent if the service can only look up jobs by its own id. */
	readonly lookUp?: (idempotencyKey: string, signal: AbortSignal) => Promise<LookupResult<Job>>;
	poll(job: Job, signal: AbortSignal): Promise<PollResult>;
	/** Absent if the service cannot cancel. */
	readonly cancel?: (job: Job, signal: AbortSignal) => Promise<void>;
	/** Reports progress until the signal aborts, best effort. */
	follow?(idempotencyKey: string, report: (progressPercent: number) => void, signal: AbortSignal): void;
}

export interface JobEngineDeps {
	/** The name of the engine. */
	readonly name: string;
	/** True if a second job for the same task would cost money, not only time. */
	readonly isPaid: boolean;
	/** By media type by default. */
	readonly pollIntervalMs?: number;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** One run of a task at an engine with jobs. */
export interface JobRun<Job extends object> extends JobEngineDeps {
	readonly task: EngineTask;
	readonly adapter: JobAdapter<Job>;
	readonly idempotencyKey: string;
	readonly signal: AbortSignal;
	readonly report: ReportProgress;
	readonly pollIntervalMs: number;
}

/** The content of the checkpoint of a task. It has no job until the submit has succeeded. */
interface JobCheckpoint<Job> {
	readonly job?: Job;
}

export async function readJobCheckpoint<Job extends object>(task: EngineTask): Promise<JobCheckpoint<Job> | undefined> {
	return (await task.checkpoint.read()) as JobCheckpoint<Job> | undefined;
}

/** Derives the key from the task id by a hash: a service that knew the id could read the task. */
export function idempotencyKeyOf({ taskId, attempt }: EngineTask, engine: string): string {
	const hex = hash("sha256", `${taskId}/${attempt}/${engine}`);
	return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
		"-",
	);
}

export function isRetryableCall(error: unknown): error is CallFailedError {
	return error instanceof CallFailedError && error.retryable;
}
