/** Calls the media service with the bot's own client, and describes its responses. A failure becomes a `CheckFailedError`. */
import { pino } from "pino";
import type { Clock } from "@atelier/common/clock";
import { parseEnvelope, type Envelope } from "@atelier/media-protocol/parse-envelope";
import { parseTask } from "@atelier/media-protocol/parse-task";
import { isObject } from "@atelier/media-protocol/parse-value";
import { PROFILES, type MediaProfile } from "@atelier/media-protocol/profiles";
import { classifyError } from "../services/generation/classify-service-error.ts";
import { createHttpMediaApi, type HttpMediaApi } from "../services/generation/http-media-api.ts";
import {
	MediaHttpError,
	MediaRejectedError,
	MediaTimeoutError,
	MediaUnavailableError,
	type PolledRequest,
} from "../services/generation/media-api.ts";
import type { MediaResponse } from "../services/generation/media-http-client.ts";
import { CheckFailedError, type CheckResult } from "./check-result.ts";

const WRONG_ADDRESS_ADVICE =
	"The server at MEDIA_API_URL is not a media service. Check the address; it must not be that of a web page.";
export const PROFILE_ADVICE = "Is MEDIA_API_PROFILE right?";

export interface MediaAccess {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly profile: MediaProfile;
	readonly clock: Clock;
}

export interface MediaProbe {
	/** Resolves to the result of the call. `isOptional`: the bot works if the service does not respond to it. */
	call<T>(
		send: (api: HttpMediaApi, signal: AbortSignal) => Promise<T>,
		options?: { readonly isOptional?: boolean },
	): Promise<T>;
	/** The response to the last call; `undefined` if none arrived, or nothing was sent. */
	response(): MediaResponse | undefined;
	/** True if that response is a success by its envelope, whatever it contains. */
	isSuccess(): boolean;
	/** Describes that response, and adds the text. */
	describe(text: string): string;
	/** Returns the fields of a task that were found in that response, with their paths. */
	fields(request: PolledRequest): readonly string[];
}

export function createMediaProbe({ baseUrl, apiKey, profile, clock }: MediaAccess): MediaProbe {
	let response: MediaResponse | undefined;
	let startedAtMs = 0;
	let tookMs = 0;
	const api = createHttpMediaApi({
		baseUrl,
		apiKey,
		profile,
		clock,
		random: () => 0,
		logger: pino({ level: "silent" }),
		onResponse(received) {
			response = received;
			tookMs = clock.nowMs() - startedAtMs;
		},
	});
	// Each call has a timeout of its own.
	const { signal } = new AbortController();

	function describe(text: string): string {
		if (!response) return text;
		const { name, status, bytes } = response;
		return `${name}: HTTP ${status}, ${bytes.toLocaleString("en")} bytes, ${tookMs} ms; ${text}`;
	}

	function envelope(): Envelope | undefined {
		return response && parseEnvelope(response.body, response.status, profile);
	}

	function failureOf(error: unknown, isOptional: boolean): CheckResult {
		const result = errorResult(error, response !== undefined);
		if (!response) return isOptional ? { ...result, grade: "warn" } : result;
		const text = describe(result.text);
		const otherProfile = envelope()?.kind === "success" ? undefined : otherProfileFor(response, profile);
		if (otherProfile === undefined) return { ...result, text };
		const advice = `Its code means success to other services: is MEDIA_API_PROFILE ${otherProfile}?`;
		return { grade: "fix", text, advice };
	}

	return {
		response: () => response,
		isSuccess: () => envelope()?.kind === "success",
		describe,
		async call(send, { isOptional = false } = {}) {
			response = undefined;
			startedAtMs = clock.nowMs();
			try {
				return await send(api, signal);
			} catch (error) {
				throw new CheckFailedError(failureOf(error, isOptional), { cause: error });
			}
		},
		fields(request) {
			const found = envelope();
			if (found?.kind !== "success") return [];
			const reading = parseTask(found.payload, { profile, origin: api.origin, path: found.path, request });
			return (reading?.fields ?? []).map(
				({ name, value, path }) => `${name}: ${value.replaceAll(apiKey, "[key]")} (at ${path})`,
			);
		},
	};
}

function errorResult(error: unknown, hasResponse: boolean): CheckResult {
	if (!(error instanceof Error)) throw error;
	const text = error.cause instanceof Error ? `${error.message} (${networkReason(error.cause)})` : error.message;
	if (error instanceof MediaRejectedError) return rejectionResult(error);
	if (error instanceof MediaUnavailableError) return { grade: "fix", text, advice: adviceOf(error) };
	if (error instanceof MediaTimeoutError) {
		return { grade: "fix", text, advice: "Check that the service responds at MEDIA_API_URL in time." };
	}
	if (error instanceof MediaHttpError) {
		const advice = hasResponse ? PROFILE_ADVICE : WRONG_ADDRESS_ADVICE;
		return { grade: "fix", text, advice: error.status >= 500 ? "Look at the service: it fails." : advice };
	}
	throw error;
}

/** The message, or the code if there is none, as when every address of a host refuses the connection. */
function networkReason(error: Error): string {
	return error.message === "" && "code" in error ? String(error.code) : error.message;
}

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

function otherProfileFor({ body, status }: MediaResponse, profile: MediaProfile): string | undefined {
	if (!isObject(body) || body["data"] === undefined || body["data"] === null) return undefined;
	const others = Object.values(PROFILES).filter(
		({ name, successCodes }) =>
			name !== profile.name && parseEnvelope(body, status, { ...profile, successCodes }).kind === "success",
	);
	return others.length > 0 ? others.map(({ name }) => name).join(" or ") : undefined;
}
