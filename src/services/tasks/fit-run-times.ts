import { truncatedMoments, type LogNormal } from "./log-normal.ts";

/** What looks tell of one making: it was still open after `lowerMs`, and had ended after `upperMs`, if it has. */
export interface Observation {
	readonly lowerMs: number;
	/** `null` where it was given up before it was made. */
	readonly upperMs: number | null;
}

export interface Prior {
	readonly medianMs: number;
	/** How far, as a factor's logarithm, the true median may lie from it. */
	readonly medianLogSd: number;
}

export interface Estimate extends LogNormal {
	/** The weight of what it rests on: the latest observation counts 1, earlier ones less. */
	readonly observations: number;
}

/** Every so many observations what came before counts half, so that a service that gets slower or faster is followed. */
const HALF_LIFE = 20;
const WEIGHT_STEP = 2 ** (-1 / HALF_LIFE);
/** What stands in for experience with the spread of a service's times. */
const PRIOR_LOG_SD = 0.5;
const PRIOR_SPREAD_OBSERVATIONS = 6;
/** No service is as regular as a few alike observations may look. */
const LOG_SD_MIN = 0.05;
const ROUNDS_MAX = 40;
const SETTLED = 1e-3;
/** The logarithm needs something above nothing. */
const MS_MIN = 1;

/**
 * The log-normal that observations, the latest last, make likeliest: expectation-maximisation on ln T, with the moments of
 * the normal truncated to what each observation leaves open. Middles of intervals would not do: the schedule chooses the
 * intervals from the estimate, so what it gets wrong would come back as experience.
 *
 * The spread of the answer includes how uncertain the median still is: with few observations looks are spread out by
 * themselves.
 */
export function fitRunTimes(observations: readonly Observation[], prior: Prior, start?: LogNormal): Estimate {
	const priorMean = Math.log(Math.max(MS_MIN, prior.medianMs));
	const priorPrecision = 1 / prior.medianLogSd ** 2;
	const weighed = observations.map(({ lowerMs, upperMs }, index) => ({
		from: Math.log(Math.max(MS_MIN / 2, lowerMs)),
		to: upperMs === null ? Number.POSITIVE_INFINITY : Math.log(Math.max(MS_MIN, lowerMs, upperMs)),
		isFromStart: lowerMs < MS_MIN,
		weight: WEIGHT_STEP ** (observations.length - 1 - index),
	}));
	const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
	let [mean, sd] = [start?.logMean ?? priorMean, start?.logSd ?? PRIOR_LOG_SD];
	const rounds = total > 0 ? ROUNDS_MAX : 0;
	for (let round = 0; round < rounds; round++) {
		let [sum, squares] = [0, 0];
		for (const { from, to, isFromStart, weight } of weighed) {
			const low = isFromStart ? Number.NEGATIVE_INFINITY : (from - mean) / sd;
			const moments = truncatedMoments(low, (to - mean) / sd);
			sum += weight * moments.mean;
			squares += weight * moments.square;
		}
		// Of x = mean + sd z: the prior of the median counts as much as it is worth beside so many observations.
		const precision = priorPrecision + total / sd ** 2;
		const nextMean = (priorMean * priorPrecision + (total * mean + sd * sum) / sd ** 2) / precision;
		const shift = mean - nextMean;
		const spread = total * shift ** 2 + 2 * shift * sd * sum + sd ** 2 * squares;
		const nextSd = Math.max(
			LOG_SD_MIN,
			Math.sqrt(
				(PRIOR_SPREAD_OBSERVATIONS * PRIOR_LOG_SD ** 2 + Math.max(0, spread)) / (PRIOR_SPREAD_OBSERVATIONS + total),
			),
		);
		const isSettled = Math.abs(nextMean - mean) < SETTLED * nextSd && Math.abs(nextSd - sd) < SETTLED * nextSd;
		[mean, sd] = [nextMean, nextSd];
		if (isSettled) break;
	}
	const medianVariance = 1 / (priorPrecision + total / sd ** 2);
	return { logMean: mean, logSd: Math.sqrt(sd ** 2 + medianVariance), observations: total };
}
