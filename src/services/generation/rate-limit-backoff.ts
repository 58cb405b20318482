import type { Clock } from "@atelier/common/clock";
import { MediaRefusedError, MediaUnavailableError } from "./media-api.ts";

const HOLD_MS_MIN = 1_000;
const HOLD_MS_MAX = 60_000;
/** More doublings make no longer hold, but would take as many requests to undo. */
const DOUBLINGS_MAX = Math.log2(64);
/** What the service asks for is granted up to here: less than a task waits for a service that is busy. */
const RETRY_AFTER_MS_MAX = 4 * 60_000;
/** A hold is up to this much longer than the service asked for, so that several processes do not end it together. */
const RETRY_AFTER_JITTER = 0.1;
/** For requests that come while another one probes whether the limit is over. */
const PROBE_WAIT_MS = 1_000;

/**
 * Holds requests back after the service said that there are too many. All tasks of a process share it, so that a crowd
 * costs the service as few refused requests as one member does.
 *
 * The circuit in `circuit-breaker.ts` is for a service that is away; this is for one that is there, and busy.
 */
export interface RateLimitBackoff {
	/** Sends the request, or throws `MediaUnavailableError` with the time that is left where requests are held back. */
	run<T>(name: string, send: () => Promise<T>): Promise<T>;
	/** How long a request of now would be held back; 0 where it would be sent. */
	heldForMs(): number;
}

interface RateLimitBackoffDeps {
	readonly clock: Clock;
	/** From 0 to below 1. */
	readonly random: () => number;
}

/**
 * Each refusal doubles the hold, with jitter, and each request that the service takes halves the next one. Until the hold is
 * back at its shortest, requests go one at a time: each probes for those behind it.
 */
export function createRateLimitBackoff({ clock, random }: RateLimitBackoffDeps): RateLimitBackoff {
	/** Tells refusals of requests that were under way together from later ones. */
	let refusals = 0;
	let doublings = 0;
	let heldUntilMs = 0;
	let isProbing = false;

	/** A hold that is longer than any was left behind by a clock that was set back. */
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

	/** `isFirst`: of requests that were under way together, one doubles the hold for all. */
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
				throw new MediaUnavailableError(`${name}: not sent, the service takes no more at the moment`, options);
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
