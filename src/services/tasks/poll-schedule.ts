/** Decides how long to wait between two polls of a task, from the durations of recent tasks and the service's hints. No I/O. */
import type { OpenRemoteTask } from "@atelier/media-protocol/remote-task";
import type { DurationSample } from "./duration-stats.ts";

/** The longest wait while a task may end at any moment. */
const INTERVAL_MS_MAX = 10_000;
/** The longest wait before the earliest end of recent tasks, and after the latest one. */
const IDLE_INTERVAL_MS_MAX = 60_000;
/** Ends below this quantile are ignored for the earliest end. */
const EARLIEST_QUANTILE = 0.03;
/** Beyond the longest known duration, the wait is this share of that duration … */
const TAIL_SHARE = 1 / 20;
/** … plus this share of the time since then. */
const TAIL_GROWTH_SHARE = 1 / 4;
/** With fewer observations the guesses may be far off: the two constants below bound the wait. */
const OBSERVATIONS_MIN = 8;
const EARLY_BOUND_MS_MIN = 2_000;
const EARLY_BOUND_SHARE_OF_ELAPSED = 1 / 4;

/** Returns the duration that this share of the sample does not exceed. */
export function quantileMs({ sortedMs }: DurationSample, share: number): number {
	return sortedMs[Math.floor(share * (sortedMs.length - 1))] ?? 0;
}

/**
 * Returns the wait (ms) until the next poll of a task that has run for `elapsedMs`. Of the recent tasks that ran longer, some
 * would have ended during the wait and been seen late. The poll is due when their total lateness reaches `pollWorthMs` times the
 * number of these tasks: then one more poll costs less than the lateness that it avoids.
 */
export function intervalMs(durations: DurationSample, elapsedMs: number, pollWorthMs: number): number {
	const { sortedMs } = durations;
	const waitMsMax = waitMsMaxOf(durations, elapsedMs);
	const firstLonger = sortedMs.findIndex((ms) => ms > elapsedMs);
	if (firstLonger === -1) {
		const longestMs = quantileMs(durations, 1);
		return Math.min(waitMsMax, longestMs * TAIL_SHARE + (elapsedMs - longestMs) * TAIL_GROWTH_SHARE);
	}
	let totalMs = pollWorthMs * (sortedMs.length - firstLonger);
	let waitMs = Number.POSITIVE_INFINITY;
	for (let index = firstLonger; index < sortedMs.length; index++) {
		const leftMs = (sortedMs[index] ?? 0) - elapsedMs;
		if (leftMs >= waitMs) break;
		totalMs += leftMs;
		waitMs = totalMs / (index - firstLonger + 1);
	}
	return Math.min(waitMsMax, waitMs);
}

/** Returns the longest wait (ms) after `elapsedMs`. */
function waitMsMaxOf(durations: DurationSample, elapsedMs: number): number {
	if (durations.observations < OBSERVATIONS_MIN) {
		return Math.min(INTERVAL_MS_MAX, Math.max(EARLY_BOUND_MS_MIN, elapsedMs * EARLY_BOUND_SHARE_OF_ELAPSED));
	}
	if (elapsedMs > quantileMs(durations, 1)) return IDLE_INTERVAL_MS_MAX;
	const untilEarliestMs = quantileMs(durations, EARLIEST_QUANTILE) - elapsedMs;
	return Math.min(IDLE_INTERVAL_MS_MAX, INTERVAL_MS_MAX + Math.max(0, untilEarliestMs));
}

/** The service's hints about an open task. */
export type Hints = Pick<OpenRemoteTask, "progressPercent" | "estimatedSeconds" | "pollAgainAfterMs">;

/** Below this percentage, progress is not used to estimate the end. */
const PROGRESS_PERCENT_MIN = 5;
/** From this percentage on, progress is preferred to the service's estimate, which may be the model's average. */
const PROGRESS_PERCENT_TRUSTED = 20;
/** A poll for a predicted end that is further away than this comes early, so that the next one can correct the time. */
const DISTANT_END_MS = 10_000;
const WAIT_SHARE_DISTANT = 0.88;
/** A poll for a near end comes slightly late: a poll before the end would be wasted. */
const WAIT_SHARE_NEAR = 1.05;
/** Hints divide the wait by this at most: a service may always claim to be almost done. */
const HINT_SPEEDUP_MAX = 8;
/** A longer pause that the service asks for is cut to this: a member is waiting. */
const REQUESTED_MS_MAX = 60_000;
/** Polls spread by up to this share of their wait. */
const JITTER = 0.1;

/** Returns the time left (ms) by the service's estimate or by its progress; `null` without both. */
export function remainingMs({ progressPercent, estimatedSeconds }: Hints, runningMs: number): number | null {
	const percent = progressPercent ?? 0;
	if (estimatedSeconds !== null && percent < PROGRESS_PERCENT_TRUSTED) return Math.max(0, estimatedSeconds * 1000);
	return percent < PROGRESS_PERCENT_MIN ? null : (runningMs * Math.max(0, 100 - percent)) / percent;
}

interface PollInput {
	/** The wait without hints. */
	readonly intervalMs: number;
	/** Time since the service began to work on the task. */
	readonly runningMs: number;
	readonly hints: Hints;
	/** True if the end that the service predicted has passed. Its hints then only shorten the wait. */
	readonly isHintWrong: boolean;
}

/** Returns the wait (ms) until the next poll. `random`, 0 to 1, spreads the polls of tasks that were submitted together. */
export function pollWaitMs(input: PollInput, random: number): number {
	const hintedMs = waitWithHintsMs(input);
	const jitterMs = (2 * random - 1) * JITTER * Math.min(input.intervalMs, hintedMs);
	const requestedMs = Math.min(REQUESTED_MS_MAX, input.hints.pollAgainAfterMs ?? 0) * (1 + JITTER * random);
	return Math.max(hintedMs + jitterMs, requestedMs);
}

/** Returns the wait (ms) until shortly before or after the end that the hints predict; without hints, the interval. */
function waitWithHintsMs({ intervalMs: ownMs, hints, runningMs, isHintWrong }: PollInput): number {
	const leftMs = remainingMs(hints, runningMs);
	if (leftMs === null) return ownMs;
	const isTrusted = hints.estimatedSeconds !== null || (hints.progressPercent ?? 0) >= PROGRESS_PERCENT_TRUSTED;
	const waitMsMax = Math.max(IDLE_INTERVAL_MS_MAX, ownMs, isTrusted ? leftMs / 2 : 0);
	const hintedMs = leftMs * (leftMs > DISTANT_END_MS ? WAIT_SHARE_DISTANT : WAIT_SHARE_NEAR);
	const boundedMs = Math.min(waitMsMax, Math.max(ownMs / HINT_SPEEDUP_MAX, hintedMs));
	return isHintWrong ? Math.min(ownMs, boundedMs) : boundedMs;
}
