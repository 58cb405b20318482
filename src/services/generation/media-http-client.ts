import type { IncomingHttpHeaders } from "node:http";
import type { Logger } from "pino";
import { request, type Dispatcher } from "undici";
import type { Clock } from "@atelier/common/clock";
import { createCircuitBreaker, OutageError } from "./circuit-breaker.ts";
import { MediaHttpError, MediaTimeoutError, MediaUnavailableError } from "./media-api.ts";
import { mayHaveActed, mayHaveBeenSent, parseRetryAfter } from "@atelier/media-protocol/call-outcome";
import type { MediaProfile } from "@atelier/media-protocol/profiles";
import { isObject, parseJson, parseSeconds, parseNestedJson } from "@atelier/media-protocol/parse-value";
import {
	baseUrlOf,
	bodyOf,
	pathOf,
	type RequestTemplate,
	type RequestValues,
} from "@atelier/media-protocol/request-template";
import { BodyTooLargeError, readBounded } from "@atelier/common/read-bounded";
import { USER_AGENT } from "@atelier/common/user-agent";

/** The timeout of a call. To report a task's state, a service may have to ask an engine first. */
export const CALL_TIMEOUT_MS = 15_000;
const RESPONSE_BYTES_MAX = 1024 * 1024;

export interface MediaHttpClientDeps {
	/** With or without the path prefix of the profile. */
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly profile: MediaProfile;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Called with each response of a service that is up, before it is parsed. */
	readonly onResponse?: (response: MediaResponse) => void;
}

export interface CallOptions {
	readonly signal: AbortSignal;
	/** The values of `{taskId}` and `{key}` in the request template. */
	readonly values?: RequestValues;
	readonly headers?: Readonly<Record<string, string>>;
	/** Replaces the body of the request template. */
	readonly body?: object;
	readonly bytesMax?: number;
	readonly timeoutMs?: number;
	/** True if a repeat is safe: a success without JSON then means that the service is unavailable. */
	readonly isRepeatable: boolean;
	/** True if a success needs no body. */
	readonly mayBeEmpty?: boolean;
}

export interface MediaResponse {
	/** The operation's name without its parameters, for errors and logs. */
	readonly name: string;
	readonly status: number;
	/** The parsed JSON; `undefined` if the response has none. */
	readonly body: unknown;
	readonly bytes: number;
	/** The retry time that the service sent, in the header or the body. */
	readonly retryAfterMs: number | undefined;
}

export type MediaHttpClient = ReturnType<typeof createMediaHttpClient>;

/** The only module that calls the service. It keeps the key: no error and no log line contains it. */
export function createMediaHttpClient(deps: MediaHttpClientDeps) {
	const { baseUrl, apiKey, profile, clock, logger, onResponse } = deps;
	const base = baseUrlOf(baseUrl);
	const breaker = createCircuitBreaker({ clock, logger });

	async function send(name: string, template: RequestTemplate, options: CallOptions): Promise<MediaResponse> {
		const { signal, values = {}, headers = {}, isRepeatable, mayBeEmpty = false } = options;
		const { bytesMax = RESPONSE_BYTES_MAX, timeoutMs = CALL_TIMEOUT_MS } = options;
		const body = options.body ?? bodyOf(template, values);
		const timeout = new AbortController();
		// Cleared after the call: with thousands of calls per second, pending timers would pile up.
		const timer = setTimeout(() => timeout.abort(new DOMException(name, "TimeoutError")), timeoutMs).unref();
		try {
			// `fetch` would need more than twice the processor time, most of it for its streams.
			const response = await request(base + pathOf(template, values), {
				...(body !== undefined && { body: JSON.stringify(body) }),
				method: template.method,
				headers: {
					...(body !== undefined && { "content-type": "application/json" }),
					...headers,
					accept: "application/json",
					"accept-encoding": "identity",
					"user-agent": USER_AGENT,
					[profile.auth.header]: profile.auth.prefix + apiKey,
				},
				signal: AbortSignal.any([signal, timeout.signal]),
			});
			const { statusCode: status } = response;
			if (status >= 300 && status < 400) {
				await response.body.dump();
				throw new OutageError(new MediaUnavailableError(`${name}: redirected: set MEDIA_API_URL to the target`));
			}
			const { json, bytes } = await readJson(response, name, bytesMax);
			const retryAfterMs = retryAfterOf(response.headers, json, clock);
			if (isOutage(status, json) && !(mayBeEmpty && status < 300 && bytes === 0))
				throw outageOf({ name, status, retryAfterMs }, isRepeatable);
			const received = { name, status, body: json, bytes, retryAfterMs };
			onResponse?.(received);
			return received;
		} catch (error) {
			if (signal.aborted && !isTimeout(signal.reason)) throw signal.reason;
			if (error instanceof OutageError || error instanceof MediaHttpError) throw error;
			if (mayHaveBeenSent(error)) throw new OutageError(new MediaTimeoutError(`${name}: no answer`, { cause: error }));
			throw new OutageError(new MediaUnavailableError(`${name}: not reached`, { cause: error }));
		} finally {
			clearTimeout(timer);
		}
	}

	return {
		/** The base of root-relative URLs of the service. */
		origin: new URL(baseUrl).origin,
		health: breaker.health,
		/** Removes the key from a text of the service. */
		withoutKey: (text: string): string => text.replaceAll(apiKey, "[key]"),
		/** Sends one request. Resolves to any response; throws without one, or if the service is down. */
		call(template: RequestTemplate, options: CallOptions): Promise<MediaResponse> {
			const name = `${template.method} ${template.path.split("?", 1)[0] ?? ""}`;
			return breaker.run(name, () => send(name, template, options));
		},
	};
}

/**
 * Returns whether the service is down: a gateway responded instead of it (502 to 504; Cloudflare uses 520 to 530), or the response is
 * another 5xx without an envelope, or a success without JSON. A service that explains another error in its envelope is up, as is one
 * that lacks an operation (501).
 */
function isOutage(status: number, json: unknown): boolean {
	if (status === 501) return false;
	if (status === 502 || status === 503 || status === 504 || (status >= 520 && status <= 530)) return true;
	const isEnvelope = isObject(json) && "code" in json;
	return (status >= 500 && !isEnvelope) || (status < 300 && json === undefined);
}

/** Returns the error of an outage. It says whether a repeat is safe. */
function outageOf(
	{ name, status, retryAfterMs }: Pick<MediaResponse, "name" | "status" | "retryAfterMs">,
	isRepeatable: boolean,
): OutageError {
	const message = `${name}: answered ${status}${status < 300 ? ", and no JSON" : ""}`;
	if (status === 503)
		return new OutageError(new MediaUnavailableError(message, { kind: "asked_to_wait", retryAfterMs }));
	const isSafe = status < 300 ? isRepeatable : !mayHaveActed(status);
	if (isSafe) return new OutageError(new MediaUnavailableError(message));
	return new OutageError(new MediaHttpError(message, status));
}

async function readJson(
	response: Dispatcher.ResponseData,
	name: string,
	bytesMax: number,
): Promise<{ json: unknown; bytes: number }> {
	const body = await readBounded(response, bytesMax).catch((error: unknown) => {
		if (!(error instanceof BodyTooLargeError)) throw error;
		const mib = bytesMax / 1024 / 1024;
		throw new MediaHttpError(`${name}: the response has more than ${mib} MiB`, response.statusCode);
	});
	const bytes = body.byteLength;
	try {
		return { json: parseJson(new TextDecoder().decode(body)), bytes };
	} catch {
		// The parser's message would quote the body, which may contain member input.
		return { json: undefined, bytes };
	}
}

/** Reads the retry time (ms): seconds or a date from the header, or seconds from the body. `undefined` without one. */
function retryAfterOf(headers: IncomingHttpHeaders, json: unknown, clock: Clock): number | undefined {
	// undici returns a list if the header is repeated, as when a proxy adds its own.
	const [header = ""] = [headers["retry-after"]].flat();
	const fromHeaderMs = parseRetryAfter(header, clock.nowMs());
	if (fromHeaderMs !== undefined) return fromHeaderMs;
	const body = parseNestedJson(json);
	if (!isObject(body)) return undefined;
	const data = isObject(body["data"]) ? body["data"] : {};
	const seconds = [body["retryAfter"], body["retry_after"], data["retryAfter"], data["retry_after"]]
		.map(parseSeconds)
		.find((each) => each !== undefined);
	return seconds === undefined ? undefined : seconds * 1000;
}

function isTimeout(reason: unknown): boolean {
	return reason instanceof Error && reason.name === "TimeoutError";
}
