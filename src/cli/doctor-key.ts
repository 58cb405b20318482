/**
 * Checks whether a media service accepts the configured key. Some services answer "no auth" in the form of "no such
 * task", so the check compares the answers to the configured key, a wrong key and no key.
 */
import { commandHint } from "../config/command-hint.ts";
import { randomUUID } from "node:crypto";
import { MediaError } from "../services/generation/media-api.ts";
import type { MediaHttpClient } from "../services/generation/http-client.ts";
import type { MediaProfile } from "@atelier/media-protocol/profiles";
import { readEnvelope, statusOfCode } from "@atelier/media-protocol/parse-envelope";
import type { RequestShape } from "@atelier/media-protocol/request-template";
import type { CheckResult } from "./doctor-check.ts";

const WRONG_KEY = "sk-atelier-doctor-this-key-is-wrong";
const ANSWER_TIMEOUT_MS = 20_000;
/** Ids, counts and times differ between otherwise equal responses. */
const PARTICULARS = /[\da-f]*\d[\da-f-]*/gi;
const NO_SUCH_TASK = /not found|not exist|no such|unknown|invalid (task|id)|\btask\b/i;

interface KeyCheckDeps {
	readonly caller: MediaHttpClient;
	/** Returns a client with another key, or without one. */
	readonly callerWith: (key: string | undefined) => MediaHttpClient;
	readonly profile: MediaProfile;
}

/** Sends up to five requests. */
export async function checkKey({ caller, callerWith, profile }: KeyCheckDeps): Promise<CheckResult> {
	const taskId = `atelier-doctor-${randomUUID()}`;
	const ask = (by: MediaHttpClient, shape: RequestShape) => answerTo(by, shape, { taskId, profile });
	const wrong = callerWith(WRONG_KEY);
	let alike: Said | undefined;
	for (const shape of [profile.read, ...(profile.credits ? [profile.credits] : [])]) {
		const own = await ask(caller, shape);
		const other = own && (await ask(wrong, shape));
		if (!own || !other) continue;
		if (own.text !== other.text) {
			return { grade: "ok", text: `MEDIA_API_KEY is accepted: ${own.name} rejects a wrong key with ${other.text}` };
		}
		alike ??= own;
	}
	if (!alike) return { grade: "note", text: "MEDIA_API_KEY not checked: the service does not respond" };
	const without = await ask(callerWith(undefined), profile.read);
	const isAlikeWithout = without?.text === alike.text;
	return {
		grade: isAlikeWithout && !alike.isAboutTask ? "fix" : "warn",
		text: `${alike.name}: MEDIA_API_KEY gets the same response as a wrong key${isAlikeWithout ? " and of no key" : ""}, ${alike.text}`,
		advice: `Check MEDIA_API_KEY. ${commandHint("doctor --try")} submits a task, which is a reliable test.`,
	};
}

interface Said {
	readonly name: string;
	/** Normalized, so that equal responses compare equal. */
	readonly text: string;
	readonly isAboutTask: boolean;
}

/** Returns `undefined` for a response that does not depend on the key: none, a server error, or a rate limit. */
async function answerTo(
	caller: MediaHttpClient,
	shape: RequestShape,
	{ taskId, profile }: { readonly taskId: string; readonly profile: MediaProfile },
): Promise<Said | undefined> {
	const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
	try {
		const { name, status, body } = await caller.call(shape, { signal, values: { taskId }, isRepeatable: true });
		const envelope = readEnvelope(body, status, profile);
		const meant = envelope.kind === "refusal" ? statusOfCode(envelope.code, status) : status;
		if (meant === 429 || meant >= 500) return undefined;
		if (envelope.kind !== "refusal") return { name, text: `HTTP ${status}, ${envelope.kind}`, isAboutTask: false };
		const { code, reason } = envelope;
		const words = caller.withoutKey(reason.replaceAll(taskId, "[task]")).replaceAll(PARTICULARS, "…");
		const isAboutTask = meant === 404 || NO_SUCH_TASK.test(reason);
		return { name, text: `HTTP ${status}, code ${code}${words === "" ? "" : `: ${words}`}`, isAboutTask };
	} catch (error) {
		if (!(error instanceof MediaError)) throw error;
		return undefined;
	}
}
