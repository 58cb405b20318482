/** Checks the media service with free requests, and with one paid task on request. Reports what each response contains. */
import { commandHint } from "../config/command-hint.ts";
import { randomUUID } from "node:crypto";
import type { ListedModels } from "../services/generation/media-api.ts";
import type { Model } from "@atelier/media-protocol/model";
import { parseModels } from "../services/generation/parse-models.ts";
import { fieldObjectsOf, findField } from "@atelier/media-protocol/find-fields";
import { isObject, parseAmount } from "@atelier/media-protocol/parse-value";
import type { CheckResult } from "./doctor-check.ts";
import { checkKey } from "./doctor-media-key.ts";
import { NO_SUCH_OPERATION, payloadOf, send, summary, type MediaCheckDeps } from "./doctor-media-request.ts";
import { cheapest, checkQuote, trialRequest, trySubmit } from "./doctor-trial-task.ts";

const MODELS_SHOWN = 12;

export async function* checkMedia(deps: MediaCheckDeps): AsyncGenerator<CheckResult> {
	const { profile, configuredModels, submitsTrialTask } = deps;
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
	const model = cheapest(configuredModels.length > 0 ? configuredModels : (listed?.models ?? []));
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

async function* checkModels(deps: MediaCheckDeps): AsyncGenerator<CheckResult, ListedModels | "no answer" | undefined> {
	const { profile, configuredModels } = deps;
	const catalogText = `MEDIA_CATALOG lists ${configuredModels.length}`;
	const missing: CheckResult = {
		grade: configuredModels.length > 0 ? "ok" : "fix",
		text: configuredModels.length > 0 ? `the service lists no models; ${catalogText}` : "the service lists no models",
		...(configuredModels.length === 0 && { advice: "Write its models into a file, and name that in MEDIA_CATALOG." }),
	};
	if (!profile.models) {
		yield missing;
		return undefined;
	}
	const sent = await send(deps, profile.models);
	if ("grade" in sent) {
		yield sent;
		return "no answer";
	}
	if (NO_SUCH_OPERATION.has(sent.response.status)) {
		yield { ...missing, text: `${summary(sent)}; ${missing.text}` };
		return undefined;
	}
	const parsed = payloadOf(deps, sent);
	if ("grade" in parsed) {
		yield parsed;
		return parsed.grade === "fix" ? "no answer" : undefined;
	}
	const listed = parseModels(parsed.payload);
	if (!listed || listed.models.length === 0) {
		const details = listed?.firstReason === undefined ? [] : listed.firstReason.split("\n");
		yield { ...missing, text: `${summary(sent)}; it contains no recognizable model`, details };
		return listed;
	}
	const { models, invalidCount, firstReason = "" } = listed;
	yield {
		grade: "ok",
		text: `${summary(sent)}; models: ${models.length}${configuredModels.length > 0 ? `, not used because ${catalogText}` : ""}`,
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
	const sent = await send(deps, profile.credits);
	if ("grade" in sent) {
		yield { ...sent, grade: "warn" };
		return;
	}
	if (NO_SUCH_OPERATION.has(sent.response.status)) {
		yield { grade: "note", text: `${summary(sent)}; the service reports no balance` };
		return;
	}
	const parsed = payloadOf(deps, sent);
	if ("grade" in parsed) {
		yield parsed;
		return;
	}
	const amount = findField(
		fieldObjectsOf(parsed.payload),
		["available", "credits", "balance", "remaining"],
		parseAmount,
	);
	const balance = amount?.value ?? parseAmount(parsed.payload);
	if (balance === undefined) {
		yield { grade: "note", text: `${summary(sent)}; it contains no recognizable balance` };
		return;
	}
	const location = amount ? ` (at ${amount.path})` : "";
	yield {
		grade: balance > 0 ? "ok" : "fix",
		text: `${summary(sent)}; credits: ${balance.toLocaleString("en")}${location}`,
		...(balance <= 0 && { advice: "The key has no credits: every submit will be rejected." }),
	};
}

async function* checkRead(deps: MediaCheckDeps): AsyncGenerator<CheckResult> {
	const { profile } = deps;
	const sent = await send(deps, profile.read, { values: { taskId: `atelier-doctor-${randomUUID()}` } });
	if ("grade" in sent) {
		yield sent;
		return;
	}
	const parsed = payloadOf(deps, sent);
	if (!("grade" in parsed)) {
		yield { grade: "warn", text: `${summary(sent)}; it returns a task for an unknown id` };
	} else if (parsed.grade === "warn") {
		yield { grade: "ok", text: `${parsed.text}; this is its response for a missing task` };
	} else {
		yield parsed;
		return;
	}
	yield await checkKey(deps);
}

async function* checkFind(deps: MediaCheckDeps): AsyncGenerator<CheckResult> {
	const { profile } = deps;
	if (!profile.find) return;
	const sent = await send(deps, profile.find, { values: { key: `atelier-doctor-${randomUUID()}` } });
	if ("grade" in sent) {
		yield sent;
		return;
	}
	const parsed = payloadOf(deps, sent);
	if ("grade" in parsed) {
		yield { ...parsed, grade: "warn", advice: "Tasks cannot be found by their key there: check MEDIA_API_PROFILE." };
		return;
	}
	const tasks = isObject(parsed.payload) ? parsed.payload["tasks"] : undefined;
	const isEmpty = Array.isArray(tasks) && tasks.length === 0;
	yield isEmpty
		? { grade: "ok", text: `${summary(sent)}; no task for an unused key, as expected` }
		: {
				grade: "fix",
				text: `${summary(sent)}; an unused key does not return an empty list`,
				advice: "Tasks cannot be found by their key there: set MEDIA_API_PROFILE to specification.",
			};
}
