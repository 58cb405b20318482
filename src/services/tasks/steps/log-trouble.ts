import { MediaUnavailable } from "../../generation/media-api.ts";
import type { FailureKind, StepContext } from "./step.ts";

/**
 * Logs a failed request at `warn` the first time, and its retries at `debug`. That a service is down is said once for all
 * its tasks; what was not even tried for that reason is nothing new.
 */
export function logTrouble(
	{ logger, failures }: Pick<StepContext, "logger" | "failures">,
	kind: FailureKind,
	error: unknown,
	message: string,
	fields: object = {},
): void {
	const isKnown = error instanceof MediaUnavailable && error.isKnown;
	const isRetry = (failures[kind] ?? 0) > 0;
	logger[isKnown || isRetry ? "debug" : "warn"]({ ...fields, err: error }, message);
}
