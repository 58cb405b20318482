import type { Clock } from "@atelier/common/clock";
import { MediaRejectedError, MediaUnavailableError } from "./media-api.ts";
import { createProbingPause } from "./probing-pause.ts";

const DELAY_MS_MIN = 1_000;
const DELAY_MS_MAX = 60_000;
/** The doublings that reach the maximum. More would not lengthen the delay, and each needs a successful request to undo. */
const DOUBLINGS_MAX = Math.ceil(Math.log2(DELAY_MS_MAX / DELAY_MS_MIN));
/** The longest accepted retry time: shorter than a task waits for a busy service. */
const RETRY_AFTER_MS_MAX = 4 * 60_000;
/** Lengthens the service's retry time by up to this share, so that several processes do not resume together. */
const RETRY_AFTER_JITTER = 0.1;

export type RateLimitBackoff = ReturnType<typeof createRateLimitBackoff>;

interface RateLimitBackoffDeps {
	readonly clock: Clock;
	/** From 0 to below 1. */
	readonly random: () => number;
}

/**
 * Delays requests after the service reported a rate limit. All tasks of a process share it, so that many tasks cost as
 * few rejected requests as one. The circuit breaker handles services that are down; this handles services that are busy.
 *
 * Each rejection doubles the delay, with jitter, and each accepted request halves the next one. Until the delay is at
 * its minimum, requests go one at a time, each as a probe.
 */
export function createRateLimitBackoff({ clock, random }: RateLimitBackoffDeps) {
	/** Counts the rejections that lengthened the delay. A request compares the count before and after: a change means another rejection. */
	let rejections = 0;
	/** The number of times that the next delay is doubled. */
	let doublings = 0;
	const pause = createProbingPause(clock, RETRY_AFTER_MS_MAX * (1 + RETRY_AFTER_JITTER));

	/** Extends the delay, and returns the error with the new delay. Of concurrent requests, only the first rejection doubles the delay. */
	function afterRejection(rejection: MediaUnavailableError, isFirst: boolean): MediaUnavailableError {
		const { message, kind, reason, retryAfterMs = 0 } = rejection;
		if (isFirst) {
			rejections++;
			pause.extend(Math.round(Math.min(DELAY_MS_MAX, DELAY_MS_MIN * 2 ** doublings) * (1 - random() / 2)));
			doublings = Math.min(DOUBLINGS_MAX, doublings + 1);
		}
		pause.extend(Math.round(Math.min(RETRY_AFTER_MS_MAX, retryAfterMs) * (1 + RETRY_AFTER_JITTER * random())));
		return new MediaUnavailableError(message, {
			kind,
			reason,
			retryAfterMs: pause.remainingMs(),
			cause: rejection.cause,
		});
	}

	return {
		/** Returns the remaining delay (ms) of a request; 0 if it would be sent now. */
		delayMs: pause.remainingMs,
		/** Sends the request, or throws `MediaUnavailableError` with the remaining delay. */
		async run<T>(name: string, send: () => Promise<T>): Promise<T> {
			const retryAfterMs = pause.remainingMs();
			if (retryAfterMs > 0) {
				const options = { kind: "rate_limited", retryAfterMs, isSuppressed: true } as const;
				throw new MediaUnavailableError(`${name}: not sent: rate limit of the service`, options);
			}
			const rejectionsBefore = rejections;
			const recordAccepted = (): void => {
				if (rejections !== rejectionsBefore) return;
				doublings = Math.max(0, doublings - 1);
				// The rejection of an older request may have extended it meanwhile.
				if (pause.remainingMs() === 0) pause.end();
			};
			try {
				const result = await (doublings > 0 ? pause.probe(send) : send());
				recordAccepted();
				return result;
			} catch (error) {
				const isLimited = error instanceof MediaUnavailableError && error.kind === "rate_limited";
				if (isLimited) throw afterRejection(error, rejections === rejectionsBefore);
				if (error instanceof MediaRejectedError) recordAccepted();
				throw error;
			}
		},
	};
}
