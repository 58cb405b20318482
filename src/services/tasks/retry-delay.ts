const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 30_000;
/** A longer pause that the other side asks for is cut to this: a member is waiting. */
const REQUESTED_MS_MAX = 60_000;
/** Retries come up to this much earlier than back-off alone would have them, so that those that began together spread. */
const RETRY_JITTER = 0.5;
const REQUESTED_JITTER = 0.1;

/**
 * Returns the back-off (ms) after the `failures`th consecutive failure; `requestedMs` is what the other side asked for.
 * `random`, 0 to 1, shortens the own wait and lengthens a requested one.
 */
export function retryAfterMs(failures: number, requestedMs = 0, random = 0): number {
	const ownMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (failures - 1)) * (1 - RETRY_JITTER * random);
	return Math.round(Math.max(ownMs, Math.min(REQUESTED_MS_MAX, requestedMs) * (1 + REQUESTED_JITTER * random)));
}
