import type { Logger } from "pino";
import { MediaUnavailable } from "../../generation/media-api.ts";

/** That a service is down is said once for all its tasks; what was not even tried for that reason is nothing new. */
export function logTrouble(logger: Logger, error: unknown, message: string, fields: object = {}): void {
	const isKnown = error instanceof MediaUnavailable && error.isKnown;
	logger[isKnown ? "debug" : "warn"]({ ...fields, err: error }, message);
}
