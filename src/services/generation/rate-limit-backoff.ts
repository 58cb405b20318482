import type { Clock } from "@atelier/common/clock";
import { MediaRefusedError, MediaUnavailableError } from "./media-api.ts";

const HOLD_MS_MIN = 1_000;
const HOLD_MS_MAX = 60_000;
/** More doublings would need as many successful requests to undo, for no longer delay. */
const DOUBLINGS_MAX = Math.log2(64);
/** The longest accepted retry time: shorter than a task waits for a busy service. */
const RETRY_AFTER_MS_MAX = 4 * 60_000;
/** Lengthens the service's retry time by up to this share, so that several processes do not resume together. */
const RETRY_AFTER_JITTER = 0.1;
/** The wait for requests while another one probes. */
const PROBE_WAIT_MS = 1_000;

/**
 * Holds requests back after the service reported a rate limit. All tasks of a process share it, so that many tasks cost
 * as few rejected requests as one. * The circuit breaker handles services that are down; this handles services that are
 * busy.
 */
export interface RateLimitBackoff {
	/** Sends the request, or throws `MediaUnavailableError` with the remaining time while requests are held back. */
	run<T>(name: string, send: () => Promise<T>): Promise<T>;
	/** Returns how long a request would be held back now; 0 if it would be sent. */
	heldForMs(): number;
}

interface RateLimitBackoffDeps {
	readonly clock: Clock;
	/** From 0 to below 1. */
	readonly random: () => number;
}

/**
 * Each rejection doubles the delay, with jitter, and each accepted request halves the next one. Until the delay is at
 * its minimum, requests go one at a time, each as a probe.
 */
export function createRateLimitBackoff({ clock, random }: RateLimitBackoffDeps): RateLimitBackoff {
	/** Distinguishes rejections of concurrent requests from later ones. */
	let refusals = 0;
	let doublings = 0;
	let heldUntilMs = 0;
	let isProbing = false;

	/** A longer delay than the maximum remains from a clock that was set back. */
	function leftMs(): number {
		const ms = heldUntilMs - clock.nowMs();
		return ms <= RETRY_AFTER_MS_MAX * (1 + RETRY_AFTER_JITTER) ? Math.max(0, ms) : 0;
	}

	function heldForMs(): number {
		return leftMs() || (isProbing ? PROBE_WAIT_MS : 0);
	}

	function holdFor(ms: number): void {
		heldUntilMs = clock.nowMs() + Math.max(leftMs(), Math.round(ms));
	}

	/** `isFirst`: of concurrent requests, only the first rejection doubles the delay. */
	function refused(refusal: MediaUnavailableError, isFirst: boolean): MediaUnavailableError {
		const { message, why, reason, retryAfterMs = 0 } = refusal;
		if (isFirst) {
			refusals++;
			holdFor(Math.min(HOLD_MS_MAX, HOLD_MS_MIN * 2 ** doublings) * (1 - random() / 2));
			doublings = Math.min(DOUBLINGS_MAX, doublings + 1);
		}
		holdFor(Math.min(RETRY_AFTER_MS_MAX, retryAfterMs) * (1 + RETRY_AFTER_JITTER * random()));
		return new MediaUnavailableError(message, { why, reason, retryAfterMs: heldForMs(), cause: refusal.cause });
	}

	return {
		heldForMs,
		async run(name, send) {
			const retryAfterMs = heldForMs();
			if (retryAfterMs > 0) {
				const options = { why: "rate_limited", retryAfterMs, isKnown: true } as const;
				throw new MediaUnavailableError(`${name}: not sent: rate limit of the service`, options);
			}
			const refusalsBefore = refusals;
			const isProbe = doublings > 0;
			isProbing ||= isProbe;
			const taken = (): void => {
				if (refusals === refusalsBefore) doublings = Math.max(0, doublings - 1);
			};
			try {
				const answer = await send();
				taken();
				return answer;
			} catch (error) {
				const isLimited = error instanceof MediaUnavailableError && error.why === "rate_limited";
				if (isLimited) throw refused(error, refusals === refusalsBefore);
				if (error instanceof MediaRefusedError) taken();
				throw error;
			} finally {
				if (isProbe) isProbing = false;
			}
		},
	};
}
