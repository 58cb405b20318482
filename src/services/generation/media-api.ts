import type { GenerationRequest } from "./request.ts";
import type { Model } from "@atelier/media-protocol/model";
import type { SubmissionLookup } from "@atelier/media-protocol/parse-lookup";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";

/** What a service says to a cancel: that it will see to it, or that it has no such thing. The task's own state tells the end. */
export type CancelResponse = "requested" | "not_supported";

/**
 * The media generation service, as the bot sees it. Every call may throw one of the errors below, and no other, unless
 * its signal is aborted on purpose.
 *
 * Every call sends one request at most. What may be repeated is told by the error, and repeating is left to those who
 * remember what they did: the steps of a task, whose state outlives the process, and the catalogue, which asks again.
 */
export interface MediaApi {
	/** Where the service is: ids of tasks are unique within it. */
	readonly origin: string;
	/** Whether a submit that is repeated with the same key makes nothing twice. */
	readonly honoursIdempotencyKey: boolean;
	/** Whether what became of a submit without an answer can be found out: by a look-up, or by sending it again. */
	readonly canLookUp: boolean;
	/** How long a submit waits for its answer at most. */
	readonly submitTimeoutMs: number;
	/** Submits an order once; resolves to the service's id of the task. */
	submit(order: GenerationRequest, idempotencyKey: string, signal: AbortSignal): Promise<{ readonly remoteId: string }>;
	/** `order` tells a result from what was sent with the request, and from covers. */
	read(
		remoteId: string,
		order: Pick<GenerationRequest, "mediaType" | "options" | "prompt">,
		signal: AbortSignal,
	): Promise<RemoteTask>;
	/** Asks the service to end a task. Repeating it is safe. */
	cancel(remoteId: string, signal: AbortSignal): Promise<CancelResponse>;
	/** Looks an order up whose submit had an unknown outcome. */
	find(idempotencyKey: string, signal: AbortSignal): Promise<SubmissionLookup>;
	/** The service's models; `undefined` where it does not list them. */
	models(signal: AbortSignal): Promise<ListedModels | undefined>;
	/** How long a submit of now would not be sent, because the service said that there are too many; 0 where it would. */
	submitHeldForMs(): number;
	/** What the last calls have shown, without a new one. */
	health(): ServiceHealth;
}

/** Whether the service is there. While it is down, calls before `retryAtMs` fail at once and nothing is sent. */
export type ServiceHealth =
	| { readonly state: "up" }
	| { readonly state: "down"; readonly sinceMs: number; readonly retryAtMs: number; readonly reason: string };

/** What a service lists, and what of it this version does not understand. */
export interface ListedModels {
	readonly models: readonly Model[];
	readonly notUnderstood: number;
	readonly firstReason?: string | undefined;
}

/** The family's edge: whatever goes wrong with the service arrives as one of its members. */
export abstract class MediaError extends Error {}

/** The service understood and said no. Void the hold, never repeat. */
export class MediaRefusedError extends MediaError {
	override readonly name = "MediaRefusedError";
	readonly code: string;
	/** In the service's own words, which may repeat the prompt: `redactReason` comes before a log, `quote` before a member. */
	readonly reason: string;
	readonly httpStatus: number | undefined;
	readonly retryAfterMs: number | undefined;

	constructor(code: string, reason: string, httpStatus?: number, retryAfterMs?: number) {
		super(`the service refused: ${code}`);
		this.code = code;
		this.reason = reason;
		this.httpStatus = httpStatus;
		this.retryAfterMs = retryAfterMs;
	}
}

/** Not there; not there for a while, as it says; there, and busy; or so often not there that this time it was not even tried. */
type UnavailableReason = "not_reached" | "asked_to_wait" | "rate_limited" | "known_down";

interface UnavailableOptions extends ErrorOptions {
	readonly why?: UnavailableReason;
	readonly retryAfterMs?: number | undefined;
	readonly isKnown?: boolean;
	readonly reason?: string;
}

/** The service took nothing: it was not reached, or asked for patience. Repeating is safe. */
export class MediaUnavailableError extends MediaError {
	override readonly name = "MediaUnavailableError";
	readonly why: UnavailableReason;
	/** What the service asks for, or, where it is known to be down, the time until it is tried again. */
	readonly retryAfterMs: number | undefined;
	/** Whether it was not even tried, because of what earlier calls have shown. */
	readonly isKnown: boolean;
	/** As in `MediaRefusedError`; empty where the service gave none. */
	readonly reason: string;

	constructor(message: string, options: UnavailableOptions = {}) {
		super(message, options);
		this.why = options.why ?? "not_reached";
		this.retryAfterMs = options.retryAfterMs;
		this.isKnown = options.isKnown ?? false;
		this.reason = options.reason ?? "";
	}
}

/** The call ended without an answer. Whether the service acted on it is unknown. */
export class MediaTimeoutError extends MediaError {
	override readonly name = "MediaTimeoutError";
}

/** An answer came that is no answer to the call. Whether the service acted on it is unknown. */
export class MediaHttpError extends MediaError {
	override readonly name = "MediaHttpError";
	readonly status: number;
	/** As in `MediaRefusedError`; empty where the service gave none. */
	readonly reason: string;

	constructor(message: string, status: number, options: ErrorOptions & { readonly reason?: string } = {}) {
		super(message, options);
		this.status = status;
		this.reason = options.reason ?? "";
	}
}
