import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleType } from "cockatiel";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { MediaUnavailableError, type ServiceHealth } from "./media-api.ts";

/** Consecutive failures of any calls: a failure among successes says nothing about the service. */
const OUTAGES_TO_OPEN = 5;
const REST_MS_MIN = 2_000;
const REST_MS_MAX = 30_000;
/** The wait for other calls while one call probes the service. */
const TRIAL_WAIT_MS = 1_000;

/** Thrown by an attempt that found the service down. Other errors are no outage. */
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
	/** Returns whether the breaker is half open: the next failure says more about the service than about the call. */
	isOnTrial(): boolean;
}

interface CircuitDeps {
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createCircuitBreaker({ clock, logger }: CircuitDeps): CircuitBreaker {
	let rests = 0;
	let down: Extract<ServiceHealth, { state: "down" }> | undefined;
	let isAskedToWait = false;
	const policy = circuitBreaker(handleType(OutageError), {
		breaker: new ConsecutiveBreaker(OUTAGES_TO_OPEN),
		// The pause is computed below with the injected clock; the library would use its own.
		halfOpenAfter: Number.NEGATIVE_INFINITY,
	});
	policy.onBreak((why) => {
		const restMs = Math.min(REST_MS_MAX, REST_MS_MIN * 2 ** rests++);
		const nowMs = clock.nowMs();
		const reason = "error" in why && why.error instanceof Error ? why.error.message : "no answer";
		if (!down) logger.warn({ reason, restMs }, "media service down");
		isAskedToWait = "error" in why && why.error instanceof OutageError && asksToWait(why.error.cause);
		down = { state: "down", sinceMs: down?.sinceMs ?? nowMs, retryAtMs: nowMs + restMs, reason };
	});
	policy.onReset(() => {
		if (down) logger.info({ downMs: clock.nowMs() - down.sinceMs }, "media service up again");
		rests = 0;
		down = undefined;
	});

	/** Returns the time until the next attempt is allowed. */
	function shutForMs(): number {
		if (policy.state === CircuitState.HalfOpen) return TRIAL_WAIT_MS;
		const restMs = down ? down.retryAtMs - clock.nowMs() : 0;
		// A clock that was set back does not prolong the pause.
		return restMs > REST_MS_MAX ? 0 : Math.max(0, restMs);
	}

	return {
		health: () => down ?? { state: "up" },
		isOnTrial: () => policy.state === CircuitState.HalfOpen,
		async run(name, attempt) {
			const retryAfterMs = shutForMs();
			if (retryAfterMs > 0) {
				// Respects the service's own retry time for all callers.
				const why = isAskedToWait ? "asked_to_wait" : "known_down";
				throw new MediaUnavailableError(`${name}: not sent: the service is down`, { why, retryAfterMs, isKnown: true });
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
	return error instanceof MediaUnavailableError && error.why === "asked_to_wait" && error.retryAfterMs !== undefined;
}
