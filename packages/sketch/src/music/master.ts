import { SAMPLE_RATE, type Sound } from "./synth.ts";

/** -2.4 dB. */
const PEAK_MAX = 0.76;
/** 5 ms: the gain is reduced this long before a peak. */
const LOOK_AHEAD_SAMPLES = 220;
/** After a peak, the gain recovers with a time constant of 0.12 seconds. */
const RELEASE_PER_SAMPLE = 1 - Math.exp(-1 / (0.12 * SAMPLE_RATE));
const FADE_OUT_SECONDS = 0.35;

/** Normalizes to the loudness, with peaks below -2 dB: MP3 and AAC encoding raises them by less than 1 dB. */
export function master(sound: Sound, targetLufs: number): Sound {
	const { left, right } = sound;
	for (const channel of [left, right]) {
		channel.set(applyFilter(channel, highPass(28, 0.7)));
		const fade = Math.min(channel.length, Math.round(FADE_OUT_SECONDS * SAMPLE_RATE));
		for (let index = 0; index < fade; index++) channel[channel.length - 1 - index]! *= (index / fade) ** 2;
	}
	// Limiting reduces the loudness, so the gain is computed again.
	for (let round = 0; round < 3; round++) {
		const gain = 10 ** ((targetLufs - loudnessOf(left, right)) / 20);
		if (!Number.isFinite(gain)) return sound;
		for (const channel of [left, right])
			for (let index = 0; index < channel.length; index++) channel[index] = channel[index]! * gain;
		limitPeaks(left, right);
	}
	return sound;
}

/** The coefficients of a filter: `b0` to `b2` weight the input, `a1` and `a2` the output. */
type Biquad = readonly [b0: number, b1: number, b2: number, a1: number, a2: number];

function highPass(frequency: number, q: number): Biquad {
	const k = Math.tan((Math.PI * frequency) / SAMPLE_RATE);
	const a0 = 1 + k / q + k * k;
	return [1 / a0, -2 / a0, 1 / a0, (2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0];
}

/** The shelf filter of ITU-R BS.1770, for any sample rate. */
function highShelf(frequency: number, gainDb: number, q: number): Biquad {
	const k = Math.tan((Math.PI * frequency) / SAMPLE_RATE);
	const vh = 10 ** (gainDb / 20);
	const vb = vh ** 0.4996667741545416;
	const a0 = 1 + k / q + k * k;
	return [
		(vh + (vb * k) / q + k * k) / a0,
		(2 * (k * k - vh)) / a0,
		(vh - (vb * k) / q + k * k) / a0,
		(2 * (k * k - 1)) / a0,
		(1 - k / q + k * k) / a0,
	];
}

function applyFilter(input: Float32Array, [b0, b1, b2, a1, a2]: Biquad): Float32Array {
	const output = new Float32Array(input.length);
	let [x1, x2, y1, y2] = [0, 0, 0, 0];
	for (let index = 0; index < input.length; index++) {
		const x = input[index]!;
		const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
		[x2, x1, y2, y1] = [x1, x, y1, y];
		output[index] = y;
	}
	return output;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const lufs = (energy: number): number => -0.691 + 10 * Math.log10(energy);

const BLOCK_SAMPLES = Math.round(0.4 * SAMPLE_RATE);

/** Integrated loudness in LUFS, gated, after ITU-R BS.1770. */
export function loudnessOf(...channels: readonly Float32Array[]): number {
	// The frequencies, gain and q of the standard.
	const weighted = channels.map((channel) =>
		applyFilter(applyFilter(channel, highShelf(1681.97, 3.99984, 0.70718)), highPass(38.135, 0.50033)),
	);
	const length = channels[0]?.length ?? 0;
	const energies: number[] = [];
	for (let start = 0; start === 0 || start + BLOCK_SAMPLES <= length; start += BLOCK_SAMPLES / 4) {
		let sum = 0;
		const end = Math.min(length, start + BLOCK_SAMPLES);
		for (const channel of weighted) for (let index = start; index < end; index++) sum += channel[index]! ** 2;
		energies.push(sum / BLOCK_SAMPLES);
	}
	const audible = energies.filter((energy) => lufs(energy) > -70);
	if (audible.length === 0) return Number.NEGATIVE_INFINITY;
	const gate = lufs(mean(audible)) - 10;
	return lufs(mean(audible.filter((energy) => lufs(energy) > gate)));
}

/** Reduces the gain of both channels before a peak, and restores it slowly. */
function limitPeaks(left: Float32Array, right: Float32Array): void {
	let gain = 1;
	let holdSamples = 0;
	let targetGain = 1;
	const length = left.length;
	for (let index = 0; index < length + LOOK_AHEAD_SAMPLES; index++) {
		const peak = index < length ? Math.max(Math.abs(left[index]!), Math.abs(right[index]!)) : 0;
		if (peak * targetGain > PEAK_MAX) {
			targetGain = PEAK_MAX / peak;
			holdSamples = LOOK_AHEAD_SAMPLES * 2;
		} else if (holdSamples > 0) holdSamples -= 1;
		else targetGain += (1 - targetGain) * RELEASE_PER_SAMPLE;
		gain += (targetGain - gain) * (targetGain < gain ? 0.03 : 0.002);
		const delayedIndex = index - LOOK_AHEAD_SAMPLES;
		if (delayedIndex < 0) continue;
		left[delayedIndex] = Math.max(-PEAK_MAX, Math.min(PEAK_MAX, left[delayedIndex]! * gain));
		right[delayedIndex] = Math.max(-PEAK_MAX, Math.min(PEAK_MAX, right[delayedIndex]! * gain));
	}
}
