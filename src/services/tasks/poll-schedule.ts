/**
 * When to look at a task again: pure. Looks are put where the task is likely to end, so many that one more would cost more
 * than the waiting that it saves: √(2κ / hazard) apart, where the hazard is that of the learned times, and κ is the
 * waiting that one look is worth. What the service itself says of a task comes first.
 */
import type { Estimate } from "./fit-run-times.ts";
import type { Demand } from "./look-budget.ts";
import { hazardPerMs, lookIntervalMs, msAt } from "./log-normal.ts";

const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 30_000;

/** What another side asks for is granted up to here: a person is waiting, and a mistake must not stop a task for days. */
const WISHED_MS_MAX = 60_000;
const JITTER = 0.1;

/** Retries are up to so much earlier than back-off alone would have them, so that those that began together spread. */
const RETRY_JITTER = 0.5;

/**
 * How long to wait after the `failures`th failure in a row; `wishedMs` is what the other side asked for. `chance`, from 0
 * to below 1, makes an own wait shorter and a requested one longer.
 */
export function retryAfterMs(failures: number, wishedMs = 0, chance = 0): number {
	const ownMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (failures - 1)) * (1 - RETRY_JITTER * chance);
	return Math.round(Math.max(ownMs, Math.min(WISHED_MS_MAX, wishedMs) * (1 + JITTER * chance)));
}

/** How dear looks are at the moment. */
export interface LookPrice {
	/** The waiting that one look is worth. */
	readonly kappaMs: number;
	/** No service is asked about one task more often. */
	readonly floorMs: number;
	/** What the budget leaves for each task when all share it alike; bounds on the waiting give way to it. */
	readonly shareMs: number;
}

/** While a task may well end at any moment, nobody waits for longer. */
const BODY_MS_MAX = 10_000;
/** Before a task can be done, and when it has taken longer than it ever does. */
const OUTSIDE_MS_MAX = 60_000;
/** Two standard deviations below the median: hardly anything ends before. */
const BODY_FROM_Z = -2;
/** The 99.9th percentile. */
const BODY_TO_Z = 3.09;
/** Each wait in the tail is half of the time in the tail longer: times 1.5 from one look to the next. */
const TAIL_GROWTH = 0.5;
/** With fewer observations the learned times may still be far off. */
const ENOUGH_OBSERVATIONS = 8;
const CAREFUL_MS_MIN = 2_000;
const CAREFUL_SHARE_OF_ELAPSED = 1 / 4;

/** How long to wait with nothing known of this task but that it has been open for `elapsedMs`. */
export function intervalMs(times: Estimate, elapsedMs: number, price: LookPrice): number {
	return Math.max(price.floorMs, wantedMs(times, elapsedMs, price));
}

function wantedMs(times: Estimate, elapsedMs: number, { kappaMs, shareMs }: LookPrice): number {
	const boundMs = Math.max(shareMs, patienceMs(times, elapsedMs));
	const bodyToMs = msAt(times, BODY_TO_Z);
	if (elapsedMs <= bodyToMs) return lookIntervalMs(times, elapsedMs, kappaMs, boundMs);
	const atItsStartMs = lookIntervalMs(times, bodyToMs, kappaMs, Math.max(shareMs, BODY_MS_MAX));
	return Math.min(boundMs, atItsStartMs + (elapsedMs - bodyToMs) * TAIL_GROWTH);
}

/** For how long a task is left alone at most, where the budget allows for it. */
function patienceMs(times: Estimate, elapsedMs: number): number {
	if (times.observations < ENOUGH_OBSERVATIONS) {
		return Math.min(BODY_MS_MAX, Math.max(CAREFUL_MS_MIN, elapsedMs * CAREFUL_SHARE_OF_ELAPSED));
	}
	if (elapsedMs > msAt(times, BODY_TO_Z)) return OUTSIDE_MS_MAX;
	return Math.min(OUTSIDE_MS_MAX, Math.max(BODY_MS_MAX, msAt(times, BODY_FROM_Z) + BODY_MS_MAX - elapsedMs));
}

/** What a task asks of the budget at this instant. */
export function demandOf(times: Estimate, elapsedMs: number): Demand {
	const hazard = hazardPerMs(times, Math.min(elapsedMs, msAt(times, BODY_TO_Z)));
	return { rootMs: Math.sqrt(hazard / 2), patienceMs: patienceMs(times, elapsedMs) };
}

/** What the service said of an open task. */
export interface Hints {
	readonly progressPercent: number | null;
	readonly estimatedSeconds: number | null;
	readonly lookAgainAfterMs: number | null;
}

/** Less progress says too little about the whole. */
const PROGRESS_PERCENT_MIN = 5;
/** From here on progress says more than a guess that may only know the model. */
const PROGRESS_PERCENT_TRUSTED = 20;
/** An end that is further away is aimed at from before, for a better guess of where it is. */
const FAR_MS = 10_000;
const AIM_SHARE_FAR = 0.88;
const AIM_SHARE_NEAR = 1.05;
/** So much more often than the learned times say a task may be looked at, when it always says that it is almost done. */
const HINT_HASTE_MAX = 8;

/** Until the end, as the service guesses, or as its progress up to now suggests. */
export function remainingMs(hints: Hints, elapsedMs: number): number | null {
	const percent = hints.progressPercent ?? 0;
	if (hints.estimatedSeconds !== null && percent < PROGRESS_PERCENT_TRUSTED) {
		return Math.max(0, hints.estimatedSeconds * 1000);
	}
	return percent < PROGRESS_PERCENT_MIN ? null : (elapsedMs * Math.max(0, 100 - percent)) / percent;
}

function isTrusted({ progressPercent, estimatedSeconds }: Hints): boolean {
	return estimatedSeconds !== null || (progressPercent ?? 0) >= PROGRESS_PERCENT_TRUSTED;
}

export interface OpenTask {
	readonly times: Estimate;
	readonly elapsedMs: number;
	readonly hints: Hints;
	/** Whether an end that was foretold has passed: then a hint may hasten a look, but put none off. */
	readonly wasMisled: boolean;
	/** While it waits for its turn: it cannot be done sooner. */
	readonly atLeastMs: number;
}

/** How long to wait before the next look. `chance`, from 0 to below 1, keeps tasks that began together from being looked at together. */
export function waitMs(task: OpenTask, price: LookPrice, chance: number): number {
	const ownMs = Math.max(intervalMs(task.times, task.elapsedMs, price), Math.min(BODY_MS_MAX, task.atLeastMs));
	const aimedMs = aimMs(task, ownMs, price);
	// A long wait that is aimed well must not lose its aim.
	const jitterMs = (2 * chance - 1) * JITTER * Math.min(ownMs, aimedMs);
	// To be left alone is what the service asks for: later, but not sooner.
	const wishedMs = Math.min(WISHED_MS_MAX, task.hints.lookAgainAfterMs ?? 0) * (1 + JITTER * chance);
	return Math.max(price.floorMs, aimedMs + jitterMs, wishedMs);
}

function aimMs({ hints, elapsedMs, wasMisled }: OpenTask, ownMs: number, price: LookPrice): number {
	const leftMs = remainingMs(hints, elapsedMs);
	if (leftMs === null) return ownMs;
	const aimedMs = leftMs > FAR_MS ? leftMs * AIM_SHARE_FAR : leftMs * AIM_SHARE_NEAR;
	// A guess from the first percents can be far off.
	const trustedMs = isTrusted(hints) ? leftMs / 2 : 0;
	const msMax = Math.max(OUTSIDE_MS_MAX, price.shareMs, trustedMs);
	const boundedMs = Math.min(msMax, Math.max(ownMs / HINT_HASTE_MAX, aimedMs));
	return wasMisled ? Math.min(ownMs, boundedMs) : boundedMs;
}
