/** Sends the requests of the media checks. A failure becomes a `CheckFailedError`. */
import type { Clock } from "@atelier/common/clock";
import { classifyError } from "../services/generation/classify-service-error.ts";
import { parsePayload } from "../services/generation/parse-payload.ts";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaTimeoutError,
	MediaUnavailableError,
} from "../services/generation/media-api.ts";
import type { CallOptions, MediaResponse, MediaHttpClient } from "../services/generation/media-http-client.ts";
import type { Model } from "@atelier/media-protocol/model";
import { PROFILES, type MediaProfile } from "@atelier/media-protocol/profiles";
import type { RequestTemplate } from "@atelier/media-protocol/request-template";
import { parseEnvelope } from "@atelier/media-protocol/parse-envelope";
import { isObject } from "@atelier/media-protocol/parse-value";
import { CheckFailedError, type CheckResult } from "./check-result.ts";

/** Longer than the timeout of the bot's calls, whose error is then reported. */
const ANSWER_TIMEOUT_MS = 20_000;

export interface MediaCheckDeps {
	readonly httpClient: MediaHttpClient;
	readonly wrongKeyHttpClient: MediaHttpClient;
	readonly profile: MediaProfile;
	readonly clock: Clock;
	/** Models from MEDIA_CATALOG. */
	readonly configuredModels: readonly Model[];
	/** True to submit a paid task. */
	readonly submitsTrialTask: boolean;
}

export interface TimedResponse {
	readonly response: MediaResponse;
	readonly tookMs: number;
}

export async function send(
	{ httpClient, clock }: MediaCheckDeps,
	template: RequestTemplate,
	options: Partial<CallOptions> = {},
): Promise<TimedResponse> {
	const startedAtMs = clock.nowMs();
	try {
		const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
		const response = await httpClient.call(template, { signal, isRepeatable: true, ...options });
		return { response, tookMs: clock.nowMs() - startedAtMs };
	} catch (error) {
		throw new CheckFailedError(errorResult(error), { cause: error });
	}
}

export function summary({ response: { name, status, bytes }, tookMs }: TimedResponse): string {
	return `${name}: HTTP ${status}, ${bytes.toLocaleString("en")} bytes, ${tookMs} ms`;
}

function errorResult(error: unknown): CheckResult {
	if (!(error instanceof Error)) throw error;
	const text = error.cause instanceof Error ? `${error.message} (${networkReason(error.cause)})` : error.message;
	if (error instanceof MediaRejectedError) return rejectionResult(error);
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

/** The message, or the code if there is none, as when every address of a host refuses the connection. */
function networkReason(error: Error): string {
	return error.message === "" && "code" in error ? String(error.code) : error.message;
}

/** Lowers the grade of a failed request that the bot can do without. */
export function asWarning(error: unknown): never {
	if (!(error instanceof CheckFailedError)) throw error;
	throw new CheckFailedError({ ...error.result, grade: "warn" }, { cause: error });
}

const WRONG_ADDRESS_ADVICE =
	"The server at MEDIA_API_URL is not a media service. Check the address; it must not be that of a web page.";

function adviceOf({ kind, message }: MediaUnavailableError): string {
	if (message.includes("redirect")) return "Set MEDIA_API_URL to where the redirect leads.";
	if (message.includes("no JSON")) return WRONG_ADDRESS_ADVICE;
	if (kind === "asked_to_wait" || kind === "rate_limited") return "The service limits its requests. Try again later.";
	return "No response from MEDIA_API_URL. Is the address right, and is the service running?";
}

function rejectionResult(error: MediaRejectedError): CheckResult {
	const { code, reason } = error;
	const text = `rejected with code ${code}${reason === "" ? "" : `: ${reason}`}`;
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

/** Returns the payload. Throws a `CheckFailedError`, with these changes, for a response that has none. */
export function payloadOf(
	{ httpClient, profile }: MediaCheckDeps,
	sent: TimedResponse,
	changes: Partial<CheckResult> = {},
): unknown {
	const { response } = sent;
	try {
		return parsePayload(response, profile, httpClient).payload;
	} catch (error) {
		const otherProfile = otherProfileFor(response, profile);
		const result = errorResult(error);
		const text = `${summary(sent)}; ${result.text}`;
		if (otherProfile === undefined) throw new CheckFailedError({ ...result, text, ...changes }, { cause: error });
		const advice = `Its code means success to other services: is MEDIA_API_PROFILE ${otherProfile}?`;
		throw new CheckFailedError({ grade: "fix", text, advice }, { cause: error });
	}
}

function otherProfileFor({ body }: MediaResponse, profile: MediaProfile): string | undefined {
	if (!isObject(body) || body["data"] === undefined || body["data"] === null) return undefined;
	const others = Object.values(PROFILES).filter(
		({ name, successCodes }) =>
			name !== profile.name && parseEnvelope(body, 200, { ...profile, successCodes }).kind === "success",
	);
	return others.length > 0 ? others.map(({ name }) => name).join(" or ") : undefined;
}
