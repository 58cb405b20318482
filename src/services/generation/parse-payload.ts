import { mayHaveActed } from "@atelier/media-protocol/call-outcome";
import { parseEnvelope, httpStatusOf, type Envelope } from "@atelier/media-protocol/parse-envelope";
import { parseTaskId } from "@atelier/media-protocol/parse-task";
import { isObject } from "@atelier/media-protocol/parse-value";
import type { MediaProfile } from "@atelier/media-protocol/profiles";
import { classifyError } from "./classify-service-error.ts";
import type { MediaHttpClient, MediaResponse } from "./media-http-client.ts";
import { MediaHttpError, MediaRejectedError, MediaUnavailableError } from "./media-api.ts";

type SuccessEnvelope = Extract<Envelope, { kind: "success" }>;

/** Returns the payload of a successful response; throws the `MediaError` of another. The body decides first, then the HTTP status. */
export function parsePayload(
	{ name, status: httpStatus, body, retryAfterMs }: MediaResponse,
	profile: MediaProfile,
	client: Pick<MediaHttpClient, "withoutKey">,
): SuccessEnvelope {
	const envelope = parseEnvelope(body, httpStatus, profile);
	if (envelope.kind === "success") return envelope;

	const code = envelope.kind === "rejection" ? envelope.code : `HTTP ${httpStatus}`;
	const reason = envelope.kind === "rejection" ? client.withoutKey(envelope.reason) : "";
	const status = httpStatusOf(code, httpStatus);
	if (status === 429) {
		// 429 may also mean that the account has no credits left, which does not improve with time.
		if (classifyError({ code, reason, httpStatus }) === "operatorAccount")
			throw new MediaRejectedError(code, reason, httpStatus);
		const options = { kind: "rate_limited", retryAfterMs, reason } as const;
		throw new MediaUnavailableError(`${name}: too many requests, by ${code}`, options);
	}
	if (status === 503 || profile.busyCodes.includes(Number(code))) {
		const options = { kind: "asked_to_wait", retryAfterMs, reason } as const;
		throw new MediaUnavailableError(`${name}: retry requested with ${code}`, options);
	}
	if (envelope.kind === "invalid" && (status < 400 || status >= 500))
		throw new MediaHttpError(`${name}: no envelope in the response`, status);
	// A gateway's response has become an error already. This code is from the service, which may have acted, whatever the number.
	if (status >= 500 || mayHaveActed(status))
		throw new MediaHttpError(`${name}: failed with code ${code}`, status, { reason });
	// A service that returns a task id has accepted the task, whatever its code says.
	if (isObject(body) && isObject(body["data"]) && parseTaskId(body["data"], profile) !== undefined)
		throw new MediaHttpError(`${name}: task id beside code ${code}: check MEDIA_API_PROFILE`, status);
	throw new MediaRejectedError(code, reason, httpStatus, retryAfterMs);
}
