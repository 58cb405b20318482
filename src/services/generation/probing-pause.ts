import type { Clock } from "@atelier/common/clock";

/** The delay of other requests while one request probes the service. */
const PROBE_WAIT_MS = 1_000;

/** A pause in the requests to a service. After it, one request at a time can probe the service. */
export interface ProbingPause {
	/** Returns the time (ms) until a request may be sent; 0 if it may be sent now. */
	remainingMs(): number;
	/** Lets the pause last for at least this time (ms) from now. */
	extend(ms: number): void;
	/** Ends the pause, so that a clock that is set back later does not resume it. */
	end(): void;
	/** Delays all other requests until this one ends. */
	probe<T>(send: () => Promise<T>): Promise<T>;
}

export function createProbingPause(clock: Clock, pauseMsMax: number): ProbingPause {
	let untilMs = 0;
	let isProbing = false;

	/** A time beyond the maximum comes from a clock that was set back, and is ignored. */
	function pauseMs(): number {
		const remainingMs = untilMs - clock.nowMs();
		return remainingMs > pauseMsMax ? 0 : Math.max(0, remainingMs);
	}

	return {
		remainingMs: () => pauseMs() || (isProbing ? PROBE_WAIT_MS : 0),
		extend(ms) {
			untilMs = clock.nowMs() + Math.max(pauseMs(), ms);
		},
		end() {
			untilMs = 0;
		},
		async probe(send) {
			isProbing = true;
			try {
				return await send();
			} finally {
				isProbing = false;
			}
		},
	};
}
