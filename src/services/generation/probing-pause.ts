import type { Clock } from "@atelier/common/clock";

/** The delay of other requests while one request probes the service. */
const PROBE_WAIT_MS = 1_000;

/** Creates a pause in the requests to a service. After it, one request at a time can probe the service. */
export function createProbingPause(clock: Clock, pauseMsMax: number) {
	let untilMs = 0;
	let isProbing = false;

	/** A time beyond the maximum comes from a clock that was set back, and is ignored. */
	function pauseMs(): number {
		const remainingMs = untilMs - clock.nowMs();
		return remainingMs > pauseMsMax ? 0 : Math.max(0, remainingMs);
	}

	return {
		/** Returns the time (ms) until a request may be sent; 0 if it may be sent now. */
		remainingMs: (): number => pauseMs() || (isProbing ? PROBE_WAIT_MS : 0),
		/** Lets the pause last for at least this time (ms) from now. */
		extend(ms: number): void {
			untilMs = clock.nowMs() + Math.max(pauseMs(), ms);
		},
		/** Ends the pause, so that a clock that is set back later does not resume it. */
		end(): void {
			untilMs = 0;
		},
		/** Delays all other requests until this one ends. */
		async probe<T>(send: () => Promise<T>): Promise<T> {
			isProbing = true;
			try {
				return await send();
			} finally {
				isProbing = false;
			}
		},
	};
}
