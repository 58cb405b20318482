export const MEDIA_TYPES = ["image", "video", "music"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** The scene that makes a picture larger and nothing else of it: it starts from the picture alone. */
export const UPSCALE_SCENE = "upscale";

/** What one option of a model takes: the subset of JSON Schema that the catalogue speaks. */
export type OptionSchema =
	| {
			readonly type: "string";
			readonly description: string;
			readonly enum: readonly string[];
			readonly default: string;
	  }
	| { readonly type: "string"; readonly description: string; readonly maxLength: number }
	| {
			readonly type: "integer";
			readonly description: string;
			readonly minimum: number;
			readonly maximum: number;
			readonly default?: number;
	  }
	| { readonly type: "boolean"; readonly description: string; readonly default: boolean }
	/** URLs of media to start from. */
	| {
			readonly type: "array";
			readonly description: string;
			readonly items: { readonly type: "string"; readonly format: "uri" };
			readonly maxItems: number;
	  };

/** credits x factor of the chosen resolution x seconds where priced by the second; rounded up. */
export interface Price {
	readonly credits: number;
	readonly per: "output" | "second";
	readonly resolutionFactors: Readonly<Record<string, number>>;
}

/** One row of the catalogue, as `GET /api/v1/models` shows it. */
export interface Model {
	readonly id: string;
	readonly name: string;
	readonly description: string;
	readonly mediaType: MediaType;
	/** The first is the default. */
	readonly scenes: readonly string[];
	readonly options: Readonly<Record<string, OptionSchema>>;
	readonly price: Price;
	readonly typicalSeconds: number;
	/** What a picture to start from may have; said where there is a bound that its clients should know. */
	readonly inputPixelsMax?: number;
	/** For age-restricted places only; said by those that are. */
	readonly ageRestricted?: boolean;
}

/**
 * What an engine writes down of one attempt. After a crash the same attempt runs again with the same memo, so that an engine
 * that pays for its work finds the job that it has paid for. It is forgotten once the task has ended.
 */
export interface Memo {
	/** `undefined` where this engine has not written anything in this attempt. */
	read(): Promise<unknown>;
	/** Resolves when it is as durable as the task itself. */
	write(content: object): Promise<void>;
}

export interface EngineTask {
	readonly taskId: string;
	/** 1 is the first; only a fault begins another one. */
	readonly attempt: number;
	readonly memo: Memo;
	readonly model: string;
	readonly scene: string;
	readonly prompt: string;
	/** Checked against the model's schema, defaults filled in, input media taken out. */
	readonly options: Readonly<Record<string, string | number | boolean>>;
	/** The media that the task starts from, already fetched and known to be images. */
	readonly inputs: readonly Uint8Array[];
}

export interface EngineOutput {
	readonly type: "image" | "video" | "audio";
	readonly bytes: Uint8Array;
	readonly contentType: string;
	readonly width: number | null;
	readonly height: number | null;
	readonly durationSeconds: number | null;
	readonly seed: number | null;
}

/** Why an engine gave up. `retryable` decides whether the studio tries again. */
export class EngineError extends Error {
	override readonly name = "EngineError";
	/** The task's `error.code`, for instance `invalid_input` or `upstream_error`. */
	readonly code: string;
	readonly retryable: boolean;
	/** How long this engine asks to be left alone, where it says. */
	readonly retryAfterMs: number | undefined;

	constructor(
		code: string,
		message: string,
		options: { retryable: boolean; cause?: unknown; retryAfterMs?: number | undefined },
	) {
		super(message, { cause: options.cause });
		this.code = code;
		this.retryable = options.retryable;
		this.retryAfterMs = options.retryAfterMs;
	}
}

/**
 * The signal's reason when the service stops: work that goes on elsewhere is left alone, and taken up again after the next
 * start. With any other reason nobody wants it any more, and it is to be canceled.
 */
export class ServiceStoppingError extends Error {
	override readonly name = "ServiceStoppingError";
}

/**
 * How a run goes, as often as the engine likes: 0 to 100, and, as long as the job waits at the engine, its place in that
 * queue, where 1 is next.
 */
export type Report = (progressPercent: number, queuePosition?: number) => void;

/** What really makes the media behind the studio. */
export interface Engine {
	readonly name: string;
	/** Tasks it works on at a time; the studio's own bound where it does not say. */
	readonly concurrency?: number;
	models(): readonly Model[];
	/** Makes one task's media. Rejects with the signal's reason when aborted. */
	run(task: EngineTask, signal: AbortSignal, report: Report): Promise<readonly EngineOutput[]>;
	/**
	 * Nobody wants a run any more that another process began: what its memo says is canceled, where the engine can do that.
	 * Bounded in time. Left away by engines that have nothing elsewhere.
	 */
	letGo?(task: EngineTask, signal: AbortSignal): Promise<void>;
	close(): Promise<void>;
}
