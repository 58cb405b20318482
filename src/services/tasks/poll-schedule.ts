/** Decides how long to wait between two polls of a task, from the durations of recent tasks and the service's hints. Pure. */
import type { Durations } from "./duration-stats.ts";

/** Longest wait while a task may end at any moment; before its earliest end and after its latest one, the idle bound. */
const INTERVAL_MS_MAX = 10_000;
const IDLE_INTERVAL_MS_MAX = 60_000;
const EARLIEST_QUANTILE = 0.03;
/** Beyond the longest known duration the wait is a share of it, and grows with the time since. */
const TAIL_SHARE = 1 / 20;
const TAIL_GROWTH = 1 / 4;
/** With fewer observations the guesses may be far off: poll more evenly. */
const OBSERVATIONS_MIN = 8;
const COLD_INTERVAL_MS_MIN = 2_000;
const COLD_SHARE_OF_ELAPSED = 1 / 4;

export function quantileMs({ sortedMs }: Durations, share: number): number {
	return sortedMs[Math.floor(share * (sortedMs.length - 1))] ?? 0;
}

/**
 * Returns the wait (ms) until the next poll of a task that has run for `elapsedMs`. Some of the recent tasks that took
 * longer ended during that wait, and would be seen late. The poll is due when their total lateness reaches `pollWorthMs`
 * for each of the remaining tasks: from then on, one more poll saves more waiting than it is worth.
 */
export function intervalMs(durations: Durations, elapsedMs: number, pollWorthMs: number): number {
	const { sortedMs } = durations;
	const msMax = intervalMsMax(durations, elapsedMs);
	const first = sortedMs.findIndex((ms) => ms > elapsedMs);
	if (first === -1) {
		const longestMs = quantileMs(durations, 1);
		return Math.min(msMax, longestMs * TAIL_SHARE + (elapsedMs - longestMs) * TAIL_GROWTH);
	}
	let totalMs = pollWorthMs * (sortedMs.length - first);
	let waitMs = Number.POSITIVE_INFINITY;
	for (let index = first; index < sortedMs.length; index++) {
		const leftMs = (sortedMs[index] ?? 0) - elapsedMs;
		if (leftMs >= waitMs) break;
		totalMs += leftMs;
		waitMs = totalMs / (index - first + 1);
	}
	return Math.min(msMax, waitMs);
}

function intervalMsMax(durations: Durations, elapsedMs: number): number {
	if (durations.observed < OBSERVATIONS_MIN) {
		return Math.min(INTERVAL_MS_MAX, Math.max(COLD_INTERVAL_MS_MIN, elapsedMs * COLD_SHARE_OF_ELAPSED));
	}
	if (elapsedMs > quantileMs(durations, 1)) return IDLE_INTERVAL_MS_MAX;
	const untilEarliestMs = quantileMs(durations, EARLIEST_QUANTILE) - elapsedMs;
	return Math.min(IDLE_INTERVAL_MS_MAX, INTERVAL_MS_MAX + Math.max(0, untilEarliestMs));
}

/** The service's hints about an open task. */
export interface Hints {
	readonly progressPercent: number | null;
	readonly estimatedSeconds: number | null;
	readonly pollAgainAfterMs: number | null;
}

/** Less progress says too little about the whole. */
const PROGRESS_PERCENT_MIN = 5;
/** From here on progress is better than an estimate, which may be the model's average. */
const PROGRESS_PERCENT_TRUSTED = 20;
/** Aim early at a distant end, so that the next poll can correct the aim, and slightly late at a near one. */
const DISTANT_MS = 10_000;
const AIM_SHARE_DISTANT = 0.88;
const AIM_SHARE_NEAR = 1.05;
/** Bounds the polls of a task that always claims to be almost done. */
const HINT_SPEEDUP_MAX = 8;
/** A longer pause that the service asks for is cut to this: a member is waiting. */
const REQUESTED_MS_MAX = 60_000;
const JITTER = 0.1;

/** Returns the time left (ms) by the service's estimate or by its progress so far, `null` where it says neither. */
export function remainingMs({ progressPercent, estimatedSeconds }: Hints, runningMs: number): number | null {
	const percent = progressPercent ?? 0;
	if (estimatedSeconds !== null && percent < PROGRESS_PERCENT_TRUSTED) return Math.max(0, estimatedSeconds * 1000);
	return percent < PROGRESS_PERCENT_MIN ? null : (runningMs * Math.max(0, 100 - percent)) / percent;
}

interface PollInput {
	/** The wait without hints. */
	readonly intervalMs: number;
	/** Time since the service began to work on it. */
	readonly runningMs: number;
	readonly hints: Hints;
	/** True if an end that the service predicted has passed: its hints then only shorten the wait. */
	readonly isHintWrong: boolean;
}

/** Returns the wait (ms) until the next poll. `random`, 0 to 1, keeps tasks that were submitted together apart. */
export function pollWaitMs(input: PollInput, random: number): number {
	const aimedMs = aimMs(input);
	const jitterMs = (2 * random - 1) * JITTER * Math.min(input.intervalMs, aimedMs);
	const requestedMs = Math.min(REQUESTED_MS_MAX, input.hints.pollAgainAfterMs ?? 0) * (1 + JITTER * random);
	return Math.max(aimedMs + jitterMs, requestedMs);
}

function aimMs({ intervalMs: ownMs, hints, runningMs, isHintWrong }: PollInput): number {
	const leftMs = remainingMs(hints, runningMs);
	if (leftMs === null) return ownMs;
	const isTrusted = hints.estimatedSeconds !== null || (hints.progressPercent ?? 0) >= PROGRESS_PERCENT_TRUSTED;
	const msMax = Math.max(IDLE_INTERVAL_MS_MAX, ownMs, isTrusted ? leftMs / 2 : 0);
	const aimedMs = leftMs * (leftMs > DISTANT_MS ? AIM_SHARE_DISTANT : AIM_SHARE_NEAR);
	const boundedMs = Math.min(msMax, Math.max(ownMs / HINT_SPEEDUP_MAX, aimedMs));
	return isHintWrong ? Math.min(ownMs, boundedMs) : boundedMs;
}
