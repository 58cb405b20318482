import type { CatalogModel } from "./catalog-model.ts";

/**
 * The checkpoint that an engine writes during an attempt. After a crash the same attempt runs again with it, so that a
 * paid job is found again. Removed when the attempt has failed or the task has ended.
 */
export interface Checkpoint {
	/** `undefined` if this engine has not written in this attempt. */
	read(): Promise<unknown>;
	/** Writes the checkpoint, which the run has read before. Resolves once the checkpoint is as durable as the task. */
	write(content: object): Promise<void>;
}

export interface EngineTask {
	readonly taskId: string;
	/** The number of the attempt, from 1. Only a failure starts another attempt. */
	readonly attempt: number;
	readonly checkpoint: Checkpoint;
	readonly model: string;
	readonly scene: string;
	readonly prompt: string;
	/** Validated against the model's schema, with defaults, without input media. */
	readonly options: Readonly<Record<string, string | number | boolean>>;
	/**
	 * Downloads and verifies the input media. Called before a submit only: the address of the media may fail when a job continues.
	 */
	readInputs(): Promise<EngineInputs>;
}

export interface EngineInputs {
	readonly images: readonly Uint8Array[];
	/** Limits the change of the first image to the white areas of the mask. */
	readonly mask?: Uint8Array | undefined;
}

export interface EngineOutput {
	readonly type: "image" | "video" | "audio";
	readonly bytes: Uint8Array;
	readonly width: number | null;
	readonly height: number | null;
	readonly durationSeconds: number | null;
	readonly seed: number | null;
}

/** The `error.code` of a failed task: docs/studio-api.md. */
export type FailureCode =
	| "invalid_input"
	| "content_policy"
	| "upstream_error"
	| "upstream_timeout"
	| "timeout"
	| "no_output"
	| "engine_unavailable"
	| "internal";

/** An engine's failure. `retryable` decides whether the studio tries again. */
export class EngineError extends Error {
	override readonly name = "EngineError";
	readonly code: FailureCode;
	readonly retryable: boolean;
	/** True if the engine certainly did not accept the task: up to a limit, the attempt does not count. */
	readonly isRefused: boolean;
	/** The Retry-After of the engine, if any. */
	readonly retryAfterMs: number | undefined;

	constructor(
		code: FailureCode,
		message: string,
		options: { retryable: boolean; isRefused?: boolean; cause?: unknown; retryAfterMs?: number | undefined },
	) {
		super(message, { cause: options.cause });
		this.code = code;
		this.retryable = options.retryable;
		this.isRefused = options.isRefused ?? false;
		this.retryAfterMs = options.retryAfterMs;
	}
}

/**
 * The abort reason when the service stops or another process may have the task: remote work continues, and that process
 * or the next start resumes it. With any other reason, `cancelJob` is called for it.
 */
export class ServiceStoppingError extends Error {
	override readonly name = "ServiceStoppingError";
}

/** Reports progress, 0 to 100, and the position in the engine's queue while the job waits, where 1 is next. */
export type ReportProgress = (progressPercent: number, queuePosition?: number) => void;

/** Generates media for the studio. */
export interface Engine {
	readonly name: string;
	/** The limit of concurrent tasks; defaults to the studio's own. */
	readonly concurrency?: number;
	models(): readonly CatalogModel[];
	/** Generates the media of one task. Rejects with the signal's reason when aborted. */
	run(task: EngineTask, signal: AbortSignal, report: ReportProgress): Promise<readonly EngineOutput[]>;
	/**
	 * Cancels the remote job of an aborted run, also of another process, as its checkpoint names it, if the engine supports
	 * that. Bounded in time. Absent for engines without remote jobs.
	 */
	cancelJob?(task: EngineTask, signal: AbortSignal): Promise<void>;
	close(): Promise<void>;
}
