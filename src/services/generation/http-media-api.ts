import { classifyError } from "./classify-service-error.ts";
import {
	MediaHttpError,
	MediaRefusedError,
	MediaUnavailableError,
	type CancelResponse,
	type MediaApi,
} from "./media-api.ts";
import type { SubmissionLookup } from "@atelier/media-protocol/parse-lookup";
import type { RemoteTask } from "@atelier/media-protocol/remote-task";
import {
	CALL_TIMEOUT_MS,
	createMediaHttpClient,
	type MediaResponse,
	type MediaHttpClientDeps,
	type MediaHttpClient,
} from "./http-client.ts";
import type { GenerationRequest } from "./request.ts";
import type { MediaProfile } from "@atelier/media-protocol/profiles";
import { createRateLimitBackoff } from "./rate-limit-backoff.ts";
import { readEnvelope, statusOfCode } from "@atelier/media-protocol/parse-envelope";
import { parseLookup } from "@atelier/media-protocol/parse-lookup";
import type { Requested } from "@atelier/media-protocol/parse-outputs";
import { readTask, readTaskId } from "@atelier/media-protocol/parse-task";
import { parseModels } from "./read-models.ts";
import { redactReason } from "./redact-reason.ts";
import { isObject } from "@atelier/media-protocol/parse-value";

/** The response about a finished task may contain its file. */
const TASK_BYTES_MAX = 12 * 1024 * 1024;
/**
 * A request that was sent may be billed, so its response is worth a wait. Proxies time out after 60 seconds, with an
 * error.
 */
const SUBMIT_ONCE_TIMEOUT_MS = 90_000;
/** Undecided: the service may still run the request, or have finished it. */
const UNDECIDED = new Set([408, 409, 425]);
const NO_SUCH_OPERATION = new Set([404, 405, 501]);
/** How servers report an unknown path, for services whose envelope also says 404 for an unknown task. */
const NO_SUCH_ROUTE =
	/(no such|unknown) (operation|route|endpoint|path)|route .*not found|not found: ?\/|cannot (post|get|delete) /i;

interface HttpMediaApiDeps extends MediaHttpClientDeps {
	/** The URL that the service calls when the task with this key has ended, if it supports that. */
	readonly callbackUrlOf?: (idempotencyKey: string) => string;
	/** From 0 to below 1. */
	readonly random: () => number;
}

/** Creates the HTTP adapter of a media generation service. The profile describes its requests and responses. */
export function createHttpMediaApi(deps: HttpMediaApiDeps): MediaApi {
	const { profile, callbackUrlOf } = deps;
	const caller = createMediaHttpClient(deps);
	// Separate limits: a limit on new tasks must not delay polls.
	const submitBackoff = createRateLimitBackoff(deps);
	const readBackoff = createRateLimitBackoff(deps);
	const submitTimeoutMs = profile.honoursIdempotencyKey ? CALL_TIMEOUT_MS : SUBMIT_ONCE_TIMEOUT_MS;
	const payloadOf = (answer: MediaResponse): Payload => parsePayload(answer, profile, caller);

	async function submit(
		request: GenerationRequest,
		idempotencyKey: string,
		signal: AbortSignal,
	): Promise<{ remoteId: string }> {
		const headers = { "idempotency-key": idempotencyKey };
		const body = bodyOf(request, profile, callbackUrlOf?.(idempotencyKey));
		const sending = { signal, headers, body, timeoutMs: submitTimeoutMs, isRepeatable: false };
		const answer = await caller.call(profile.submit, sending);
		const remoteId = readTaskId(payloadOf(answer).payload, profile);
		if (remoteId === undefined) throw new MediaHttpError(`${answer.name}: no task id in the response`, answer.status);
		return { remoteId };
	}

	async function read(remoteId: string, requested: Requested, signal: AbortSignal): Promise<RemoteTask> {
		const sending = { signal, values: { taskId: remoteId }, bytesMax: TASK_BYTES_MAX, isRepeatable: true };
		const answer = await caller.call(profile.read, sending);
		const failed = failureByCode(answer, profile, caller);
		if (failed) return failed;
		const { payload, at } = payloadOf(answer);
		const reading = readTask(payload, { profile, origin: caller.origin, at, requested });
		if (!reading) throw new MediaHttpError(`${answer.name}: no state in the response`, answer.status);
		const { task } = reading;
		if (task.state === "failed") return { ...task, reason: caller.withoutKey(task.reason) };
		if (task.state !== "open" || task.pollAgainAfterMs !== null) return task;
		return { ...task, pollAgainAfterMs: answer.retryAfterMs ?? null };
	}

	return {
		origin: caller.origin,
		honoursIdempotencyKey: profile.honoursIdempotencyKey,
		submitTimeoutMs,
		health: () => caller.health(),
		submitHeldForMs: () => submitBackoff.heldForMs(),
		submit: (request, ...given) =>
			submitBackoff.run("submit", () =>
				submit(request, ...given).catch((error: unknown) => {
					throw asRateLimit(error, request);
				}),
			),
		read: (remoteId, requested, signal) =>
			readBackoff.run("read", () =>
				read(remoteId, requested, signal).catch((error: unknown) => {
					throw asRateLimit(error, requested);
				}),
			),

		async cancel(remoteId, signal): Promise<CancelResponse> {
			if (!profile.cancel) return "not_supported";
			const answer = await caller.call(profile.cancel, { signal, values: { taskId: remoteId }, isRepeatable: true });
			if (hasNoSuchOperation(answer, profile)) return "not_supported";
			// Some services send an empty response to a DELETE.
			if (answer.status === 204) return "requested";
			payloadOf(answer);
			return "requested";
		},

		async find(idempotencyKey, signal): Promise<SubmissionLookup> {
			if (!profile.find) return { kind: "cannot_tell" };
			const answer = await caller.call(profile.find, { signal, values: { key: idempotencyKey }, isRepeatable: true });
			if (hasNoSuchOperation(answer, profile)) return { kind: "cannot_tell" };
			const finding = parseLookup(payloadOf(answer).payload, idempotencyKey, profile);
			if (!finding) throw new MediaHttpError("find: no list of tasks in the response", answer.status);
			return finding;
		},

		async models(signal) {
			if (!profile.models) return undefined;
			const answer = await caller.call(profile.models, { signal, isRepeatable: true });
			if (NO_SUCH_OPERATION.has(answer.status)) return undefined;
			return parseModels(payloadOf(answer).payload);
		},
	};
}

export interface Payload {
	readonly payload: unknown;
	readonly at: string;
}

/**
 * Returns the payload of a response, or throws the error that it means. The body counts first, then the HTTP status.
 */
export function parsePayload(
	answer: MediaResponse,
	profile: MediaProfile,
	caller: Pick<MediaHttpClient, "withoutKey">,
): Payload {
	const { name, status: httpStatus, body, retryAfterMs } = answer;
	const envelope = readEnvelope(body, httpStatus, profile);
	if (envelope.kind === "success") return envelope;

	const code = envelope.kind === "refusal" ? envelope.code : `HTTP ${httpStatus}`;
	const reason = envelope.kind === "refusal" ? caller.withoutKey(envelope.reason) : "";
	const status = statusOfCode(code, httpStatus);
	// 429 may also mean that the account has no credits left, which does not improve with time.
	if (status === 429 && classifyError({ code, reason, httpStatus }) === "operatorAccount") {
		throw new MediaRefusedError(code, reason, httpStatus);
	}
	if (status === 429) {
		throw new MediaUnavailableError(`${name}: too many requests, by ${code}`, {
			why: "rate_limited",
			retryAfterMs,
			reason,
		});
	}
	if (status === 503 || profile.busyCodes.includes(Number(code))) {
		throw new MediaUnavailableError(`${name}: retry requested with ${code}`, {
			why: "asked_to_wait",
			retryAfterMs,
			reason,
		});
	}
	if (envelope.kind === "invalid" && (status < 400 || status >= 500)) {
		throw new MediaHttpError(`${name}: no envelope in the response`, status);
	}
	if (status >= 500 || UNDECIDED.has(status))
		throw new MediaHttpError(`${name}: failed with code ${code}`, status, { reason });
	// A service that returns a task id has accepted the task, whatever its code says.
	if (isObject(body) && isObject(body["data"]) && readTaskId(body["data"], profile) !== undefined) {
		throw new MediaHttpError(`${name}: task id beside code ${code}: check MEDIA_API_PROFILE`, status);
	}
	throw new MediaRefusedError(code, reason, httpStatus, retryAfterMs);
}

/** Some services report a rate limit with a code of their own and HTTP 200. */
function asRateLimit(error: unknown, request: Pick<GenerationRequest, "prompt" | "options">): unknown {
	if (!(error instanceof MediaRefusedError)) return error;
	// Removes the prompt before the text is classified, so that a prompt cannot imitate an error.
	const reason = redactReason(error.reason, request);
	const code = redactReason(error.code, request);
	if (classifyError({ code, reason, httpStatus: error.httpStatus }) !== "rateLimited") return error;
	const { retryAfterMs } = error;
	return new MediaUnavailableError(`too many requests, by ${code}`, {
		why: "rate_limited",
		reason,
		retryAfterMs,
		cause: error,
	});
}

/** Some services report a failed task by a code, instead of a state. */
function failureByCode(
	{ status, body }: MediaResponse,
	profile: MediaProfile,
	caller: Pick<MediaHttpClient, "withoutKey">,
): RemoteTask | undefined {
	const envelope = readEnvelope(body, status, profile);
	const isFailure = envelope.kind === "refusal" && profile.taskFailedCodes.includes(Number(envelope.code));
	return isFailure ? { state: "failed", code: envelope.code, reason: caller.withoutKey(envelope.reason) } : undefined;
}

/** 404 may mean the task or the operation. An envelope with a code, or a text about a task, means the task. */
function hasNoSuchOperation({ status, body }: MediaResponse, profile: MediaProfile): boolean {
	if (status === 405 || status === 501) return true;
	const envelope = readEnvelope(body, status, profile);
	if (status !== 404) return false;
	if (envelope.kind !== "refusal" || NO_SUCH_ROUTE.test(envelope.reason)) return true;
	return !(isObject(body) && "code" in body) && !/\btask\b/i.test(envelope.reason);
}

/** Builds the body in the shape of the profile. */
export function bodyOf(
	request: GenerationRequest,
	{ requestPaths: requestFields, optionNames, submit }: MediaProfile,
	callbackUrl?: string,
): object {
	const body: Record<string, unknown> = structuredClone(submit.body ?? {});
	const options = Object.entries(request.options).map(([name, value]) => [optionNames[name] ?? name, value] as const);
	const optionsAt = requestFields.options === "" ? body : objectAt(body, requestFields.options);
	Object.assign(optionsAt, Object.fromEntries(options));
	const { mediaType, model, prompt, scene } = request;
	const parts = { mediaType, model, prompt, scene, callbackUrl } as const;
	for (const part of ["mediaType", "model", "prompt", "scene", "callbackUrl"] as const) {
		const fieldPath = requestFields[part];
		if (fieldPath === undefined || parts[part] === undefined) continue;
		const dot = fieldPath.lastIndexOf(".");
		const parent = dot < 0 ? body : objectAt(body, fieldPath.slice(0, dot));
		parent[fieldPath.slice(dot + 1)] = parts[part];
	}
	return body;
}

function objectAt(body: Record<string, unknown>, path: string): Record<string, unknown> {
	let current = body;
	for (const name of path.split(".")) current = (current[name] ??= {}) as Record<string, unknown>;
	return current;
}
