import type { Clock } from "@atelier/common/clock";
import { BodyTooLargeError, readBounded } from "@atelier/common/read-bounded";
import { EngineError } from "./engine.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

/** Responses describe jobs and never contain a file. */
const RESPONSE_BYTES_MAX = 1024 * 1024;
const FILE_BYTES_MAX = 100 * 1024 * 1024;
/** A longer Retry-After would exceed the task's deadline. */
const RETRY_AFTER_MAX_MS = 60 * 60 * 1000;
/** The connection failed, so the service cannot have acted. */
const NOT_CONNECTED = new Set([
	"ECONNREFUSED",
	"ENOTFOUND",
	"EAI_AGAIN",
	"EHOSTUNREACH",
	"ENETUNREACH",
	"UND_ERR_CONNECT_TIMEOUT",
]);
/** Statuses that leave the outcome open: a proxy timed out, or the service is still working. */
const UNDECIDED_STATUSES = new Set([408, 409, 425, 500, 502, 504]);

/** A call without a successful response; the default fault of the task. */
export class CallFailedError extends EngineError {
	/** True if the service may have acted nevertheless. */
	readonly mayHaveActed: boolean;
	/** The HTTP status; 0 without a response. */
	readonly status: number;
	/** The body, if it is JSON. */
	readonly body: unknown;

	constructor(
		code: string,
		message: string,
		options: ConstructorParameters<typeof EngineError>[2] & {
			readonly mayHaveActed: boolean;
			readonly status?: number;
			readonly body?: unknown;
		},
	) {
		super(code, message, options);
		this.mayHaveActed = options.mayHaveActed;
		this.status = options.status ?? 0;
		this.body = options.body;
	}
}

interface Call {
	readonly signal: AbortSignal;
	readonly method?: "GET" | "POST" | "PUT" | "DELETE";
	readonly json?: object;
	readonly form?: FormData;
	readonly headers?: Readonly<Record<string, string>>;
	readonly timeoutMs?: number;
	readonly bytesMax?: number;
}

export interface ServiceResponse {
	readonly status: number;
	readonly headers: Headers;
	/** `undefined` unless it is JSON. */
	readonly body: unknown;
}

/**
 * The HTTP client of one service. Every call is bounded in time and bytes and throws `CallFailedError`. Follows no
 * redirect.
 */
export interface ServiceClient {
	readonly origin: string;
	/** `path` relative to the service's URL, or a URL at its origin. */
	json(path: string, call: Call): Promise<ServiceResponse>;
	file(path: string, call: Call): Promise<Uint8Array>;
}

/** The header for a secret, if there is one. */
export function bearer(secret: string | undefined): Readonly<Record<string, string>> {
	return secret === undefined ? {} : { authorization: `Bearer ${secret}` };
}

export function createServiceClient(deps: {
	readonly url: string;
	/** Headers of every request, the secret included; sent to this origin only. */
	readonly headers?: Readonly<Record<string, string>>;
	readonly timeoutMs: number;
	readonly clock: Clock;
}): ServiceClient {
	const base = deps.url.replace(/\/+$/, "");
	const { origin } = new URL(base);

	function addressOf(path: string): string {
		const address = new URL(path.startsWith("/") ? base + path : path, base);
		if (address.origin !== origin) throw new Error("the URL belongs to another service");
		return address.href;
	}

	async function send<T>(path: string, call: Call, read: (response: Response) => Promise<T>): Promise<T> {
		const callEnded = new AbortController();
		const timeout = new AbortController();
		deps.clock.sleep(call.timeoutMs ?? deps.timeoutMs, callEnded.signal).then(
			() => timeout.abort(),
			() => {},
		);
		try {
			const response = await fetch(addressOf(path), {
				method: call.method ?? "GET",
				redirect: "manual",
				signal: AbortSignal.any([call.signal, timeout.signal]),
				headers: {
					"user-agent": USER_AGENT,
					...deps.headers,
					...call.headers,
					...(call.json !== undefined && { "content-type": "application/json" }),
				},
				...(call.json !== undefined && { body: JSON.stringify(call.json) }),
				...(call.form !== undefined && { body: call.form }),
			});
			if (!response.ok) {
				const body = parseJson(await readBounded(response, RESPONSE_BYTES_MAX).catch(() => new Uint8Array()));
				throw callFailed(response.status, body, retryAfterOf(response.headers, deps.clock));
			}
			return await read(response);
		} catch (error) {
			call.signal.throwIfAborted();
			if (error instanceof CallFailedError) throw error;
			if (timeout.signal.aborted) {
				throw new CallFailedError("upstream_timeout", "the engine did not respond in time", {
					retryable: true,
					mayHaveActed: true,
				});
			}
			const wasSent = !wasNotSent(error);
			throw new CallFailedError("upstream_error", wasSent ? "the engine broke off" : "the engine cannot be reached", {
				retryable: true,
				mayHaveActed: wasSent,
				cause: error,
			});
		} finally {
			callEnded.abort(new Error("the call has ended"));
		}
	}

	return {
		origin,
		json: (path, call) =>
			send(path, call, async (response) => {
				const bytes = await readBody(response, call.bytesMax ?? RESPONSE_BYTES_MAX);
				return { status: response.status, headers: response.headers, body: parseJson(bytes) };
			}),
		file: (path, call) => send(path, call, (response) => readBody(response, call.bytesMax ?? FILE_BYTES_MAX)),
	};
}

/** Converts a response that is not a success. */
export function callFailed(status: number, body: unknown, retryAfterMs?: number): CallFailedError {
	const facts = { status, body, retryAfterMs };
	if (status === 429 || status === 503) {
		return new CallFailedError("upstream_error", "the engine is overloaded", {
			...facts,
			retryable: true,
			mayHaveActed: false,
		});
	}
	// Not the request's fault: another engine may accept it.
	if (status === 401 || status === 402 || status === 403 || (status >= 300 && status < 400)) {
		const reason = { 401: "refuses its key", 402: "requires payment", 403: "refuses its key" }[status] ?? "has moved";
		return new CallFailedError("engine_unavailable", `the engine ${reason}`, {
			...facts,
			retryable: true,
			mayHaveActed: false,
		});
	}
	if (status >= 500 || UNDECIDED_STATUSES.has(status)) {
		return new CallFailedError("upstream_error", `the engine failed with HTTP ${status}`, {
			...facts,
			retryable: true,
			mayHaveActed: UNDECIDED_STATUSES.has(status),
		});
	}
	return new CallFailedError("invalid_input", `the engine rejected the request with HTTP ${status}`, {
		...facts,
		retryable: false,
		mayHaveActed: false,
	});
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

function parseJson(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(Buffer.from(bytes).toString("utf8")) as unknown;
	} catch {
		return undefined;
	}
}

function retryAfterOf(headers: Headers, clock: Clock): number | undefined {
	const text = headers.get("retry-after")?.trim() ?? "";
	if (text === "") return undefined;
	const waitMs = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.nowMs();
	return Number.isNaN(waitMs) ? undefined : Math.min(RETRY_AFTER_MAX_MS, Math.max(0, waitMs));
}

/** No part of the request is sent before the TLS handshake is complete. */
function wasNotSent(error: unknown): boolean {
	const cause = error instanceof Error ? error.cause : undefined;
	const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
	return NOT_CONNECTED.has(code) || /^(CERT|ERR_TLS|ERR_SSL)_|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code);
}
