/** Checks the media service with free requests, and with one paid task on request. Reports what each response contains. */
import { commandHint } from "../config/command-hint.ts";
import { randomUUID } from "node:crypto";
import type { ListedModels } from "../services/generation/media-api.ts";
import type { Model } from "@atelier/media-protocol/model";
import { parseModels } from "../services/generation/parse-models.ts";
import { NO_SUCH_OPERATION_STATUSES } from "@atelier/media-protocol/call-outcome";
import { fieldObjectsOf, findField } from "@atelier/media-protocol/find-fields";
import { isObject, parseAmount } from "@atelier/media-protocol/parse-value";
import { CheckFailedError, resultsOf, type CheckResult } from "./check-result.ts";
import { asWarning, payloadOf, send, summary, type MediaCheckDeps, type TimedResponse } from "./media-request.ts";
import { cheapest, checkQuote, trialRequest, trySubmit } from "./trial-task.ts";

const MODELS_SHOWN = 12;

export async function* checkMedia(deps: MediaCheckDeps): AsyncGenerator<CheckResult> {
	const { configuredModels, submitsTrialTask } = deps;
	let listed: ListedModels | undefined;
	try {
		listed = yield* checkModels(deps);
	} catch (error) {
		if (!(error instanceof CheckFailedError)) throw error;
		yield error.result;
		if (error.result.grade === "fix") {
			yield { grade: "note", text: "other checks are skipped until this is fixed" };
			return;
		}
	}
	yield* resultsOf(checkCredits(deps));
	yield* resultsOf(checkRead(deps));
	yield* resultsOf(checkFind(deps));
	const model = cheapest(configuredModels.length > 0 ? configuredModels : (listed?.models ?? []));
	const request = model && trialRequest(model);
	if (!request) {
		const reason = model ? `${model.id} needs an input other than text` : "there is no model";
		yield { grade: "note", text: `no trial submit is possible: ${reason}` };
		return;
	}
	const cost = yield* checkQuote(deps, request);
	const costText = `a task (${request.mediaType} by ${request.model}) would cost ${cost}`;
	if (!submitsTrialTask) {
		yield { grade: "note", text: `submit not tested: ${costText}`, advice: `${commandHint("doctor --try")} sends it` };
		return;
	}
	yield { grade: "note", text: `submit tested: ${costText}` };
	yield* resultsOf(trySubmit(deps, request), { grade: "fix" });
}

async function* checkModels(deps: MediaCheckDeps): AsyncGenerator<CheckResult, ListedModels | undefined> {
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
	if (NO_SUCH_OPERATION_STATUSES.has(sent.response.status)) {
		yield { ...missing, text: `${summary(sent)}; ${missing.text}` };
		return undefined;
	}
	const listed = parseModels(payloadOf(deps, sent));
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
	const sent = await send(deps, profile.credits).catch(asWarning);
	if (NO_SUCH_OPERATION_STATUSES.has(sent.response.status)) {
		yield { grade: "note", text: `${summary(sent)}; the service reports no balance` };
		return;
	}
	const payload = payloadOf(deps, sent);
	const amount = findField(fieldObjectsOf(payload), ["available", "credits", "balance", "remaining"], parseAmount);
	const balance = amount?.value ?? parseAmount(payload);
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
	const values = { taskId: `atelier-doctor-${randomUUID()}` };
	const sent = await send(deps, deps.profile.read, { values });
	try {
		payloadOf(deps, sent);
		yield { grade: "warn", text: `${summary(sent)}; it returns a task for an unknown id` };
	} catch (error) {
		if (!(error instanceof CheckFailedError) || error.result.grade !== "warn") throw error;
		const text = `${error.result.text}; this is its response for a missing task`;
		// Some services report a wrong key in the form of a missing task.
		const withWrongKey = { ...deps, httpClient: deps.wrongKeyHttpClient };
		const wrongKeyResponse = await send(withWrongKey, deps.profile.read, { values }).catch(() => undefined);
		yield wrongKeyResponse && comparableText(wrongKeyResponse) === comparableText(sent)
			? {
					grade: "warn",
					text: `${text}, and also that for a wrong key`,
					advice: `Only ${commandHint("doctor --try")} tests MEDIA_API_KEY for certain: it submits a task.`,
				}
			: { grade: "ok", text };
	}
}

/** Returns status and body without ids and times, in which otherwise equal responses differ. */
function comparableText({ response: { status, body } }: TimedResponse): string {
	return `${status} ${JSON.stringify(body)?.replaceAll(/[\da-f:.-]{8,}/gi, "")}`;
}

async function* checkFind(deps: MediaCheckDeps): AsyncGenerator<CheckResult> {
	const { profile } = deps;
	if (!profile.find) return;
	const sent = await send(deps, profile.find, { values: { key: `atelier-doctor-${randomUUID()}` } });
	const payload = payloadOf(deps, sent, {
		grade: "warn",
		advice: "Tasks cannot be found by their key: check MEDIA_API_PROFILE.",
	});
	const tasks = isObject(payload) ? payload["tasks"] : undefined;
	const isEmpty = Array.isArray(tasks) && tasks.length === 0;
	yield isEmpty
		? { grade: "ok", text: `${summary(sent)}; no task for an unused key, as expected` }
		: {
				grade: "fix",
				text: `${summary(sent)}; an unused key does not return an empty list`,
				advice: "Tasks cannot be found by their key there: set MEDIA_API_PROFILE to specification.",
			};
}
