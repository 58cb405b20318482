import assert from "node:assert/strict";
import { NO_SUCH_OPERATION_STATUSES } from "@atelier/media-protocol/call-outcome";
import { parseEnvelope } from "@atelier/media-protocol/parse-envelope";
import { parseSubmissionLookup, type SubmissionLookup } from "@atelier/media-protocol/parse-submission-lookup";
import { parseTask, parseTaskId } from "@atelier/media-protocol/parse-task";
import { isObject } from "@atelier/media-protocol/parse-value";
import type { MediaProfile } from "@atelier/media-protocol/profiles";
import type { RequestTemplate } from "@atelier/media-protocol/request-template";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import { classifyFailure } from "./classify-service-error.ts";
import {
	CALL_TIMEOUT_MS,
	createMediaHttpClient,
	type CallOptions,
	type MediaResponse,
	type MediaHttpClientDeps,
	type MediaHttpClient,
} from "./media-http-client.ts";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaUnavailableError,
	type CancelResponse,
	type MediaApi,
	type PolledRequest,
} from "./media-api.ts";
import { parsePayload } from "./parse-payload.ts";
import { createRateLimitBackoff, type RateLimitBackoff } from "./rate-limit-backoff.ts";
import { parseModels } from "./parse-models.ts";
import type { GenerationRequest } from "./request.ts";
import { requestBodyOf } from "./request-body.ts";

/** Larger than for other responses, because the response about a finished task may contain its file. */
const TASK_BYTES_MAX = 12 * 1024 * 1024;
/**
 * For a submit that must not be repeated: once sent, it may be billed, so its response is worth a wait. Proxies time out
 * after 60 seconds, with an error.
 */
const UNREPEATABLE_SUBMIT_TIMEOUT_MS = 90_000;
/** The texts with which servers report an unknown path. They tell it from an unknown task, which is a 404 too. */
const NO_SUCH_ROUTE =
	/(no such|unknown) (operation|route|endpoint|path)|route .*not found|not found: ?\/|cannot (post|get|delete) /i;

interface HttpMediaApiDeps extends MediaHttpClientDeps {
	/** Returns the URL of the callback for a task, for services that send callbacks. */
	readonly callbackUrlOf?: (idempotencyKey: string) => string;
	/** From 0 to below 1. */
	readonly random: () => number;
}

export interface HttpMediaApi extends MediaApi {
	/** Reads the secret that signs callbacks. Throws a `MediaError` if the service sends none. */
	callbackSecret(signal: AbortSignal): Promise<string>;
	/** Sends a request that is safe to repeat. Resolves to `undefined` if the service lacks the operation. */
	optional(
		template: RequestTemplate,
		options: Pick<CallOptions, "signal" | "body">,
	): Promise<{ readonly payload: unknown } | undefined>;
}

/** Creates the HTTP adapter of a media generation service. The profile describes its requests and responses. */
export function createHttpMediaApi(deps: HttpMediaApiDeps): HttpMediaApi {
	const { profile, callbackUrlOf } = deps;
	const client = createMediaHttpClient(deps);
	// Separate limits: a limit on new tasks must not delay polls.
	const submitBackoff = createRateLimitBackoff(deps);
	const readBackoff = createRateLimitBackoff(deps);
	const honorsIdempotencyKey = profile.find !== undefined;
	const submitTimeoutMs = honorsIdempotencyKey ? CALL_TIMEOUT_MS : UNREPEATABLE_SUBMIT_TIMEOUT_MS;

	async function submit(
		request: GenerationRequest,
		idempotencyKey: string,
		signal: AbortSignal,
	): Promise<{ remoteId: string }> {
		const headers = { "idempotency-key": idempotencyKey };
		const body = requestBodyOf(request, profile, callbackUrlOf?.(idempotencyKey));
		const options = { signal, headers, body, timeoutMs: submitTimeoutMs, isRepeatable: false };
		const response = await client.call(profile.submit, options);
		const remoteId = parseTaskId(parsePayload(response, profile, client).payload, profile);
		if (remoteId === undefined)
			throw new MediaHttpError(`${response.name}: no task id in the response`, response.status);
		return { remoteId };
	}

	async function read(remoteId: string, request: PolledRequest, signal: AbortSignal): Promise<RemoteTask> {
		const options = { signal, values: { taskId: remoteId }, bytesMax: TASK_BYTES_MAX, isRepeatable: true };
		const response = await client.call(profile.read, options);
		const failed = failureByCode(response, profile, client);
		if (failed) return failed;
		const { payload, path } = parsePayload(response, profile, client);
		const reading = parseTask(payload, { profile, origin: client.origin, path, request });
		if (!reading) throw new MediaHttpError(`${response.name}: no state in the response`, response.status);
		const { task } = reading;
		if (task.state === "failed") return { ...task, reason: client.withoutKey(task.reason) };
		if (task.state !== "open") return task;
		return { ...task, pollAgainAfterMs: task.pollAgainAfterMs ?? response.retryAfterMs ?? null };
	}

	const optional: HttpMediaApi["optional"] = async (template, options) => {
		const response = await client.call(template, { ...options, isRepeatable: true });
		if (NO_SUCH_OPERATION_STATUSES.has(response.status)) return undefined;
		return parsePayload(response, profile, client);
	};

	return {
		origin: client.origin,
		honorsIdempotencyKey,
		submitTimeoutMs,
		health: () => client.health(),
		submitDelayMs: () => submitBackoff.delayMs(),
		submit: (request, idempotencyKey, signal) =>
			withBackoff(submitBackoff, "submit", request, () => submit(request, idempotencyKey, signal)),
		read: (remoteId, request, signal) =>
			withBackoff(readBackoff, "read", request, () => read(remoteId, request, signal)),

		async cancel(remoteId, signal): Promise<CancelResponse> {
			if (!profile.cancel) return "not_supported";
			// Some services send an empty response to a DELETE.
			const options = { signal, values: { taskId: remoteId }, isRepeatable: true, mayBeEmpty: true };
			const response = await client.call(profile.cancel, options);
			if (isUnknownOperation(response, profile)) return "not_supported";
			if (response.status >= 300 || response.bytes > 0) parsePayload(response, profile, client);
			return "requested";
		},

		async find(idempotencyKey, signal): Promise<SubmissionLookup> {
			if (!profile.find) return { kind: "cannot_tell" };
			const response = await client.call(profile.find, { signal, values: { key: idempotencyKey }, isRepeatable: true });
			if (isUnknownOperation(response, profile)) return { kind: "cannot_tell" };
			const lookup = parseSubmissionLookup(parsePayload(response, profile, client).payload, idempotencyKey, profile);
			if (!lookup) throw new MediaHttpError("find: no list of tasks in the response", response.status);
			return lookup;
		},

		async models(signal) {
			if (!profile.models) return undefined;
			const listed = await optional(profile.models, { signal });
			return listed && parseModels(listed.payload);
		},

		optional,

		async callbackSecret(signal) {
			assert(profile.callbackSecret, "the profile has no callbacks");
			const response = await client.call(profile.callbackSecret, { signal, isRepeatable: true });
			const { payload } = parsePayload(response, profile, client);
			const secret = isObject(payload) ? payload["secret"] : undefined;
			if (typeof secret !== "string" || !secret.startsWith("whsec_"))
				throw new MediaHttpError(`${response.name}: no secret in the response`, response.status);
			return secret;
		},
	};
}

/** Sends a request under the backoff, which also recognizes rate limits that the service reports in words. */
function withBackoff<T>(
	backoff: RateLimitBackoff,
	name: string,
	request: Pick<GenerationRequest, "prompt" | "options">,
	send: () => Promise<T>,
): Promise<T> {
	return backoff.run(name, () =>
		send().catch((error: unknown) => {
			throw toRateLimitError(error, request);
		}),
	);
}

/** Some services report a rate limit with a code of their own and HTTP 200. Returns other errors unchanged. */
function toRateLimitError(error: unknown, request: Pick<GenerationRequest, "prompt" | "options">): unknown {
	if (!(error instanceof MediaRejectedError)) return error;
	const { meaning, details } = classifyFailure(error, request);
	if (meaning !== "rateLimited") return error;
	const { code, reason } = details;
	const options = { kind: "rate_limited", reason, retryAfterMs: error.retryAfterMs, cause: error } as const;
	return new MediaUnavailableError(`too many requests, by ${code}`, options);
}

/** Returns the failed task if the response reports it by a code instead of a state, as some services do. */
function failureByCode(
	{ status, body }: MediaResponse,
	profile: MediaProfile,
	client: Pick<MediaHttpClient, "withoutKey">,
): RemoteTask | undefined {
	const envelope = parseEnvelope(body, status, profile);
	const isFailure = envelope.kind === "rejection" && profile.taskFailedCodes.includes(Number(envelope.code));
	return isFailure ? { state: "failed", code: envelope.code, reason: client.withoutKey(envelope.reason) } : undefined;
}

/**
 * Returns whether the service lacks the operation. 404 may also mean an unknown task: an envelope with a code, or a text about a task,
 * says so.
 */
function isUnknownOperation({ status, body }: MediaResponse, profile: MediaProfile): boolean {
	if (status === 405 || status === 501) return true;
	if (status !== 404) return false;
	const envelope = parseEnvelope(body, status, profile);
	if (envelope.kind !== "rejection" || NO_SUCH_ROUTE.test(envelope.reason)) return true;
	return !(isObject(body) && "code" in body) && !/\btask\b/i.test(envelope.reason);
}
