import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleType } from "cockatiel";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { MediaUnavailableError, type ServiceHealth } from "./media-api.ts";

/** The circuit opens after so many consecutive outages: a single one among successful calls says nothing about the service. */
const OUTAGES_TO_OPEN = 5;
const PAUSE_MS_MIN = 2_000;
const PAUSE_MS_MAX = 30_000;
/** The delay of all other calls while one call probes the service. */
const PROBE_WAIT_MS = 1_000;

/** Thrown by an attempt that found the service down. Other errors do not count towards an outage. */
export class OutageError extends Error {
	override readonly name = "OutageError";

	constructor(cause: Error) {
		super(cause.message, { cause });
	}
}

/** Stops calls to a service that is down, and probes it with one call at a time. */
export interface CircuitBreaker {
	/** Runs the attempt, or throws `MediaUnavailableError` immediately. Unwraps the error inside an `OutageError`. */
	run<T>(name: string, attempt: () => Promise<T>): Promise<T>;
	health(): ServiceHealth;
	/** Returns whether a call is probing a service that was down. */
	isHalfOpen(): boolean;
}

interface CircuitDeps {
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createCircuitBreaker({ clock, logger }: CircuitDeps): CircuitBreaker {
	/** The number of pauses since the service was up. */
	let pauseCount = 0;
	let down: Extract<ServiceHealth, { state: "down" }> | undefined;
	/** True if the service asked to wait, with a retry time. */
	let hasAskedToWait = false;
	const policy = circuitBreaker(handleType(OutageError), {
		breaker: new ConsecutiveBreaker(OUTAGES_TO_OPEN),
		// The pause is computed below with the injected clock; the library would use its own.
		halfOpenAfter: Number.NEGATIVE_INFINITY,
	});
	policy.onBreak((trigger) => {
		const pauseMs = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** pauseCount);
		pauseCount++;
		const nowMs = clock.nowMs();
		const reason = "error" in trigger && trigger.error instanceof Error ? trigger.error.message : "no answer";
		if (!down) logger.warn({ reason, pauseMs }, "media service down");
		hasAskedToWait = "error" in trigger && trigger.error instanceof OutageError && asksToWait(trigger.error.cause);
		down = { state: "down", sinceMs: down?.sinceMs ?? nowMs, retryAtMs: nowMs + pauseMs, reason };
	});
	policy.onReset(() => {
		if (down) logger.info({ downMs: clock.nowMs() - down.sinceMs }, "media service up again");
		pauseCount = 0;
		down = undefined;
	});

	/** Returns the time (ms) until the next call is allowed. */
	function remainingPauseMs(): number {
		if (policy.state === CircuitState.HalfOpen) return PROBE_WAIT_MS;
		const pauseMs = down ? down.retryAtMs - clock.nowMs() : 0;
		// A clock that was set back does not prolong the pause.
		return pauseMs > PAUSE_MS_MAX ? 0 : Math.max(0, pauseMs);
	}

	return {
		health: () => down ?? { state: "up" },
		isHalfOpen: () => policy.state === CircuitState.HalfOpen,
		async run(name, attempt) {
			const retryAfterMs = remainingPauseMs();
			if (retryAfterMs > 0) {
				// The request to wait applies to all calls: each fails with the same kind as the call that received it.
				const kind = hasAskedToWait ? "asked_to_wait" : "known_down";
				throw new MediaUnavailableError(`${name}: not sent: the service is down`, {
					kind,
					retryAfterMs,
					isSuppressed: true,
				});
			}
			try {
				return await policy.execute(attempt);
			} catch (error) {
				throw error instanceof OutageError ? error.cause : error;
			}
		},
	};
}

function asksToWait(error: unknown): boolean {
	return error instanceof MediaUnavailableError && error.kind === "asked_to_wait" && error.retryAfterMs !== undefined;
}
