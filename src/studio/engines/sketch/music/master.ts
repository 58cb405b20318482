import type { Pcm } from "../encode.ts";
import { SAMPLE_RATE, clamp, createFilter, decibelsToGain, secondsToSamples } from "./dsp.ts";
import { limit, measureLoudness } from "./loudness.ts";

export interface MasterSettings {
	readonly loudnessLufs: number;
	/** What the highs get on top: a mix of many soft sounds is dull. */
	readonly airDecibels: number;
	readonly fadeInSeconds: number;
	readonly fadeOutSeconds: number;
}

const RUMBLE_HZ = 24;
const GAIN_DECIBELS_MAX = 60;
const LOSS_NOTICED_DECIBELS = 0.4;
const LOSS_RETURNED_DECIBELS_MAX = 2;
/** A file that ends in true silence never clicks, whatever plays after it. */
const SILENT_END_SECONDS = 0.012;

/** From a mix to a finished recording: no rumble, the wanted loudness, no peak above the ceiling, gentle ends. */
export function master(left: Float32Array, right: Float32Array, settings: MasterSettings): Pcm {
	for (const channel of [left, right]) {
		createFilter(RUMBLE_HZ, Math.SQRT1_2).run("high", channel);
		lift(channel, settings.airDecibels);
		fade(channel, settings);
	}
	const missing = settings.loudnessLufs - measureLoudness(left, right);
	amplify(left, right, clamp(missing, -GAIN_DECIBELS_MAX, GAIN_DECIBELS_MAX));
	const before = energyOf(left) + energyOf(right);
	limit(left, right);
	// Limiting takes a little loudness away; it is given back once, not chased.
	const lost = 10 * Math.log10(before / Math.max(energyOf(left) + energyOf(right), 1e-9));
	if (lost > LOSS_NOTICED_DECIBELS) {
		amplify(left, right, Math.min(lost, LOSS_RETURNED_DECIBELS_MAX));
		limit(left, right);
	}
	return { sampleRate: SAMPLE_RATE, left, right };
}

function amplify(left: Float32Array, right: Float32Array, decibels: number): void {
	const gain = decibelsToGain(decibels);
	for (const channel of [left, right]) for (let index = 0; index < channel.length; index++) channel[index]! *= gain;
}

function energyOf(channel: Float32Array): number {
	let energy = 0;
	for (let index = 0; index < channel.length; index++) energy += channel[index]! ** 2;
	return energy;
}

const AIR_ABOVE_HZ = 2600;

function lift(channel: Float32Array, decibels: number): void {
	if (decibels === 0) return;
	const highs = Float32Array.from(channel);
	createFilter(AIR_ABOVE_HZ, 0.5).run("high", highs);
	const share = decibelsToGain(decibels) - 1;
	for (let index = 0; index < channel.length; index++) channel[index]! += share * highs[index]!;
}

function fade(channel: Float32Array, { fadeInSeconds, fadeOutSeconds }: MasterSettings): void {
	const length = channel.length;
	const silence = Math.min(secondsToSamples(SILENT_END_SECONDS), Math.floor(length / 8));
	const fadeIn = Math.max(1, Math.min(secondsToSamples(fadeInSeconds), Math.floor(length / 4)));
	const fadeOut = Math.max(1, Math.min(secondsToSamples(fadeOutSeconds), Math.floor(length / 2)));
	for (let index = 0; index < fadeIn; index++) channel[index]! *= Math.sin(((index / fadeIn) * Math.PI) / 2) ** 2;
	for (let index = Math.max(0, length - silence - fadeOut); index < length; index++) {
		const left = clamp((length - silence - index) / fadeOut, 0, 1);
		channel[index]! *= Math.sin((left * Math.PI) / 2) ** 2;
	}
}
