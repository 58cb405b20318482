import type { Clock } from "@atelier/common/clock";
import { BodyTooLargeError, readBounded } from "@atelier/common/read-bounded";
import { mayHaveActed, mayHaveBeenSent, parseRetryAfter } from "@atelier/media-protocol/call-outcome";
import { parseJson } from "@atelier/media-protocol/parse-value";
import { USER_AGENT } from "@atelier/common/user-agent";
import { createTimeout } from "../timeout.ts";
import { EngineError, type FailureCode } from "./engine.ts";

/** Enough for a description of a job; calls whose response may contain files pass a limit of their own. */
const RESPONSE_BYTES_MAX = 1024 * 1024;
const FILE_BYTES_MAX = 100 * 1024 * 1024;
/** From the start of the response to the end of a file. */
const FILE_TIMEOUT_MS = 5 * 60_000;
/** A longer Retry-After would exceed the task's deadline. */
const RETRY_AFTER_MS_MAX = 60 * 60 * 1000;

/** A call without a successful response. An engine that does not convert it fails its task with this code. */
export class CallFailedError extends EngineError {
	/** True if the service may have acted nevertheless. */
	readonly mayHaveActed: boolean;
	/** The HTTP status; 0 without a response. */
	readonly status: number;
	/** The body, if it is JSON. */
	readonly body: unknown;

	constructor(
		code: FailureCode,
		message: string,
		options: ConstructorParameters<typeof EngineError>[2] & {
			readonly mayHaveActed: boolean;
			readonly status?: number;
			readonly body?: unknown;
		},
	) {
		super(code, message, { ...options, isRefused: !options.mayHaveActed });
		this.mayHaveActed = options.mayHaveActed;
		this.status = options.status ?? 0;
		this.body = options.body;
	}
}

interface CallOptions {
	/** Absent for the submit of a job, whose response is needed to cancel or resume it. */
	readonly signal?: AbortSignal;
	readonly method?: "GET" | "POST" | "PUT" | "DELETE";
	readonly json?: object;
	readonly form?: FormData;
	readonly headers?: Readonly<Record<string, string>>;
	readonly bytesMax?: number;
}

export interface ServiceResponse {
	readonly status: number;
	/** The parsed body; `undefined` unless the body is JSON. */
	readonly body: unknown;
}

export type ServiceClient = ReturnType<typeof createServiceClient>;

/** Returns the authorization header for a secret, if there is one. */
export function bearer(secret: string | undefined): Readonly<Record<string, string>> {
	return secret === undefined ? {} : { authorization: `Bearer ${secret}` };
}

/**
 * The HTTP client of one service. Every call is bounded in time and bytes, and rejects with `CallFailedError` or, if
 * aborted, with the signal's reason. Follows no redirect. A path is relative to the service's URL, or a URL at its origin.
 */
export function createServiceClient(deps: {
	readonly url: string;
	/** Headers of every request, the secret included; sent to this origin only. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly timeoutMs: number;
	readonly clock: Clock;
}) {
	const base = deps.url.replace(/\/+$/, "");
	const { origin } = new URL(base);

	function urlOf(path: string): string {
		const url = new URL(path.startsWith("/") ? base + path : path, base);
		if (url.origin !== origin) throw new Error("the URL belongs to another service");
		return url.href;
	}

	async function send<T>(
		path: string,
		options: CallOptions,
		bodyTimeoutMs: number,
		read: (response: Response) => Promise<T>,
	): Promise<T> {
		const { method = "GET", json, form, headers, signal } = options;
		const tooLong = new Error("the call took too long");
		using startTimeout = createTimeout(deps.clock, deps.timeoutMs, tooLong);
		using timeout = createTimeout(deps.clock, deps.timeoutMs + bodyTimeoutMs, tooLong);
		const timeouts = AbortSignal.any([startTimeout.signal, timeout.signal]);
		try {
			const response = await fetch(urlOf(path), {
				method,
				redirect: "manual",
				signal: signal ? AbortSignal.any([signal, timeouts]) : timeouts,
				headers: {
					"user-agent": USER_AGENT,
					...deps.headers,
					...headers,
					...(json !== undefined && { "content-type": "application/json" }),
				},
				...(json !== undefined && { body: JSON.stringify(json) }),
				...(form !== undefined && { body: form }),
			});
			startTimeout[Symbol.dispose]();
			if (!response.ok) {
				const bytes = await readBounded(response, RESPONSE_BYTES_MAX).catch(() => new Uint8Array());
				const retryAfterMs = parseRetryAfter(response.headers.get("retry-after") ?? "", deps.clock.nowMs());
				const waitMs = retryAfterMs && Math.min(RETRY_AFTER_MS_MAX, retryAfterMs);
				throw callFailedError(response.status, parseBytes(bytes), waitMs);
			}
			return await read(response);
		} catch (error) {
			signal?.throwIfAborted();
			if (error instanceof CallFailedError) throw error;
			if (timeouts.aborted) {
				throw new CallFailedError("upstream_timeout", "the engine did not respond in time", {
					retryable: true,
					mayHaveActed: true,
				});
			}
			const wasSent = mayHaveBeenSent(error);
			const message = wasSent ? "the connection to the engine was lost" : "the engine cannot be reached";
			throw new CallFailedError("upstream_error", message, { retryable: true, mayHaveActed: wasSent, cause: error });
		}
	}

	return {
		origin,
		json: (path: string, options: CallOptions): Promise<ServiceResponse> =>
			send(path, options, 0, async (response) => {
				const bytes = await readBody(response, options.bytesMax ?? RESPONSE_BYTES_MAX);
				return { status: response.status, body: parseBytes(bytes) };
			}),
		file: (path: string, options: CallOptions): Promise<Uint8Array> =>
			send(path, options, FILE_TIMEOUT_MS, (response) => readBody(response, options.bytesMax ?? FILE_BYTES_MAX)),
	};
}

/** Converts a response that is not a success. */
export function callFailedError(status: number, body: unknown, retryAfterMs?: number): CallFailedError {
	const isUndecided = mayHaveActed(status);
	const errorOf = (code: FailureCode, message: string, retryable: boolean): CallFailedError =>
		new CallFailedError(code, message, { status, body, retryAfterMs, retryable, mayHaveActed: isUndecided });
	if (status === 429 || status === 503) return errorOf("upstream_error", "the engine is overloaded", true);
	// The request did not cause these: another engine may accept it.
	if (status === 401 || status === 403) return errorOf("engine_unavailable", "the engine rejects its key", true);
	if (status === 402) return errorOf("engine_unavailable", "the engine requires payment", true);
	if (status >= 300 && status < 400) return errorOf("engine_unavailable", "the engine has moved", true);
	if (status >= 500 || isUndecided) return errorOf("upstream_error", `the engine failed with HTTP ${status}`, true);
	return errorOf("invalid_input", `the engine rejected the request with HTTP ${status}`, false);
}

async function readBody(response: Response, bytesMax: number): Promise<Uint8Array> {
	try {
		return await readBounded(response, bytesMax);
	} catch (error) {
		if (!(error instanceof BodyTooLargeError)) throw error;
		// The same request would get the same response.
		throw new CallFailedError("upstream_error", `the engine's response is larger than ${bytesMax} bytes`, {
			retryable: false,
			mayHaveActed: true,
			status: response.status,
		});
	}
}

function parseBytes(bytes: Uint8Array): unknown {
	try {
		return parseJson(Buffer.from(bytes).toString("utf8"));
	} catch {
		return undefined;
	}
}
