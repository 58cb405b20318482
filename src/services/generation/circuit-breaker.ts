import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleType } from "cockatiel";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { MediaUnavailableError, type ServiceHealth } from "./media-api.ts";

/** In a row, of all calls: one that fails among others that succeed says nothing about the service. */
const OUTAGES_TO_OPEN = 5;
const REST_MS_MIN = 2_000;
const REST_MS_MAX = 30_000;
/** For those who come while one call finds out whether it is back. */
const TRIAL_WAIT_MS = 1_000;

/** What an attempt throws when the service was not there for it. Anything else that it throws is no outage. */
export class OutageError extends Error {
	override readonly name = "OutageError";

	constructor(cause: Error) {
		super(cause.message, { cause });
	}
}

/** Keeps calls from a service that is down, and finds out with one of them whether it is back. */
export interface CircuitBreaker {
	/** Runs the attempt, or throws `MediaUnavailableError` at once. The error inside an `OutageError` is thrown in its place. */
	run<T>(name: string, attempt: () => Promise<T>): Promise<T>;
	health(): ServiceHealth;
	/** Whether the next failure tells more about the service than about the call: nobody else may try at the moment. */
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
		// The rest is kept below, by the clock that was passed in; this one would read its own.
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

	/** How long the door stays shut for those who knock now. */
	function shutForMs(): number {
		if (policy.state === CircuitState.HalfOpen) return TRIAL_WAIT_MS;
		const restMs = down ? down.retryAtMs - clock.nowMs() : 0;
		// A clock that was set back does not prolong the rest.
		return restMs > REST_MS_MAX ? 0 : Math.max(0, restMs);
	}

	return {
		health: () => down ?? { state: "up" },
		isOnTrial: () => policy.state === CircuitState.HalfOpen,
		async run(name, attempt) {
			const retryAfterMs = shutForMs();
			if (retryAfterMs > 0) {
				// One that says when it will be back is given its time, also by those whose turn it was not to be told.
				const why = isAskedToWait ? "asked_to_wait" : "known_down";
				throw new MediaUnavailableError(`${name}: not sent, the service is down`, { why, retryAfterMs, isKnown: true });
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
