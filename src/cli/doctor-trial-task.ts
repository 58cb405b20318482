/** Quotes a small task at the media service, and submits it if the operator asks for it. */
import { randomUUID } from "node:crypto";
import type { Model } from "@atelier/media-protocol/model";
import { buildRequest, type GenerationRequest } from "../services/generation/request.ts";
import { requestBodyOf } from "../services/generation/request-body.ts";
import { fieldObjectsOf, findField } from "@atelier/media-protocol/find-fields";
import { parseTask, parseTaskId } from "@atelier/media-protocol/parse-task";
import { parseAmount } from "@atelier/media-protocol/parse-value";
import type { CheckResult } from "./doctor-check.ts";
import { NO_SUCH_OPERATION, payloadOf, send, summary, type MediaCheckDeps } from "./doctor-media-request.ts";

const TRIAL_POLL_EVERY_MS = 2_000;
const TRIAL_POLLS_MAX = 90;
const TRIAL_PROMPT = "a small red circle";
/** Some services put the file of a small task into the response. */
const RESPONSE_BYTES_MAX = 12 * 1024 * 1024;

/** Returns the price of a task, from the service's quote or from the catalog. */
export async function* checkQuote(
	deps: MediaCheckDeps,
	request: GenerationRequest,
): AsyncGenerator<CheckResult, string> {
	const { profile } = deps;
	const listedCost = `${request.costCredits} credits by its price`;
	if (!profile.quote) return listedCost;
	const sent = await send(deps, profile.quote, { body: requestBodyOf(request, profile) });
	if ("grade" in sent) {
		yield { ...sent, grade: "warn" };
		return listedCost;
	}
	if (NO_SUCH_OPERATION.has(sent.response.status)) {
		yield { grade: "note", text: `${summary(sent)}; the service quotes no price` };
		return listedCost;
	}
	const parsed = payloadOf(deps, sent);
	if ("grade" in parsed) {
		yield parsed;
		return listedCost;
	}
	const names = ["costCredits", "credits", "estimated_credits", "estimatedCredits", "cost", "total"];
	const quoted = findField(fieldObjectsOf(parsed.payload), names, parseAmount);
	if (!quoted) {
		yield { grade: "note", text: `${summary(sent)}; it contains no recognizable price` };
		return listedCost;
	}
	const differs = quoted.value !== request.costCredits;
	yield {
		grade: differs ? "warn" : "ok",
		text: `${summary(sent)}; quoted: ${quoted.value} credits (at ${quoted.path})`,
		...(differs && {
			advice: `Members are charged ${request.costCredits} for it: the price of ${request.model} in the catalog differs.`,
		}),
	};
	return `${quoted.value} credits`;
}

export async function* trySubmit(deps: MediaCheckDeps, request: GenerationRequest): AsyncGenerator<CheckResult> {
	const { profile, clock } = deps;
	const headers = { "idempotency-key": `atelier-doctor-${randomUUID()}` };
	const sent = await send(deps, profile.submit, {
		headers,
		body: requestBodyOf(request, profile),
		isRepeatable: false,
	});
	if ("grade" in sent) {
		yield { ...sent, grade: "fix" };
		return;
	}
	const parsed = payloadOf(deps, sent);
	if ("grade" in parsed) {
		yield { ...parsed, grade: "fix" };
		return;
	}
	const taskId = parseTaskId(parsed.payload, profile);
	if (taskId === undefined) {
		yield { grade: "fix", text: `${summary(sent)}; no task id in it`, advice: "Is MEDIA_API_PROFILE right?" };
		return;
	}
	yield { grade: "ok", text: `${summary(sent)}; task: ${taskId}` };
	let lastStateText = "";
	for (let polls = 0; polls < TRIAL_POLLS_MAX; polls++) {
		await clock.sleep(TRIAL_POLL_EVERY_MS);
		const result = await pollTask(deps, taskId, request);
		const isEnd = result.isFinal || result.grade === "fix";
		if (isEnd || result.stateText !== lastStateText) yield result;
		if (isEnd) return;
		lastStateText = result.stateText;
	}
	const seconds = (TRIAL_POLLS_MAX * TRIAL_POLL_EVERY_MS) / 1000;
	yield { grade: "warn", text: `not done after ${seconds} seconds, task ${taskId}: it may still finish` };
}

async function pollTask(
	deps: MediaCheckDeps,
	taskId: string,
	request: GenerationRequest,
): Promise<CheckResult & { readonly stateText: string; readonly isFinal: boolean }> {
	const { profile, httpClient } = deps;
	const sent = await send(deps, profile.read, { values: { taskId }, bytesMax: RESPONSE_BYTES_MAX });
	if ("grade" in sent) return { ...sent, stateText: "", isFinal: false };
	const parsed = payloadOf(deps, sent);
	if ("grade" in parsed) return { ...parsed, grade: "fix", stateText: "", isFinal: true };
	const reading = parseTask(parsed.payload, { profile, origin: httpClient.origin, request });
	const text = summary(sent);
	const advice = "Is MEDIA_API_PROFILE right?";
	if (!reading) return { grade: "fix", text: `${text}; no state in it`, advice, stateText: "", isFinal: true };
	const { task, fields } = reading;
	const details = fields.map(({ name, value, path }) => `${name}: ${httpClient.withoutKey(value)} (at ${path})`);
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

/** Returns the model with the cheapest trial request; one that has none only if no model has one. */
export function cheapest(models: readonly Model[]): Model | undefined {
	return models.toSorted((a, b) => trialCost(a) - trialCost(b))[0];
}

function trialCost(model: Model): number {
	return trialRequest(model)?.costCredits ?? Number.POSITIVE_INFINITY;
}

/** Builds a request of text alone. Returns `undefined` if the model needs other inputs. */
export function trialRequest(model: Model): GenerationRequest | undefined {
	try {
		return buildRequest(model, { prompt: TRIAL_PROMPT, options: {}, imageUrls: [] });
	} catch {
		// The model needs an image or a duration.
		return undefined;
	}
}
