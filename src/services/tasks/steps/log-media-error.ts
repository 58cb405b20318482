import { MediaUnavailableError } from "../../generation/media-api.ts";
import { reportedBy } from "./service-error.ts";
import type { FailureKind, StepContext } from "./step.ts";

/**
 * Logs a failed request at `warn` the first time, and its retries at `debug`. Skips requests that the circuit breaker
 * rejected: the breaker logs an outage once for all tasks.
 */
export function logMediaError(
	{ logger, failures, request }: Pick<StepContext, "logger" | "failures" | "request">,
	kind: FailureKind,
	error: unknown,
	message: string,
	fields: object = {},
): void {
	const isKnown = error instanceof MediaUnavailableError && error.isKnown;
	const isRetry = (failures[kind] ?? 0) > 0;
	const reason = reportedBy(error, request)?.reason ?? "";
	const level = isKnown || isRetry ? "debug" : "warn";
	logger[level]({ ...fields, ...(reason !== "" && { reason }), err: error }, message);
}
