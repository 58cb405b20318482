import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { MediaHttpError, MediaUnavailableError, type ServiceHealth } from "./media-api.ts";
import { createProbingPause } from "./probing-pause.ts";

/** The circuit opens after so many consecutive outages: a single one among successful calls says nothing about the service. */
const OUTAGES_TO_OPEN = 5;
const PAUSE_MS_MIN = 2_000;
const PAUSE_MS_MAX = 30_000;

/** Thrown by an attempt that found the service down. A `MediaHttpError` comes from a service that is up; other errors say nothing. */
export class OutageError extends Error {
	override readonly name = "OutageError";

	constructor(cause: Error) {
		super(cause.message, { cause });
	}
}

interface CircuitDeps {
	readonly clock: Clock;
	readonly logger: Logger;
}

/** Stops calls to a service that is down, and probes it with one call at a time. */
export function createCircuitBreaker({ clock, logger }: CircuitDeps) {
	const pause = createProbingPause(clock, PAUSE_MS_MAX);
	/** The number of outages in a row. */
	let outages = 0;
	let down: Extract<ServiceHealth, { state: "down" }> | undefined;
	/** True if the service asked to wait, with a retry time. */
	let hasAskedToWait = false;

	function recordOutage({ message: reason, cause }: OutageError): void {
		outages++;
		if (outages < OUTAGES_TO_OPEN) return;
		const pauseMs = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** (outages - OUTAGES_TO_OPEN));
		pause.extend(pauseMs);
		const nowMs = clock.nowMs();
		if (!down) logger.warn({ reason, pauseMs }, "media service down");
		hasAskedToWait = asksToWait(cause);
		down = { state: "down", sinceMs: down?.sinceMs ?? nowMs, retryAtMs: nowMs + pauseMs, reason };
	}

	function recordResponse(): void {
		if (down) logger.info({ downMs: clock.nowMs() - down.sinceMs }, "media service up again");
		outages = 0;
		down = undefined;
		pause.end();
	}

	return {
		health: (): ServiceHealth => down ?? { state: "up" },
		/** Runs the attempt, or throws `MediaUnavailableError` immediately. Unwraps the error inside an `OutageError`. */
		async run<T>(name: string, attempt: () => Promise<T>): Promise<T> {
			const retryAfterMs = pause.remainingMs();
			if (retryAfterMs > 0) {
				// The request to wait applies to all calls: each fails with the same kind as the call that received it.
				const kind = hasAskedToWait ? "asked_to_wait" : "known_down";
				throw new MediaUnavailableError(`${name}: not sent: the service is down`, {
					kind,
					retryAfterMs,
					isSuppressed: true,
				});
			}
			const isProbe = down !== undefined;
			// While the service is down, only a probe counts: other calls were sent before.
			const isCurrent = (): boolean => isProbe || down === undefined;
			try {
				const result = await (isProbe ? pause.probe(attempt) : attempt());
				if (isCurrent()) recordResponse();
				return result;
			} catch (error) {
				if (error instanceof MediaHttpError && isCurrent()) recordResponse();
				if (!(error instanceof OutageError)) throw error;
				if (isCurrent()) recordOutage(error);
				throw error.cause;
			}
		},
	};
}

function asksToWait(error: unknown): boolean {
	return error instanceof MediaUnavailableError && error.kind === "asked_to_wait" && error.retryAfterMs !== undefined;
}
