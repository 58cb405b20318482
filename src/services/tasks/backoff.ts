const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 30_000;
/** A longer wait that the service or Discord requests is cut to this: a member is waiting. */
const REQUESTED_MS_MAX = 60_000;
/** Shortens the back-off by up to this share, so that retries that began together spread. */
const RETRY_JITTER = 0.5;
const REQUESTED_JITTER = 0.1;

interface Backoff {
	/** Consecutive failures, the last one included. */
	readonly failures: number;
	/** The wait that the other side requested. */
	readonly requestedMs?: number | undefined;
	/** From 0 to 1: shortens the back-off, and lengthens a requested wait. */
	readonly random?: number;
}

/** Returns the wait (ms) after a failure: the back-off, or a longer wait that the other side requested. */
export function backoffMs({ failures, requestedMs = 0, random = 0 }: Backoff): number {
	const ownMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (failures - 1)) * (1 - RETRY_JITTER * random);
	return Math.round(Math.max(ownMs, Math.min(REQUESTED_MS_MAX, requestedMs) * (1 + REQUESTED_JITTER * random)));
}
