/** Quotes a small task at the media service, and submits it if the operator asks for it. */
import { randomUUID } from "node:crypto";
import type { Model } from "@atelier/media-protocol/model";
import { buildRequest, type GenerationRequest } from "../services/generation/request.ts";
import { requestBodyOf } from "../services/generation/request-body.ts";
import { NO_SUCH_OPERATION_STATUSES } from "@atelier/media-protocol/call-outcome";
import { fieldObjectsOf, findField } from "@atelier/media-protocol/find-fields";
import { parseTask, parseTaskId } from "@atelier/media-protocol/parse-task";
import { parseAmount } from "@atelier/media-protocol/parse-value";
import { CheckFailedError, type CheckResult } from "./check-result.ts";
import { asWarning, payloadOf, send, summary, type MediaCheckDeps } from "./media-request.ts";

const TRIAL_POLL_EVERY_MS = 2_000;
const TRIAL_POLLS_MAX = 90;
const TRIAL_PROMPT = "a small red circle";
/** Some services put the file of a small task into the response. */
const RESPONSE_BYTES_MAX = 12 * 1024 * 1024;
const PROFILE_ADVICE = "Is MEDIA_API_PROFILE right?";

/** Returns the price of a task, from the service's quote or from the catalog. */
export async function* checkQuote(
	deps: MediaCheckDeps,
	request: GenerationRequest,
): AsyncGenerator<CheckResult, string> {
	const { profile } = deps;
	const listedCost = `${request.costCredits} credits by its price`;
	if (!profile.quote) return listedCost;
	try {
		const sent = await send(deps, profile.quote, { body: requestBodyOf(request, profile) }).catch(asWarning);
		if (NO_SUCH_OPERATION_STATUSES.has(sent.response.status)) {
			yield { grade: "note", text: `${summary(sent)}; the service quotes no price` };
			return listedCost;
		}
		const names = ["costCredits", "credits", "estimated_credits", "estimatedCredits", "cost", "total"];
		const quoted = findField(fieldObjectsOf(payloadOf(deps, sent)), names, parseAmount);
		if (!quoted) {
			yield { grade: "note", text: `${summary(sent)}; it contains no recognizable price` };
			return listedCost;
		}
		const text = `${summary(sent)}; quoted: ${quoted.value} credits (at ${quoted.path})`;
		const advice = `Members are charged ${request.costCredits} for it: the price of ${request.model} in the catalog differs.`;
		yield quoted.value === request.costCredits ? { grade: "ok", text } : { grade: "warn", text, advice };
		return `${quoted.value} credits`;
	} catch (error) {
		if (!(error instanceof CheckFailedError)) throw error;
		yield error.result;
		return listedCost;
	}
}

export async function* trySubmit(deps: MediaCheckDeps, request: GenerationRequest): AsyncGenerator<CheckResult> {
	const { profile, clock } = deps;
	const sent = await send(deps, profile.submit, {
		headers: { "idempotency-key": `atelier-doctor-${randomUUID()}` },
		body: requestBodyOf(request, profile),
		isRepeatable: false,
	});
	const taskId = parseTaskId(payloadOf(deps, sent), profile);
	if (taskId === undefined) {
		yield { grade: "fix", text: `${summary(sent)}; no task id in it`, advice: PROFILE_ADVICE };
		return;
	}
	yield { grade: "ok", text: `${summary(sent)}; task: ${taskId}` };
	let lastState = "";
	for (let polls = 0; polls < TRIAL_POLLS_MAX; polls++) {
		await clock.sleep(TRIAL_POLL_EVERY_MS);
		const { openState, result } = await pollTask(deps, taskId, request);
		if (openState !== lastState) yield result;
		if (openState === undefined) return;
		lastState = openState;
	}
	const seconds = (TRIAL_POLLS_MAX * TRIAL_POLL_EVERY_MS) / 1000;
	yield { grade: "warn", text: `not done after ${seconds} seconds, task ${taskId}: it may still finish` };
}

/** `openState`: the state in the service's words; `undefined` for a task that has ended. */
async function pollTask(
	deps: MediaCheckDeps,
	taskId: string,
	request: GenerationRequest,
): Promise<{ readonly result: CheckResult; readonly openState: string | undefined }> {
	const { profile, httpClient } = deps;
	const sent = await send(deps, profile.read, { values: { taskId }, bytesMax: RESPONSE_BYTES_MAX });
	const reading = parseTask(payloadOf(deps, sent), { profile, origin: httpClient.origin, request });
	const text = summary(sent);
	if (!reading) throw new CheckFailedError({ grade: "fix", text: `${text}; no state in it`, advice: PROFILE_ADVICE });
	const { task, fields } = reading;
	const details = fields.map(({ name, value, path }) => `${name}: ${httpClient.withoutKey(value)} (at ${path})`);
	switch (task.state) {
		case "open":
			return { result: { grade: "ok", text, details }, openState: task.word };
		case "failed":
			throw new CheckFailedError({ grade: "fix", text: `${text}; it failed`, details });
		case "success":
			if (task.outputs.length > 0) return { result: { grade: "ok", text, details }, openState: undefined };
			throw new CheckFailedError({
				grade: "fix",
				text: `${text}; done without a file`,
				details,
				advice: PROFILE_ADVICE,
			});
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
