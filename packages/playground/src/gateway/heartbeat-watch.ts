/**
 * Whether a client still beats. beating -> overdue, by the playground's clock -> asked for a beat -> beating, or timed out. The
 * clock can be moved by minutes in no time at all, which no client can keep up with: so an overdue one is asked, as Discord
 * may ask too, and only who reads that and does not answer has no heart.
 */
import type { Clock } from "@atelier/common/clock";

/** Of the interval that the client was told. */
const OVERDUE_AFTER_INTERVALS = 1.5;
/** A client reads its messages in order; these are for what it does between reading and answering. */
const ROUND_TRIPS_TO_ANSWER = 3;

interface HeartbeatWatch {
	readonly beat: () => void;
}

export function watchHeartbeats(deps: {
	readonly clock: Clock;
	readonly intervalMs: number;
	/** Asks the client to beat at once. */
	readonly ask: () => void;
	/** Resolves when the client has read whatever was sent before; never, where it is gone. */
	readonly roundTrip: () => Promise<void>;
	readonly timedOut: () => void;
	readonly failed: (error: unknown) => void;
	/** The end of the connection. */
	readonly end: AbortSignal;
}): HeartbeatWatch {
	const { clock, intervalMs, ask, roundTrip, timedOut, failed, end } = deps;
	const overdueAfterMs = intervalMs * OVERDUE_AFTER_INTERVALS;
	let beatenAtMs = clock.nowMs();
	let beats = 0;

	async function untilOverdue(): Promise<void> {
		for (let leftMs = overdueAfterMs; leftMs > 0; leftMs = beatenAtMs + overdueAfterMs - clock.nowMs()) {
			await clock.sleep(leftMs, end);
		}
	}

	async function answersWhenAsked(): Promise<boolean> {
		const before = beats;
		ask();
		for (let trips = 0; trips < ROUND_TRIPS_TO_ANSWER; trips++) await roundTrip();
		return beats > before;
	}

	async function watch(): Promise<void> {
		do await untilOverdue();
		while (await answersWhenAsked());
		if (!end.aborted) timedOut();
	}

	watch().catch((error: unknown) => {
		if (!end.aborted) failed(error);
	});
	return {
		beat() {
			beats += 1;
			beatenAtMs = clock.nowMs();
		},
	};
}
