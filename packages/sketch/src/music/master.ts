import { SAMPLE_RATE, type Sound } from "./synth.ts";

const CEILING = 0.76;
const LOOK_AHEAD = 220;
const RELEASE = 1 - Math.exp(-1 / (0.12 * SAMPLE_RATE));
const FADE_OUT_SECONDS = 0.35;

/** Normalizes to the loudness, with peaks below -2 dB: MP3 and AAC encoding raises them by less than 1 dB. */
export function master(sound: Sound, targetLufs: number): Sound {
	const { left, right } = sound;
	for (const channel of [left, right]) {
		channel.set(filtered(channel, highPass(28, 0.7)));
		const fade = Math.min(channel.length, Math.round(FADE_OUT_SECONDS * SAMPLE_RATE));
		for (let at = 0; at < fade; at++) channel[channel.length - 1 - at]! *= (at / fade) ** 2;
	}
	// Limiting reduces the loudness, so the gain is computed again.
	for (let round = 0; round < 3; round++) {
		const gain = 10 ** ((targetLufs - loudnessOf(left, right)) / 20);
		if (!Number.isFinite(gain)) return sound;
		for (const channel of [left, right]) for (let at = 0; at < channel.length; at++) channel[at] = channel[at]! * gain;
		limit(left, right);
	}
	return sound;
}

type Biquad = readonly [b0: number, b1: number, b2: number, a1: number, a2: number];

/** The two filters of ITU-R BS.1770, for any sample rate. */
function highPass(frequency: number, q: number): Biquad {
	const k = Math.tan((Math.PI * frequency) / SAMPLE_RATE);
	const a0 = 1 + k / q + k * k;
	return [1 / a0, -2 / a0, 1 / a0, (2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0];
}

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

function filtered(input: Float32Array, [b0, b1, b2, a1, a2]: Biquad): Float32Array {
	const output = new Float32Array(input.length);
	let [x1, x2, y1, y2] = [0, 0, 0, 0];
	for (let at = 0; at < input.length; at++) {
		const x = input[at]!;
		const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
		[x2, x1, y2, y1] = [x1, x, y1, y];
		output[at] = y;
	}
	return output;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const lufs = (energy: number): number => -0.691 + 10 * Math.log10(energy);

const BLOCK = Math.round(0.4 * SAMPLE_RATE);

/** Integrated loudness in LUFS, gated, after ITU-R BS.1770. */
export function loudnessOf(...channels: readonly Float32Array[]): number {
	const weighted = channels.map((channel) =>
		filtered(filtered(channel, highShelf(1681.97, 3.99984, 0.70718)), highPass(38.135, 0.50033)),
	);
	const length = channels[0]?.length ?? 0;
	const energies: number[] = [];
	for (let start = 0; start === 0 || start + BLOCK <= length; start += BLOCK / 4) {
		let sum = 0;
		const end = Math.min(length, start + BLOCK);
		for (const channel of weighted) for (let at = start; at < end; at++) sum += channel[at]! ** 2;
		energies.push(sum / BLOCK);
	}
	const audible = energies.filter((energy) => lufs(energy) > -70);
	if (audible.length === 0) return Number.NEGATIVE_INFINITY;
	const gate = lufs(mean(audible)) - 10;
	return lufs(mean(audible.filter((energy) => lufs(energy) > gate)));
}

/** Reduces the gain of both channels before a peak, and restores it slowly. */
function limit(left: Float32Array, right: Float32Array): void {
	let gain = 1;
	let hold = 0;
	let wanted = 1;
	const length = left.length;
	for (let at = 0; at < length + LOOK_AHEAD; at++) {
		const peak = at < length ? Math.max(Math.abs(left[at]!), Math.abs(right[at]!)) : 0;
		if (peak * wanted > CEILING) {
			wanted = CEILING / peak;
			hold = LOOK_AHEAD * 2;
		} else if (hold > 0) hold -= 1;
		else wanted += (1 - wanted) * RELEASE;
		gain += (wanted - gain) * (wanted < gain ? 0.03 : 0.002);
		const now = at - LOOK_AHEAD;
		if (now < 0) continue;
		left[now] = Math.max(-CEILING, Math.min(CEILING, left[now]! * gain));
		right[now] = Math.max(-CEILING, Math.min(CEILING, right[now]! * gain));
	}
}
