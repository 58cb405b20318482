/** Checks the media service with free requests, and with one paid task on request. Reports what each response contains. */
import { randomUUID } from "node:crypto";
import { NO_SUCH_OPERATION_STATUSES } from "@atelier/media-protocol/call-outcome";
import { fieldObjectsOf, findField } from "@atelier/media-protocol/find-fields";
import type { Model } from "@atelier/media-protocol/model";
import { parseAmount } from "@atelier/media-protocol/parse-value";
import type { MediaProfile } from "@atelier/media-protocol/profiles";
import { commandHint } from "../config/command-hint.ts";
import type { ListedModels, PolledRequest } from "../services/generation/media-api.ts";
import type { MediaResponse } from "../services/generation/media-http-client.ts";
import { CheckFailedError, resultsOf, type CheckResult } from "./check-result.ts";
import { createMediaProbe, type MediaAccess, type MediaProbe } from "./media-probe.ts";
import { cheapest, checkQuote, trialRequest, trySubmit } from "./trial-task.ts";

const MODELS_SHOWN = 12;
const BALANCE_NAMES = ["available", "credits", "balance", "remaining"];
const UNKNOWN_TASK: PolledRequest = { mediaType: "image", options: {}, prompt: "" };

interface MediaCheckDeps extends MediaAccess {
	/** Models from MEDIA_CATALOG. */
	readonly configuredModels: readonly Model[];
	/** True to submit a paid task. */
	readonly submitsTrialTask: boolean;
}

export async function* checkMedia(deps: MediaCheckDeps): AsyncGenerator<CheckResult> {
	const { profile, configuredModels, submitsTrialTask } = deps;
	const probe = createMediaProbe(deps);
	let listed: ListedModels | undefined;
	try {
		listed = yield* checkModels(probe, configuredModels);
	} catch (error) {
		if (!(error instanceof CheckFailedError)) throw error;
		yield error.result;
		if (error.result.grade === "fix") {
			yield { grade: "note", text: "other checks are skipped until this is fixed" };
			return;
		}
	}
	yield* resultsOf(checkCredits(probe, profile));
	yield* resultsOf(checkRead(probe, createMediaProbe({ ...deps, apiKey: "atelier-doctor-wrong-key" })));
	if (profile.find) yield* resultsOf(checkFind(probe));
	const model = cheapest(configuredModels.length > 0 ? configuredModels : (listed?.models ?? []));
	const request = model && trialRequest(model);
	if (!request) {
		const reason = model ? `${model.id} needs an input other than text` : "there is no model";
		yield { grade: "note", text: `no trial submit is possible: ${reason}` };
		return;
	}
	const cost = yield* checkQuote(probe, profile, request);
	const taskText = `a task (${request.mediaType} by ${request.model})`;
	if (!submitsTrialTask) {
		yield {
			grade: "note",
			text: `submit not tested: ${taskText} would cost ${cost}`,
			advice: `${commandHint("doctor --try")} sends it`,
		};
		return;
	}
	yield { grade: "note", text: `submit tested: ${taskText} costs ${cost}` };
	yield* resultsOf(trySubmit(probe, deps.clock, request), { grade: "fix" });
}

async function* checkModels(
	probe: MediaProbe,
	configuredModels: readonly Model[],
): AsyncGenerator<CheckResult, ListedModels | undefined> {
	const catalogText = `MEDIA_CATALOG lists ${configuredModels.length}`;
	const listed = await probe.call((api, signal) => api.models(signal));
	if (!listed || listed.models.length === 0) {
		const response = probe.response();
		const hasList = response !== undefined && !NO_SUCH_OPERATION_STATUSES.has(response.status);
		const text = hasList ? "it contains no recognizable model" : "the service lists no models";
		const details = listed?.firstReason === undefined ? [] : listed.firstReason.split("\n");
		const advice = "Write its models into a file, and name that in MEDIA_CATALOG.";
		yield configuredModels.length > 0
			? { grade: "ok", text: probe.describe(`${text}; ${catalogText}`), details }
			: { grade: "fix", text: probe.describe(text), details, advice };
		return listed;
	}
	const { models, invalidCount, firstReason = "" } = listed;
	yield {
		grade: "ok",
		text: probe.describe(
			`models: ${models.length}${configuredModels.length > 0 ? `, not used because ${catalogText}` : ""}`,
		),
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

async function* checkCredits(probe: MediaProbe, { credits }: MediaProfile): AsyncGenerator<CheckResult> {
	if (!credits) return;
	const found = await probe.call((api, signal) => api.optional(credits, { signal }), { isOptional: true });
	if (!found) {
		yield { grade: "note", text: probe.describe("the service reports no balance") };
		return;
	}
	const amount = findField(fieldObjectsOf(found.payload), BALANCE_NAMES, parseAmount);
	const balance = amount?.value ?? parseAmount(found.payload);
	if (balance === undefined) {
		yield { grade: "note", text: probe.describe("it contains no recognizable balance") };
		return;
	}
	const location = amount ? ` (at ${amount.path})` : "";
	yield {
		grade: balance > 0 ? "ok" : "fix",
		text: probe.describe(`credits: ${balance.toLocaleString("en")}${location}`),
		...(balance <= 0 && { advice: "The key has no credits: every submit will be rejected." }),
	};
}

async function* checkRead(probe: MediaProbe, wrongKeyProbe: MediaProbe): AsyncGenerator<CheckResult> {
	try {
		await readUnknownTask(probe);
	} catch (error) {
		if (!(error instanceof CheckFailedError)) throw error;
		if (!probe.isSuccess()) {
			if (error.result.grade !== "warn") throw error;
			yield await missingTaskResult(error.result.text, probe, wrongKeyProbe);
			return;
		}
	}
	yield { grade: "warn", text: probe.describe("it does not reject an unknown task id") };
}

/** Compares the response to a missing task with that to a wrong key: some services respond alike to both. */
async function missingTaskResult(
	rejection: string,
	probe: MediaProbe,
	wrongKeyProbe: MediaProbe,
): Promise<CheckResult> {
	const text = `${rejection}; this is its response for a missing task`;
	await readUnknownTask(wrongKeyProbe).catch(() => {});
	return comparableText(wrongKeyProbe.response()) === comparableText(probe.response())
		? {
				grade: "warn",
				text: `${text}, and also that for a wrong key`,
				advice: `Only ${commandHint("doctor --try")} tests MEDIA_API_KEY for certain: it submits a task.`,
			}
		: { grade: "ok", text };
}

function readUnknownTask(probe: MediaProbe): Promise<unknown> {
	return probe.call((api, signal) => api.read(`atelier-doctor-${randomUUID()}`, UNKNOWN_TASK, signal));
}

/** Returns status and body without ids and times, in which otherwise equal responses differ. */
function comparableText(response: MediaResponse | undefined): string | undefined {
	return response && `${response.status} ${JSON.stringify(response.body)?.replaceAll(/[\da-f:.-]{8,}/gi, "")}`;
}

async function* checkFind(probe: MediaProbe): AsyncGenerator<CheckResult> {
	let failure: string | undefined;
	try {
		const { kind } = await probe.call((api, signal) => api.find(`atelier-doctor-${randomUUID()}`, signal));
		if (kind === "absent") {
			yield { grade: "ok", text: probe.describe("no task for an unused key, as expected") };
			return;
		}
	} catch (error) {
		if (!(error instanceof CheckFailedError) || !probe.response()) throw error;
		failure = error.result.text;
	}
	yield probe.isSuccess()
		? {
				grade: "fix",
				text: probe.describe("an unused key does not return an empty list"),
				advice: "Tasks cannot be found by their key there: set MEDIA_API_PROFILE to specification.",
			}
		: {
				grade: "warn",
				text: failure ?? probe.describe("the service has no such operation"),
				advice: "Tasks cannot be found by their key: check MEDIA_API_PROFILE.",
			};
}
