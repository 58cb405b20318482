/** How long makings take: the logarithm of the milliseconds is normally distributed, or near enough to plan with. */
export interface LogNormal {
	/** Mean of ln(milliseconds). */
	readonly logMean: number;
	/** Standard deviation of ln(milliseconds), above 0. */
	readonly logSd: number;
}

const SQRT_TWO_PI = Math.sqrt(2 * Math.PI);
/** Below it the survival is 1 to the last bit of a double. */
const Z_MIN = -8;
/** From here on the continued fraction below is exact to 1e-10 and needs no difference of near numbers. */
const FRACTION_FROM_Z = 2;
const FRACTION_TERMS = 60;

const density = (z: number): number => Math.exp(-0.5 * z * z) / SQRT_TWO_PI;

/** Standard deviations that `ms` lies above the median. */
function zOf({ logMean, logSd }: LogNormal, ms: number): number {
	return ms > 0 ? (Math.log(ms) - logMean) / logSd : Number.NEGATIVE_INFINITY;
}

export function msAt({ logMean, logSd }: LogNormal, z: number): number {
	return Math.exp(logMean + logSd * z);
}

/** density / survival of the standard normal: never 0 / 0, however far in the tail, where it goes to z. */
export function normalHazard(z: number): number {
	if (z <= Z_MIN) return density(z);
	if (z < FRACTION_FROM_Z) return density(z) / survival(z);
	// Laplace's continued fraction of survival / density, from its far end.
	let below = z;
	for (let term = FRACTION_TERMS; term > 0; term--) below = z + term / below;
	return below;
}

/** 1/2 -+ density x (z + z^3/3 + z^5/(3x5) + ...): all terms of one sign, so nothing cancels but at the very end. */
function survival(z: number): number {
	let sum = z;
	let term = z;
	for (let divisor = 3; Math.abs(term) > 1e-17 * Math.abs(sum); divisor += 2) {
		term *= (z * z) / divisor;
		sum += term;
	}
	return 0.5 - density(z) * sum;
}

/** Ends per millisecond among what has not ended after `elapsedMs`. */
export function hazardPerMs(times: LogNormal, elapsedMs: number): number {
	if (elapsedMs <= 0) return 0;
	return normalHazard(zOf(times, elapsedMs)) / (times.logSd * elapsedMs);
}

/** Steps of z in which √hazard is as good as straight. */
const Z_STEP = 1 / 16;

/**
 * From one look to the next: the time in which ∫ √(hazard / 2κ) grows by one. Where the hazard hardly changes in between,
 * that is √(2κ / hazard); where it rises steeply, as before the first makings can be done, √(2κ / hazard) of this instant
 * would wait for far too long. Never more than `msMax`.
 */
export function lookIntervalMs(times: LogNormal, elapsedMs: number, kappaMs: number, msMax: number): number {
	const zEnd = zOf(times, elapsedMs + msMax);
	// dt = σ t dz, so that √h dt = √(λ σ t) dz, where λ is the hazard of z.
	const scale = Math.sqrt(times.logSd / (2 * kappaMs));
	const looksPerZ = (z: number): number => scale * Math.sqrt(normalHazard(z) * msAt(times, z));
	let z = Math.max(Z_MIN, zOf(times, elapsedMs));
	let rate = looksPerZ(z);
	for (let looks = 0; z < zEnd;) {
		const next = Math.min(zEnd, z + Z_STEP);
		const nextRate = looksPerZ(next);
		const gained = ((rate + nextRate) / 2) * (next - z);
		if (looks + gained >= 1) {
			const zLook = z + (next - z) * ((1 - looks) / gained);
			return Math.min(msMax, Math.max(0, msAt(times, zLook) - elapsedMs));
		}
		looks += gained;
		z = next;
		rate = nextRate;
	}
	return msMax;
}

/** Mean and mean square of a standard normal of which only the interval is known. */
export interface Moments {
	readonly mean: number;
	readonly square: number;
}

const SIMPSON_STEPS = 48;
/** Beyond this many standard deviations, or so many of a far tail's own lengths, lies nothing that counts. */
const REACH = 7;
const TAIL_LENGTHS = 20;

/**
 * Moments of a standard normal, given that it lies between `from` and `to`, either of which may be infinite. By quadrature
 * around the likeliest point: the closed form is a difference of nearly equal numbers for short intervals and far tails.
 */
export function truncatedMoments(from: number, to: number): Moments {
	const peak = Math.min(Math.max(0, from), to);
	// From the peak on, density falls like a bell, or, far out, like an exponential of length 1 / |peak|.
	const reach = Math.min(REACH, TAIL_LENGTHS / Math.max(1, Math.abs(peak)));
	const [low, high] = [Math.max(from, peak - reach), Math.min(to, peak + reach)];
	if (high - low < 1e-9) return { mean: low, square: low * low };
	const step = (high - low) / SIMPSON_STEPS;
	let [mass, first, second] = [0, 0, 0];
	for (let n = 0; n <= SIMPSON_STEPS; n++) {
		const z = low + n * step;
		const factor = n === 0 || n === SIMPSON_STEPS ? 1 : 2 + 2 * (n % 2);
		const weight = factor * Math.exp(0.5 * (peak - z) * (peak + z));
		mass += weight;
		first += weight * z;
		second += weight * z * z;
	}
	return { mean: first / mass, square: second / mass };
}
