/**
 * Checks whether a media service accepts the configured key. Some services report a wrong key in the form of "no such
 * task", so the check compares the responses to the configured key, a wrong key and no key.
 */
import { commandHint } from "../config/command-hint.ts";
import { randomUUID } from "node:crypto";
import { MediaError } from "../services/generation/media-api.ts";
import type { MediaHttpClient } from "../services/generation/media-http-client.ts";
import type { MediaProfile } from "@atelier/media-protocol/profiles";
import { parseEnvelope, httpStatusOf } from "@atelier/media-protocol/parse-envelope";
import type { RequestTemplate } from "@atelier/media-protocol/request-template";
import type { CheckResult } from "./doctor-check.ts";

const WRONG_KEY = "sk-atelier-doctor-this-key-is-wrong";
const ANSWER_TIMEOUT_MS = 20_000;
/** Ids, counts and times, which differ between otherwise equal responses. */
const VARIABLE_PARTS = /[\da-f]*\d[\da-f-]*/gi;
const NO_SUCH_TASK = /not found|not exist|no such|unknown|invalid (task|id)|\btask\b/i;

interface KeyCheckDeps {
	readonly httpClient: MediaHttpClient;
	/** Returns a client with another key, or without one. */
	readonly httpClientWith: (key: string | undefined) => MediaHttpClient;
	readonly profile: MediaProfile;
}

/** Sends up to five requests. */
export async function checkKey({ httpClient, httpClientWith, profile }: KeyCheckDeps): Promise<CheckResult> {
	const taskId = `atelier-doctor-${randomUUID()}`;
	const send = (client: MediaHttpClient, template: RequestTemplate) =>
		responseTo(client, template, { taskId, profile });
	const wrongKeyClient = httpClientWith(WRONG_KEY);
	let sameAsWrongKey: KeyResponse | undefined;
	for (const template of [profile.read, ...(profile.credits ? [profile.credits] : [])]) {
		const ownResponse = await send(httpClient, template);
		const wrongKeyResponse = ownResponse && (await send(wrongKeyClient, template));
		if (!ownResponse || !wrongKeyResponse) continue;
		if (ownResponse.text !== wrongKeyResponse.text) {
			return {
				grade: "ok",
				text: `MEDIA_API_KEY is accepted: ${ownResponse.name} rejects a wrong key with ${wrongKeyResponse.text}`,
			};
		}
		sameAsWrongKey ??= ownResponse;
	}
	if (!sameAsWrongKey) return { grade: "note", text: "MEDIA_API_KEY not checked: the service does not respond" };
	const responseWithoutKey = await send(httpClientWith(undefined), profile.read);
	const isSameWithoutKey = responseWithoutKey?.text === sameAsWrongKey.text;
	return {
		grade: isSameWithoutKey && !sameAsWrongKey.isAboutTask ? "fix" : "warn",
		text: `${sameAsWrongKey.name}: MEDIA_API_KEY gets the same response as a wrong key${isSameWithoutKey ? " and as no key" : ""}, ${sameAsWrongKey.text}`,
		advice: `Check MEDIA_API_KEY. ${commandHint("doctor --try")} submits a task, which is a reliable test.`,
	};
}

interface KeyResponse {
	readonly name: string;
	/** Normalized, so that equal responses compare equal. */
	readonly text: string;
	readonly isAboutTask: boolean;
}

/** Returns `undefined` for a response that does not depend on the key: none, a server error, or a rate limit. */
async function responseTo(
	caller: MediaHttpClient,
	template: RequestTemplate,
	{ taskId, profile }: { readonly taskId: string; readonly profile: MediaProfile },
): Promise<KeyResponse | undefined> {
	const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
	try {
		const { name, status, body } = await caller.call(template, { signal, values: { taskId }, isRepeatable: true });
		const envelope = parseEnvelope(body, status, profile);
		const meantStatus = envelope.kind === "rejection" ? httpStatusOf(envelope.code, status) : status;
		if (meantStatus === 429 || meantStatus >= 500) return undefined;
		if (envelope.kind !== "rejection") return { name, text: `HTTP ${status}, ${envelope.kind}`, isAboutTask: false };
		const { code, reason } = envelope;
		const reasonText = caller.withoutKey(reason.replaceAll(taskId, "[task]")).replaceAll(VARIABLE_PARTS, "…");
		const isAboutTask = meantStatus === 404 || NO_SUCH_TASK.test(reason);
		return { name, text: `HTTP ${status}, code ${code}${reasonText === "" ? "" : `: ${reasonText}`}`, isAboutTask };
	} catch (error) {
		if (!(error instanceof MediaError)) throw error;
		return undefined;
	}
}
