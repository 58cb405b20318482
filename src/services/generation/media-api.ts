import type { GenerationRequest } from "./request.ts";
import type { Model } from "@atelier/media-protocol/model";
import type { SubmissionLookup } from "@atelier/media-protocol/parse-submission-lookup";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";

/**
 * The response to a cancel request: the service accepted the request, or has no such operation. Only a later poll tells whether the
 * task was canceled.
 */
export type CancelResponse = "requested" | "not_supported";

/**
 * The media generation service, as the bot sees it. Every call throws only the errors below, unless its signal is
 * aborted. A call sends one request at most, and its error tells whether a repeat is safe. The callers repeat: the steps
 * of a task, whose state survives the process, and the catalog, which refreshes regularly.
 */
export interface MediaApi {
	/** The origin of the service: task ids are unique within it. */
	readonly origin: string;
	/** True if a repeated submit with the same key runs once. */
	readonly honorsIdempotencyKey: boolean;
	/** The longest time (ms) that a submit takes. */
	readonly submitTimeoutMs: number;
	/** Submits a request once. Resolves to the remote id. */
	submit(
		request: GenerationRequest,
		idempotencyKey: string,
		signal: AbortSignal,
	): Promise<{ readonly remoteId: string }>;
	/** Reads the state of a task. The request distinguishes its results from inputs and covers. */
	read(remoteId: string, request: PolledRequest, signal: AbortSignal): Promise<RemoteTask>;
	/** Asks the service to cancel a task. A repeat is safe. */
	cancel(remoteId: string, signal: AbortSignal): Promise<CancelResponse>;
	/** Looks up a task whose submit is unconfirmed. */
	find(idempotencyKey: string, signal: AbortSignal): Promise<SubmissionLookup>;
	/** Returns the service's models; `undefined` if it does not list them. */
	models(signal: AbortSignal): Promise<ListedModels | undefined>;
	/** Returns how long a rate limit of the service delays the next submit; 0 if it would be sent now. */
	submitDelayMs(): number;
	/** Returns the health as of the last calls; sends nothing. */
	health(): ServiceHealth;
}

/** The fields of a request that help to parse the response to a poll. */
export type PolledRequest = Pick<GenerationRequest, "mediaType" | "options" | "prompt">;

/** While the service is down, calls before `retryAtMs` fail immediately and send nothing. */
export type ServiceHealth =
	| { readonly state: "up" }
	| { readonly state: "down"; readonly sinceMs: number; readonly retryAtMs: number; readonly reason: string };

/** The listed models, and the number of entries that this version cannot parse. */
export interface ListedModels {
	readonly models: readonly Model[];
	readonly invalidCount: number;
	/** The first invalid entry's problem. */
	readonly firstReason?: string | undefined;
}

/** The base of all errors of a call. */
export abstract class MediaError extends Error {}

/** The service understood and rejected the request. Void the hold, never repeat. */
export class MediaRejectedError extends MediaError {
	override readonly name = "MediaRejectedError";
	readonly code: string;
	/**
	 * The service's own words, which may repeat the prompt. Call `redactReason` before logging, and `quote` before
	 * showing it to a member.
	 */
	readonly reason: string;
	readonly httpStatus: number | undefined;
	readonly retryAfterMs: number | undefined;

	constructor(code: string, reason: string, httpStatus?: number, retryAfterMs?: number) {
		super(`the service rejected the request: ${code}`);
		this.code = code;
		this.reason = reason;
		this.httpStatus = httpStatus;
		this.retryAfterMs = retryAfterMs;
	}
}

type UnavailableKind =
	/** The service was unreachable. */
	| "not_reached"
	/** The service asked for a retry later. */
	| "asked_to_wait"
	/** The service limits the rate. */
	| "rate_limited"
	/** Earlier calls found the service down, so nothing was sent. */
	| "known_down";

interface UnavailableOptions extends ErrorOptions {
	/** `not_reached` if absent. */
	readonly kind?: UnavailableKind;
	readonly retryAfterMs?: number | undefined;
	readonly isSuppressed?: boolean;
	readonly reason?: string;
}

/** The service accepted nothing: it was unreachable, or asked for a retry later. A repeat is safe. */
export class MediaUnavailableError extends MediaError {
	override readonly name = "MediaUnavailableError";
	readonly kind: UnavailableKind;
	/** The service's retry time or, while it is known to be down or limits the rate, the time until the next attempt. */
	readonly retryAfterMs: number | undefined;
	/** True if nothing was sent, because of earlier failures or a rate limit. */
	readonly isSuppressed: boolean;
	/** As in `MediaRejectedError`; empty if the service gave none. */
	readonly reason: string;

	constructor(message: string, options: UnavailableOptions = {}) {
		super(message, options);
		this.kind = options.kind ?? "not_reached";
		this.retryAfterMs = options.retryAfterMs;
		this.isSuppressed = options.isSuppressed ?? false;
		this.reason = options.reason ?? "";
	}
}

/** The call ended without a response. It is unknown whether the service acted. */
export class MediaTimeoutError extends MediaError {
	override readonly name = "MediaTimeoutError";
}

/** The response is not valid, or reports an error of the service itself. It is unknown whether the service acted. */
export class MediaHttpError extends MediaError {
	override readonly name = "MediaHttpError";
	readonly status: number;
	/** As in `MediaRejectedError`; empty if the service gave none. */
	readonly reason: string;

	constructor(message: string, status: number, options: ErrorOptions & { readonly reason?: string } = {}) {
		super(message, options);
		this.status = status;
		this.reason = options.reason ?? "";
	}
}
