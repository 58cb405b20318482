import { classifyError } from "./classify-error.ts";
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
import { readFinding } from "@atelier/media-protocol/parse-lookup";
import type { Requested } from "@atelier/media-protocol/parse-outputs";
import { readTask, readTaskId } from "@atelier/media-protocol/parse-task";
import { parseModels } from "./read-models.ts";
import { redactReason } from "./redact-reason.ts";
import { isObject } from "@atelier/media-protocol/parse-value";

/** A finished task may carry its file in itself. */
const TASK_BYTES_MAX = 12 * 1024 * 1024;
/** What was sent may be billed, so its answer is worth a wait. Proxies in between give up after 60 seconds, and say so. */
const SUBMIT_ONCE_TIMEOUT_MS = 90_000;
/** Neither yes nor no: the service may still be at it, or be done with it. */
const UNDECIDED = new Set([408, 409, 425]);
const NO_SUCH_OPERATION = new Set([404, 405, 501]);
/** How servers say that they know no such path, where their envelope says 404 for an unknown task as well. */
const NO_SUCH_ROUTE =
	/no such (operation|route|endpoint|path)|route .*not found|not found: ?\/|cannot (post|get|delete) /i;

interface HttpMediaApiDeps extends MediaHttpClientDeps {
	/** Where the service is to tell that the task with this key has ended, where it can do that. */
	readonly callbackUrlOf?: (idempotencyKey: string) => string;
	/** From 0 to below 1. */
	readonly random: () => number;
}

/** The media generation service over HTTP: its requests and answers as the profile describes them. */
export function createHttpMediaApi(deps: HttpMediaApiDeps): MediaApi {
	const { profile, callbackUrlOf } = deps;
	const caller = createMediaHttpClient(deps);
	// A limit on new tasks must not hide the end of those that run.
	const submitBackoff = createRateLimitBackoff(deps);
	const readBackoff = createRateLimitBackoff(deps);
	const submitTimeoutMs = profile.honoursIdempotencyKey ? CALL_TIMEOUT_MS : SUBMIT_ONCE_TIMEOUT_MS;
	const payloadOf = (answer: MediaResponse): Payload => parsePayload(answer, profile, caller);

	async function submit(
		order: GenerationRequest,
		idempotencyKey: string,
		signal: AbortSignal,
	): Promise<{ remoteId: string }> {
		const headers = { "idempotency-key": idempotencyKey };
		const body = bodyOf(order, profile, callbackUrlOf?.(idempotencyKey));
		const sending = { signal, headers, body, timeoutMs: submitTimeoutMs, isRepeatable: false };
		const answer = await caller.call(profile.submit, sending);
		const remoteId = readTaskId(payloadOf(answer).payload, profile);
		if (remoteId === undefined) throw new MediaHttpError(`${answer.name}: no task id in the answer`, answer.status);
		return { remoteId };
	}

	async function read(remoteId: string, requested: Requested, signal: AbortSignal): Promise<RemoteTask> {
		const sending = { signal, values: { taskId: remoteId }, bytesMax: TASK_BYTES_MAX, isRepeatable: true };
		const answer = await caller.call(profile.read, sending);
		const failed = failureByCode(answer, profile, caller);
		if (failed) return failed;
		const { payload, at } = payloadOf(answer);
		const reading = readTask(payload, { profile, origin: caller.origin, at, requested });
		if (!reading) throw new MediaHttpError(`${answer.name}: no state in the answer`, answer.status);
		const { task } = reading;
		if (task.state === "failed") return { ...task, reason: caller.withoutKey(task.reason) };
		if (task.state !== "open" || task.lookAgainAfterMs !== null) return task;
		return { ...task, lookAgainAfterMs: answer.retryAfterMs ?? null };
	}

	return {
		origin: caller.origin,
		honoursIdempotencyKey: profile.honoursIdempotencyKey,
		canLookUp: profile.find !== undefined || profile.honoursIdempotencyKey,
		submitTimeoutMs,
		health: () => caller.health(),
		submitHeldForMs: () => submitBackoff.heldForMs(),
		submit: (order, ...given) =>
			submitBackoff.run("submit", () =>
				submit(order, ...given).catch((error: unknown) => {
					throw asRateLimit(error, order);
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
			// Some answer nothing at all to a DELETE.
			if (answer.status === 204) return "requested";
			payloadOf(answer);
			return "requested";
		},

		async find(idempotencyKey, signal): Promise<SubmissionLookup> {
			if (!profile.find) return { kind: "cannot_tell" };
			const answer = await caller.call(profile.find, { signal, values: { key: idempotencyKey }, isRepeatable: true });
			if (hasNoSuchOperation(answer, profile)) return { kind: "cannot_tell" };
			const finding = readFinding(payloadOf(answer).payload, idempotencyKey, profile);
			if (!finding) throw new MediaHttpError("find: no list of tasks in the answer", answer.status);
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

/** The payload of an answer, or what the answer means where it has none. The body decides; the HTTP status comes second. */
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
	// 429 also says that the account has no credits left, which no patience changes.
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
		throw new MediaUnavailableError(`${name}: asked to wait with ${code}`, {
			why: "asked_to_wait",
			retryAfterMs,
			reason,
		});
	}
	if (envelope.kind === "nonsense" && (status < 400 || status >= 500)) {
		throw new MediaHttpError(`${name}: no envelope in the answer`, status);
	}
	if (status >= 500 || UNDECIDED.has(status))
		throw new MediaHttpError(`${name}: failed with code ${code}`, status, { reason });
	// A service that hands out the id of a task has taken it, whatever its code means.
	if (isObject(body) && isObject(body["data"]) && readTaskId(body["data"], profile) !== undefined) {
		throw new MediaHttpError(`${name}: a task's id beside code ${code}, is MEDIA_API_PROFILE another?`, status);
	}
	throw new MediaRefusedError(code, reason, httpStatus, retryAfterMs);
}

/** Some services say with a code of their own, and HTTP 200, that there are too many requests. */
function asRateLimit(error: unknown, order: Pick<GenerationRequest, "prompt" | "options">): unknown {
	if (!(error instanceof MediaRefusedError)) return error;
	// The prompt is removed before the words are read: a member cannot type what an error means.
	const reason = redactReason(error.reason, order);
	const code = redactReason(error.code, order);
	if (classifyError({ code, reason, httpStatus: error.httpStatus }) !== "rateLimited") return error;
	const { retryAfterMs } = error;
	return new MediaUnavailableError(`too many requests, by ${code}`, {
		why: "rate_limited",
		reason,
		retryAfterMs,
		cause: error,
	});
}

/** Services whose code tells that the task failed, where others have a state for it. */
function failureByCode(
	{ status, body }: MediaResponse,
	profile: MediaProfile,
	caller: Pick<MediaHttpClient, "withoutKey">,
): RemoteTask | undefined {
	const envelope = readEnvelope(body, status, profile);
	const isFailure = envelope.kind === "refusal" && profile.taskFailedCodes.includes(Number(envelope.code));
	return isFailure ? { state: "failed", code: envelope.code, reason: caller.withoutKey(envelope.reason) } : undefined;
}

/** 404 may mean the task or the operation. An envelope with a code, or words about a task, mean the task. */
function hasNoSuchOperation({ status, body }: MediaResponse, profile: MediaProfile): boolean {
	if (status === 405 || status === 501) return true;
	const envelope = readEnvelope(body, status, profile);
	if (status !== 404) return false;
	if (envelope.kind !== "refusal" || NO_SUCH_ROUTE.test(envelope.reason)) return true;
	return !(isObject(body) && "code" in body) && !/\btask\b/i.test(envelope.reason);
}

/** The order in the places and under the names of the profile. */
export function bodyOf(
	order: GenerationRequest,
	{ orderPlaces, optionNames, submit }: MediaProfile,
	callbackUrl?: string,
): object {
	const body: Record<string, unknown> = structuredClone(submit.body ?? {});
	const options = Object.entries(order.options).map(([name, value]) => [optionNames[name] ?? name, value] as const);
	const optionsAt = orderPlaces.options === "" ? body : objectAt(body, orderPlaces.options);
	Object.assign(optionsAt, Object.fromEntries(options));
	const { mediaType, model, prompt, scene } = order;
	const parts = { mediaType, model, prompt, scene, callbackUrl } as const;
	for (const part of ["mediaType", "model", "prompt", "scene", "callbackUrl"] as const) {
		const place = orderPlaces[part];
		if (place === undefined || parts[part] === undefined) continue;
		const dot = place.lastIndexOf(".");
		const parent = dot < 0 ? body : objectAt(body, place.slice(0, dot));
		parent[place.slice(dot + 1)] = parts[part];
	}
	return body;
}

function objectAt(body: Record<string, unknown>, path: string): Record<string, unknown> {
	let current = body;
	for (const name of path.split(".")) current = (current[name] ??= {}) as Record<string, unknown>;
	return current;
}
