/** Quotes a small task at the media service, and submits it if the operator asks for it. */
import { randomUUID } from "node:crypto";
import type { Clock } from "@atelier/common/clock";
import { fieldObjectsOf, findField } from "@atelier/media-protocol/find-fields";
import type { Model } from "@atelier/media-protocol/model";
import { parseAmount } from "@atelier/media-protocol/parse-value";
import type { MediaProfile } from "@atelier/media-protocol/profiles";
import { buildRequest, type GenerationRequest } from "../services/generation/request.ts";
import { requestBodyOf } from "../services/generation/request-body.ts";
import { CheckFailedError, type CheckResult } from "./check-result.ts";
import { PROFILE_ADVICE, type MediaProbe } from "./media-probe.ts";

const TRIAL_POLL_EVERY_MS = 2_000;
const TRIAL_POLLS_MAX = 90;
const TRIAL_PROMPT = "a small red circle";
const QUOTE_NAMES = ["costCredits", "credits", "estimated_credits", "estimatedCredits", "cost", "total"];

/** Returns the price of a task, from the service's quote or from the catalog. */
export async function* checkQuote(
	probe: MediaProbe,
	profile: MediaProfile,
	request: GenerationRequest,
): AsyncGenerator<CheckResult, string> {
	const { quote } = profile;
	const listedCost = `${request.costCredits} credits by its price`;
	if (!quote) return listedCost;
	try {
		const body = requestBodyOf(request, profile);
		const found = await probe.call((api, signal) => api.optional(quote, { signal, body }), { isOptional: true });
		if (!found) {
			yield { grade: "note", text: probe.describe("the service quotes no price") };
			return listedCost;
		}
		const quoted = findField(fieldObjectsOf(found.payload), QUOTE_NAMES, parseAmount);
		if (!quoted) {
			yield { grade: "note", text: probe.describe("it contains no recognizable price") };
			return listedCost;
		}
		const text = probe.describe(`quoted: ${quoted.value} credits (at ${quoted.path})`);
		const advice = `Members are charged ${request.costCredits} for it: the price of ${request.model} in the catalog differs.`;
		yield quoted.value === request.costCredits ? { grade: "ok", text } : { grade: "warn", text, advice };
		return `${quoted.value} credits`;
	} catch (error) {
		if (!(error instanceof CheckFailedError)) throw error;
		yield error.result;
		return listedCost;
	}
}

export async function* trySubmit(
	probe: MediaProbe,
	clock: Clock,
	request: GenerationRequest,
): AsyncGenerator<CheckResult> {
	const key = `atelier-doctor-${randomUUID()}`;
	const { remoteId } = await probe.call((api, signal) => api.submit(request, key, signal));
	yield { grade: "ok", text: probe.describe(`task: ${remoteId}`) };
	let lastWord = "";
	for (let polls = 0; polls < TRIAL_POLLS_MAX; polls++) {
		await clock.sleep(TRIAL_POLL_EVERY_MS);
		const task = await probe.call((api, signal) => api.read(remoteId, request, signal));
		const details = probe.fields(request);
		if (task.state === "failed") {
			// A failure that the service reports by a code has no fields.
			const error = `error: ${[task.code, task.reason].filter(Boolean).join(": ")}`;
			yield { grade: "fix", text: probe.describe("it failed"), details: details.length > 0 ? details : [error] };
			return;
		}
		if (task.state === "success") {
			yield task.outputs.length > 0
				? { grade: "ok", text: probe.describe("it succeeded"), details }
				: { grade: "fix", text: probe.describe("done without a file"), details, advice: PROFILE_ADVICE };
			return;
		}
		if (task.word !== lastWord) yield { grade: "ok", text: probe.describe(task.word), details };
		lastWord = task.word;
	}
	const seconds = (TRIAL_POLLS_MAX * TRIAL_POLL_EVERY_MS) / 1000;
	yield { grade: "warn", text: `not done after ${seconds} seconds, task ${remoteId}: it may still finish` };
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
