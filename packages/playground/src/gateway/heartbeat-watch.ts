/**
 * Watches the heartbeats of a client: beating -> overdue, by the playground's clock -> asked for a heartbeat ->
 * beating, or timed out. The clock can be advanced by minutes at once, which no client can follow: so an overdue client
 * is asked first, as Discord may do too, and is closed only if it has read the request and does not respond.
 */
import type { Clock } from "@atelier/common/clock";

/** In heartbeat intervals, as the client was told them. */
const OVERDUE_AFTER_INTERVALS = 1.5;
/** Clients read messages in order; the extra round trips cover their processing time. */
const ROUND_TRIPS_TO_ANSWER = 3;

/** Returns the function to call at each heartbeat. */
export function watchHeartbeats(deps: {
	readonly clock: Clock;
	readonly intervalMs: number;
	readonly requestHeartbeat: () => void;
	/** Resolves when the client has read all earlier messages; never if it is gone. */
	readonly roundTrip: () => Promise<void>;
	readonly onTimeout: () => void;
	readonly onError: (error: unknown) => void;
	/** Aborted when the connection ends. */
	readonly end: AbortSignal;
}): () => void {
	const { clock, intervalMs, requestHeartbeat, roundTrip, onTimeout, onError, end } = deps;
	const overdueAfterMs = intervalMs * OVERDUE_AFTER_INTERVALS;
	let lastBeatMs = clock.nowMs();
	let beats = 0;

	async function untilOverdue(): Promise<void> {
		for (let leftMs = overdueAfterMs; leftMs > 0; leftMs = lastBeatMs + overdueAfterMs - clock.nowMs()) {
			await clock.sleep(leftMs, end);
		}
	}

	async function respondsToRequest(): Promise<boolean> {
		const before = beats;
		requestHeartbeat();
		for (let trips = 0; trips < ROUND_TRIPS_TO_ANSWER; trips++) await roundTrip();
		return beats > before;
	}

	async function watch(): Promise<void> {
		do await untilOverdue();
		while (await respondsToRequest());
		if (!end.aborted) onTimeout();
	}

	watch().catch((error: unknown) => {
		if (!end.aborted) onError(error);
	});
	return () => {
		beats += 1;
		lastBeatMs = clock.nowMs();
	};
}
