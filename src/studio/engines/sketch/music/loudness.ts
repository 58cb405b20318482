import { SAMPLE_RATE, clamp, createFilter } from "./dsp.ts";

const BLOCK_SAMPLES = Math.round(0.4 * SAMPLE_RATE);
const HOP_SAMPLES = BLOCK_SAMPLES / 4;
const ABSOLUTE_GATE_LUFS = -70;
const RELATIVE_GATE_LU = 10;
const SILENCE_LUFS = -120;

/** How loud people find it, after ITU-R BS.1770: high frequencies count more, lows less, pauses not at all. */
export function measureLoudness(...channels: readonly Float32Array[]): number {
	const blocks = blockEnergies(channels.map(weighted));
	const audible = blocks.filter((energy) => toLufs(energy) > ABSOLUTE_GATE_LUFS);
	if (audible.length === 0) return SILENCE_LUFS;
	const gate = toLufs(mean(audible)) - RELATIVE_GATE_LU;
	return toLufs(mean(audible.filter((energy) => toLufs(energy) > gate)));
}

const mean = (values: readonly number[]): number =>
	values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const toLufs = (energy: number): number => -0.691 + 10 * Math.log10(Math.max(energy, 1e-12));

/** The K-weighting, near enough: a shelf of +4 dB above 1.7 kHz, and nothing below 38 Hz. */
function weighted(channel: Float32Array): Float32Array {
	const highs = Float32Array.from(channel);
	createFilter(1680, Math.SQRT1_2).run("high", highs);
	for (let index = 0; index < highs.length; index++) highs[index] = channel[index]! + 0.585 * highs[index]!;
	createFilter(38, 0.5).run("high", highs);
	return highs;
}

function blockEnergies(channels: readonly Float32Array[]): readonly number[] {
	const length = channels[0]?.length ?? 0;
	const hops = Math.max(1, Math.floor(length / HOP_SAMPLES));
	const hopEnergies = Array.from({ length: hops }, (_, hop) => {
		let sum = 0;
		const end = Math.min(length, (hop + 1) * HOP_SAMPLES);
		for (const channel of channels)
			for (let index = hop * HOP_SAMPLES; index < end; index++) sum += channel[index]! ** 2;
		return sum / HOP_SAMPLES;
	});
	return hopEnergies.map((_, hop) => mean(hopEnergies.slice(hop, hop + 4)));
}

const CEILING = 0.89;
const LOOK_AHEAD_SAMPLES = 220;
const RELEASE_PER_SAMPLE = 1 - Math.exp(-1 / (0.09 * SAMPLE_RATE));

/** Turns both channels down together before a peak arrives, and lets go slowly: no clipping, no distortion. */
export function limit(left: Float32Array, right: Float32Array): void {
	const length = left.length;
	const wanted = new Float32Array(length);
	for (let index = 0; index < length; index++) {
		const peak = Math.max(Math.abs(left[index]!), Math.abs(right[index]!));
		wanted[index] = peak > CEILING ? CEILING / peak : 1;
	}
	// The lowest gain wanted within the look-ahead, found in one pass with a queue of falling candidates.
	const queue = new Int32Array(length);
	let head = 0;
	let tail = 0;
	let gain = 1;
	for (let index = 0; index < length + LOOK_AHEAD_SAMPLES; index++) {
		if (index < length) {
			while (tail > head && wanted[queue[tail - 1]!]! >= wanted[index]!) tail--;
			queue[tail++] = index;
		}
		const now = index - LOOK_AHEAD_SAMPLES;
		if (now < 0) continue;
		while (head < tail && queue[head]! < now) head++;
		const target = wanted[queue[head]!]!;
		gain += target < gain ? (target - gain) * 0.03 : (target - gain) * RELEASE_PER_SAMPLE;
		left[now] = clamp(left[now]! * gain, -CEILING - 0.08, CEILING + 0.08);
		right[now] = clamp(right[now]! * gain, -CEILING - 0.08, CEILING + 0.08);
	}
}
