/** Checks the media service with free requests and reports what each response contains. */
import { commandHint } from "../config/command-hint.ts";
import { randomUUID } from "node:crypto";
import type { Clock } from "@atelier/common/clock";
import { classifyError } from "../services/generation/classify-service-error.ts";
import { parsePayload } from "../services/generation/parse-payload.ts";
import {
	MediaHttpError,
	MediaRefusedError,
	MediaTimeoutError,
	MediaUnavailableError,
	type ListedModels,
} from "../services/generation/media-api.ts";
import type { CallOptions, MediaResponse, MediaHttpClient } from "../services/generation/http-client.ts";
import type { Model } from "@atelier/media-protocol/model";
import { buildRequest, type GenerationRequest } from "../services/generation/request.ts";
import { requestBodyOf } from "../services/generation/request-body.ts";
import { PROFILES, type MediaProfile } from "@atelier/media-protocol/profiles";
import type { RequestShape } from "@atelier/media-protocol/request-template";
import { readEnvelope } from "@atelier/media-protocol/parse-envelope";
import { parseModels } from "../services/generation/read-models.ts";
import { fieldObjectsOf, seek } from "@atelier/media-protocol/find-fields";
import { readTask, readTaskId } from "@atelier/media-protocol/parse-task";
import { isObject, readAmount } from "@atelier/media-protocol/parse-value";
import type { CheckResult } from "./doctor-check.ts";
import { checkKey } from "./doctor-key.ts";

const MODELS_SHOWN = 12;
const NO_SUCH_OPERATION = new Set([404, 405, 501]);
const TRIAL_POLL_EVERY_MS = 2_000;
const TRIAL_POLLS_MAX = 90;
const PROMPT = "a small red circle";

interface MediaCheckDeps {
	readonly httpClient: MediaHttpClient;
	/** Returns a client with another key, or without one. */
	readonly httpClientWith: (key: string | undefined) => MediaHttpClient;
	readonly profile: MediaProfile;
	readonly clock: Clock;
	/** Models from MEDIA_CATALOG. */
	readonly configured: readonly Model[];
	/** True to submit a paid task. */
	readonly submitsTrialTask: boolean;
}

export async function* checkMedia(deps: MediaCheckDeps): AsyncGenerator<CheckResult> {
	const { profile, configured, submitsTrialTask } = deps;
	const listed = yield* checkModels(deps);
	if (listed === "no answer") {
		yield { grade: "note", text: "other checks are skipped until this is fixed" };
		return;
	}
	yield* checkCredits(deps);
	yield* checkRead(deps);
	yield* checkFind(deps);
	yield {
		grade: profile.honorsIdempotencyKey ? "ok" : "note",
		text: profile.honorsIdempotencyKey
			? `profile ${profile.name}: a submit without a response may be repeated, and is found by its key`
			: `profile ${profile.name}: a submit without a response is never repeated, because it might be billed twice`,
	};
	const model = cheapest(configured.length > 0 ? configured : (listed?.models ?? []));
	if (!model) {
		yield { grade: "note", text: "no trial submit is possible: there is no model" };
		return;
	}
	const request = trialRequest(model);
	if (!request) {
		yield { grade: "note", text: `no trial submit is possible: ${model.id} needs an input other than text` };
		return;
	}
	const cost = yield* checkQuote(deps, request);
	const costText = `a task (${request.mediaType} by ${request.model}) would cost ${cost}`;
	if (!submitsTrialTask) {
		yield { grade: "note", text: `submit not tested: ${costText}`, advice: `${commandHint("doctor --try")} sends it` };
		return;
	}
	yield { grade: "note", text: `submit tested: ${costText}` };
	yield* trySubmit(deps, request);
}

interface TimedResponse {
	readonly response: MediaResponse;
	readonly tookMs: number;
}

/** Sends one request; a failure becomes a check result. */
async function send(
	{ httpClient, clock }: MediaCheckDeps,
	shape: RequestShape,
	options: Partial<CallOptions> = {},
): Promise<TimedResponse | CheckResult> {
	const startedAtMs = clock.nowMs();
	try {
		const signal = AbortSignal.timeout(20_000);
		const response = await httpClient.call(shape, { signal, isRepeatable: true, ...options });
		return { response, tookMs: clock.nowMs() - startedAtMs };
	} catch (error) {
		return errorResult(error);
	}
}

function summary({ response: { name, status, bytes }, tookMs }: TimedResponse): string {
	return `${name}: HTTP ${status}, ${bytes.toLocaleString("en")} bytes, ${tookMs} ms`;
}

function errorResult(error: unknown): CheckResult {
	if (!(error instanceof Error)) throw error;
	const cause = error.cause instanceof Error && error.cause.cause instanceof Error ? error.cause.cause.message : "";
	const text = cause === "" ? error.message : `${error.message} (${cause})`;
	if (error instanceof MediaRefusedError) return refusalResult(error);
	if (error instanceof MediaUnavailableError) return { grade: "fix", text, advice: adviceOf(error) };
	if (error instanceof MediaTimeoutError) {
		return { grade: "fix", text, advice: "Check that the service responds at MEDIA_API_URL within 15 seconds." };
	}
	if (error instanceof MediaHttpError) {
		const isServerError = error.status >= 500;
		return { grade: "fix", text, advice: isServerError ? "Look at the service: it fails." : WRONG_ADDRESS_ADVICE };
	}
	throw error;
}

const WRONG_ADDRESS_ADVICE =
	"The server at MEDIA_API_URL is not a media service. Check the address; it must not be that of a web page.";

function adviceOf({ why, message }: MediaUnavailableError): string {
	if (message.includes("redirect")) return "Set MEDIA_API_URL to where the redirect leads.";
	if (message.includes("no JSON")) return WRONG_ADDRESS_ADVICE;
	if (why === "asked_to_wait" || why === "rate_limited") return "The service limits its requests. Try again later.";
	return "No response from MEDIA_API_URL. Is the address right, and is the service running?";
}

function refusalResult(error: MediaRefusedError): CheckResult {
	const { code, reason } = error;
	const text = `refused with code ${code}${reason === "" ? "" : `: ${reason}`}`;
	const meaning = classifyError(error);
	if (meaning === "operatorKey") {
		const isForbidden = /^(HTTP )?403/.test(code);
		const advice = isForbidden ? "This key may not do that. Ask the provider." : "Check MEDIA_API_KEY.";
		return { grade: "fix", text, advice };
	}
	if (meaning === "operatorAccount") {
		return { grade: "fix", text, advice: "The account at the service has no credits left or is locked." };
	}
	return { grade: "warn", text };
}

/** Returns the payload of a response, or a check result if it cannot be parsed. */
function payloadOf(
	{ httpClient, profile }: MediaCheckDeps,
	asked: TimedResponse,
): { readonly payload: unknown } | CheckResult {
	const { response } = asked;
	try {
		return parsePayload(response, profile, httpClient);
	} catch (error) {
		const otherProfile = otherProfileFor(response, profile);
		const finding = errorResult(error);
		const text = `${summary(asked)}; ${finding.text}`;
		if (otherProfile === undefined) return { ...finding, text };
		return {
			grade: "fix",
			text,
			advice: `Its code means success to other services: is MEDIA_API_PROFILE ${otherProfile}?`,
		};
	}
}

function otherProfileFor({ body }: MediaResponse, profile: MediaProfile): string | undefined {
	if (!isObject(body) || body["data"] === undefined || body["data"] === null) return undefined;
	const others = Object.values(PROFILES).filter(
		({ name, successCodes }) =>
			name !== profile.name && readEnvelope(body, 200, { ...profile, successCodes }).kind === "success",
	);
	return others.length > 0 ? others.map(({ name }) => name).join(" or ") : undefined;
}

async function* checkModels(deps: MediaCheckDeps): AsyncGenerator<CheckResult, ListedModels | "no answer" | undefined> {
	const { profile, configured } = deps;
	const catalogText = `MEDIA_CATALOG lists ${configured.length}`;
	const missing: CheckResult = {
		grade: configured.length > 0 ? "ok" : "fix",
		text: configured.length > 0 ? `the service lists no models; ${catalogText}` : "the service lists no models",
		...(configured.length === 0 && { advice: "Write its models into a file, and name that in MEDIA_CATALOG." }),
	};
	if (!profile.models) {
		yield missing;
		return undefined;
	}
	const asked = await send(deps, profile.models);
	if ("grade" in asked) {
		yield asked;
		return "no answer";
	}
	if (NO_SUCH_OPERATION.has(asked.response.status)) {
		yield { ...missing, text: `${summary(asked)}; ${missing.text}` };
		return undefined;
	}
	const read = payloadOf(deps, asked);
	if ("grade" in read) {
		yield read;
		return read.grade === "fix" ? "no answer" : undefined;
	}
	const listed = parseModels(read.payload);
	if (!listed || listed.models.length === 0) {
		const details = listed?.firstReason === undefined ? [] : listed.firstReason.split("\n");
		yield { ...missing, text: `${summary(asked)}; it contains no recognizable model`, details };
		return listed;
	}
	const { models, invalidCount, firstReason = "" } = listed;
	yield {
		grade: "ok",
		text: `${summary(asked)}; models: ${models.length}${configured.length > 0 ? `, not used because ${catalogText}` : ""}`,
		details: [
			...models.slice(0, MODELS_SHOWN).map(formatModel),
			...(models.length > MODELS_SHOWN ? [`and ${models.length - MODELS_SHOWN} more`] : []),
		],
	};
	if (invalidCount > 0) {
		const details = firstReason.split("\n");
		yield { grade: "warn", text: `not recognized and ignored: ${invalidCount} models`, details };
	}
	return listed;
}

function formatModel({ id, mediaType, scenes, options, price: { credits, per } }: Model): string {
	const optionNames = Object.keys(options).join(", ");
	return `${id}: ${mediaType}, ${scenes.join(" and ")}, price in credits: ${credits} per ${per}; options: ${optionNames || "none"}`;
}

async function* checkCredits(deps: MediaCheckDeps): AsyncGenerator<CheckResult> {
	const { profile } = deps;
	if (!profile.credits) return;
	const asked = await send(deps, profile.credits);
	if ("grade" in asked) {
		yield { ...asked, grade: "warn" };
		return;
	}
	if (NO_SUCH_OPERATION.has(asked.response.status)) {
		yield { grade: "note", text: `${summary(asked)}; the service reports no balance` };
		return;
	}
	const read = payloadOf(deps, asked);
	if ("grade" in read) {
		yield read;
		return;
	}
	const amount = seek(fieldObjectsOf(read.payload), ["available", "credits", "balance", "remaining"], readAmount);
	const balance = amount?.value ?? readAmount(read.payload);
	if (balance === undefined) {
		yield { grade: "note", text: `${summary(asked)}; it contains no recognizable balance` };
		return;
	}
	const location = amount ? ` (at ${amount.at})` : "";
	yield {
		grade: balance > 0 ? "ok" : "fix",
		text: `${summary(asked)}; credits: ${balance.toLocaleString("en")}${location}`,
		...(balance <= 0 && { advice: "The key has no credits: every submit will be rejected." }),
	};
}

async function* checkRead(deps: MediaCheckDeps): AsyncGenerator<CheckResult> {
	const { profile } = deps;
	const asked = await send(deps, profile.read, { values: { taskId: `atelier-doctor-${randomUUID()}` } });
	if ("grade" in asked) {
		yield asked;
		return;
	}
	const read = payloadOf(deps, asked);
	if (!("grade" in read)) {
		yield { grade: "warn", text: `${summary(asked)}; it returns a task for an unknown id` };
	} else if (read.grade === "warn") {
		yield { grade: "ok", text: `${read.text}; this is its response for a missing task` };
	} else {
		yield read;
		return;
	}
	yield await checkKey(deps);
}

async function* checkFind(deps: MediaCheckDeps): AsyncGenerator<CheckResult> {
	const { profile } = deps;
	if (!profile.find) return;
	const asked = await send(deps, profile.find, { values: { key: `atelier-doctor-${randomUUID()}` } });
	if ("grade" in asked) {
		yield asked;
		return;
	}
	const read = payloadOf(deps, asked);
	if ("grade" in read) {
		yield { ...read, grade: "warn", advice: "Tasks cannot be found by their key there: check MEDIA_API_PROFILE." };
		return;
	}
	const tasks = isObject(read.payload) ? read.payload["tasks"] : undefined;
	const isEmpty = Array.isArray(tasks) && tasks.length === 0;
	yield isEmpty
		? { grade: "ok", text: `${summary(asked)}; no task for an unused key, as expected` }
		: {
				grade: "fix",
				text: `${summary(asked)}; an unused key does not return an empty list`,
				advice: "Tasks cannot be found by their key there: set MEDIA_API_PROFILE to specification.",
			};
}

/** Returns the price of a task, from the service's quote or from the catalog. */
async function* checkQuote(deps: MediaCheckDeps, request: GenerationRequest): AsyncGenerator<CheckResult, string> {
	const { profile } = deps;
	const listedCost = `${request.costCredits} credits by its price`;
	if (!profile.quote) return listedCost;
	const asked = await send(deps, profile.quote, { body: requestBodyOf(request, profile) });
	if ("grade" in asked) {
		yield { ...asked, grade: "warn" };
		return listedCost;
	}
	if (NO_SUCH_OPERATION.has(asked.response.status)) {
		yield { grade: "note", text: `${summary(asked)}; the service quotes no price` };
		return listedCost;
	}
	const read = payloadOf(deps, asked);
	if ("grade" in read) {
		yield read;
		return listedCost;
	}
	const names = ["costCredits", "credits", "estimated_credits", "estimatedCredits", "cost", "total"];
	const quoted = seek(fieldObjectsOf(read.payload), names, readAmount);
	if (!quoted) {
		yield { grade: "note", text: `${summary(asked)}; it contains no recognizable price` };
		return listedCost;
	}
	const differs = quoted.value !== request.costCredits;
	yield {
		grade: differs ? "warn" : "ok",
		text: `${summary(asked)}; quoted: ${quoted.value} credits (at ${quoted.at})`,
		...(differs && {
			advice: `Members are charged ${request.costCredits} for it: the price of ${request.model} in the catalog differs.`,
		}),
	};
	return `${quoted.value} credits`;
}

async function* trySubmit(deps: MediaCheckDeps, request: GenerationRequest): AsyncGenerator<CheckResult> {
	const { profile, clock } = deps;
	const headers = { "idempotency-key": `atelier-doctor-${randomUUID()}` };
	const asked = await send(deps, profile.submit, {
		headers,
		body: requestBodyOf(request, profile),
		isRepeatable: false,
	});
	if ("grade" in asked) {
		yield { ...asked, grade: "fix" };
		return;
	}
	const read = payloadOf(deps, asked);
	if ("grade" in read) {
		yield { ...read, grade: "fix" };
		return;
	}
	const taskId = readTaskId(read.payload, profile);
	if (taskId === undefined) {
		yield { grade: "fix", text: `${summary(asked)}; no task id in it`, advice: "Is MEDIA_API_PROFILE right?" };
		return;
	}
	yield { grade: "ok", text: `${summary(asked)}; task: ${taskId}` };
	let lastStateText = "";
	for (let polls = 0; polls < TRIAL_POLLS_MAX; polls++) {
		await clock.sleep(TRIAL_POLL_EVERY_MS);
		const finding = await pollTask(deps, taskId, request);
		const isEnd = finding.isFinal || finding.grade === "fix";
		if (isEnd || finding.stateText !== lastStateText) yield finding;
		if (isEnd) return;
		lastStateText = finding.stateText;
	}
	const seconds = (TRIAL_POLLS_MAX * TRIAL_POLL_EVERY_MS) / 1000;
	yield { grade: "warn", text: `not done after ${seconds} seconds, task ${taskId}: it may still finish` };
}

async function pollTask(
	deps: MediaCheckDeps,
	taskId: string,
	requested: GenerationRequest,
): Promise<CheckResult & { readonly stateText: string; readonly isFinal: boolean }> {
	const { profile, httpClient } = deps;
	const asked = await send(deps, profile.read, { values: { taskId }, bytesMax: 12 * 1024 * 1024 });
	if ("grade" in asked) return { ...asked, stateText: "", isFinal: false };
	const read = payloadOf(deps, asked);
	if ("grade" in read) return { ...read, grade: "fix", stateText: "", isFinal: true };
	const reading = readTask(read.payload, { profile, origin: httpClient.origin, requested });
	const text = summary(asked);
	const advice = "Is MEDIA_API_PROFILE right?";
	if (!reading) return { grade: "fix", text: `${text}; no state in it`, advice, stateText: "", isFinal: true };
	const { task, fields } = reading;
	const details = fields.map(({ name, value, at }) => `${name}: ${httpClient.withoutKey(value)} (at ${at})`);
	switch (task.state) {
		case "open":
			return { grade: "ok", text, details, stateText: task.word, isFinal: false };
		case "failed":
			return { grade: "fix", text: `${text}; it failed`, details, stateText: task.code, isFinal: true };
		case "success":
			if (task.outputs.length > 0) return { grade: "ok", text, details, stateText: "success", isFinal: true };
			return {
				grade: "fix",
				text: `${text}; done without a file`,
				details,
				advice,
				stateText: "success",
				isFinal: true,
			};
	}
}

function cheapest(models: readonly Model[]): Model | undefined {
	return models.toSorted((a, b) => trialCost(a) - trialCost(b))[0];
}

function trialCost(model: Model): number {
	return trialRequest(model)?.costCredits ?? Number.POSITIVE_INFINITY;
}

function trialRequest(model: Model): GenerationRequest | undefined {
	try {
		return buildRequest(model, { prompt: PROMPT, options: {}, imageUrls: [] });
	} catch {
		// The model needs an image or a duration, so the check tries another one.
		return undefined;
	}
}
