/** Converts an error of the service into the member's message and the stored details. */
import { classifyFailure, type ClassifiedFailure } from "../generation/classify-service-error.ts";
import { MediaHttpError, MediaRejectedError, MediaUnavailableError } from "../generation/media-api.ts";
import type { GenerationRequest } from "../generation/request.ts";
import { REASON_CHARS_MAX, redactReason } from "../generation/redact-reason.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { quote } from "../../i18n/quote.ts";
import { isForOperator } from "./operator-alerts.ts";
import type { ServiceErrorDetails } from "./task.ts";
import type { AttemptFailureKind } from "./failed-attempts.ts";
import type { StepContext } from "./steps/step.ts";

/** Returns the details to store; `undefined` if the service gave none. */
export function serviceErrorDetailsOf(error: unknown, request: GenerationRequest): ServiceErrorDetails | undefined {
	if (error instanceof MediaRejectedError) return classifyFailure(error, request).details;
	if (!(error instanceof MediaHttpError) && !(error instanceof MediaUnavailableError)) return undefined;
	return { code: error.message, reason: redactReason(error.reason, request) };
}

/** The member's message about a rejected request. */
export function messageOfRejection({ meaning, details: { code, reason } }: ClassifiedFailure): MessageDescriptor {
	if (isForOperator(meaning)) return { key: "service.ownerMustAct" };
	if (meaning === "contentPolicy") return { key: "service.contentPolicy" };
	if (meaning === "modelUnavailable") return { key: "service.modelUnavailable" };
	return { key: "service.rejected", params: { reason: quote(reason || code, REASON_CHARS_MAX) } };
}

/** The member's message about a failed task. */
export function messageOfFailure(error: ClassifiedFailure): MessageDescriptor {
	switch (error.meaning) {
		case "canceled":
			return { key: "service.canceledByService" };
		case "noOutput":
			return { key: "service.nothingMade" };
		case "timeout":
			return { key: "service.timedOut" };
		case "rateLimited":
		case "unknown":
			return { key: "service.failed" };
		case "invalidRequest":
			return error.details.reason === "" ? { key: "service.failed" } : messageOfRejection(error);
		case "contentPolicy":
		case "modelUnavailable":
		case "operatorAccount":
		case "operatorKey":
			return messageOfRejection(error);
	}
}

/**
 * Logs a failed attempt at `warn` the first time, and its retries at `debug`. Suppressed requests are logged at `debug`
 * too: the circuit breaker logs an outage once for all tasks.
 */
export function logFailedAttempt(
	{ logger, failures, request }: StepContext,
	kind: AttemptFailureKind,
	error: unknown,
	message: string,
	fields: object = {},
): void {
	const isSuppressed = error instanceof MediaUnavailableError && error.isSuppressed;
	const isRetry = (failures.counts[kind] ?? 0) > 0;
	const reason = serviceErrorDetailsOf(error, request)?.reason ?? "";
	const level = isSuppressed || isRetry ? "debug" : "warn";
	logger[level]({ ...fields, ...(reason !== "" && { reason }), err: error }, message);
}
