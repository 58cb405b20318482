import { SAMPLE_RATE, createFilter, clamp, pitchToHz, secondsToSamples, sineOfTurns, smoothStep } from "../dsp.ts";
import type { Instrument } from "./instrument.ts";

type Wave = "saw" | "square" | "pulse" | "triangle" | "sine";

/** Waves rich in overtones, carved by a moving filter: pads, strings, winds, brass, leads and basses. */
export interface Patch {
	readonly oscillators: readonly { readonly wave: Wave; readonly detuneCents: number; readonly level: number }[];
	readonly noise: number;
	readonly attackSeconds: number;
	readonly decaySeconds: number;
	/** Level held after the decay, as a share of the peak. */
	readonly sustain: number;
	readonly releaseSeconds: number;
	/** Null leaves the waves as they are. */
	readonly filter: {
		readonly cutoffHz: number;
		/** Octaves the cutoff rises with the envelope. */
		readonly openOctaves: number;
		readonly openSeconds: number;
		readonly closeSeconds: number;
		/** Share of the note's height above middle C that the cutoff follows. */
		readonly follow: number;
		readonly quality: number;
	} | null;
	readonly vibrato: { readonly hz: number; readonly cents: number; readonly delaySeconds: number } | null;
}

/** Envelopes, vibrato and filter move once in this many samples. */
const CONTROL_SAMPLES = 32;
const MIDDLE_C_HZ = 261.6;

export function carve(patch: Patch): Instrument {
	return (tone, random) => {
		const hz = pitchToHz(tone.pitch);
		const heldSeconds = Math.max(tone.durationSeconds, 0.02);
		const sound = new Float32Array(secondsToSamples(heldSeconds + patch.releaseSeconds));
		const filter = createFilter(1000, patch.filter?.quality ?? 1);
		const oscillators = patch.oscillators.map((oscillator) => ({
			wave: oscillator.wave,
			level: oscillator.level,
			ratio: 2 ** (oscillator.detuneCents / 1200),
			// Pads are born with scattered phases; a single wave starts where it crosses zero.
			phase: patch.oscillators.length > 1 ? random.next() : 0,
		}));
		const vibratoPhase = random.next();
		const block = new Float32Array(CONTROL_SAMPLES);
		let gain = 0;
		for (let start = 0; start < sound.length; start += CONTROL_SAMPLES) {
			const seconds = start / SAMPLE_RATE;
			const length = Math.min(CONTROL_SAMPLES, sound.length - start);
			const bend = vibratoRatio(patch, seconds, vibratoPhase);
			block.fill(0);
			for (const oscillator of oscillators) {
				const increment = Math.min(0.45, (hz * oscillator.ratio * bend) / SAMPLE_RATE);
				oscillator.phase = addWave(block, oscillator.wave, oscillator.phase, increment, oscillator.level);
			}
			if (patch.noise > 0) {
				for (let index = 0; index < length; index++) block[index]! += random.between(-patch.noise, patch.noise);
			}
			if (patch.filter !== null) {
				filter.tune(cutoffHzAt(patch.filter, seconds, hz, tone.velocity), patch.filter.quality);
				filter.run("low", block);
			}
			const nextGain = tone.velocity * envelopeAt(patch, seconds + CONTROL_SAMPLES / SAMPLE_RATE, heldSeconds);
			const gainStep = (nextGain - gain) / CONTROL_SAMPLES;
			for (let index = 0; index < length; index++) {
				gain += gainStep;
				sound[start + index] = block[index]! * gain;
			}
		}
		return sound;
	};
}

function addWave(block: Float32Array, wave: Wave, startPhase: number, increment: number, level: number): number {
	let phase = startPhase;
	const width = wave === "pulse" ? 0.25 : 0.5;
	for (let index = 0; index < block.length; index++) {
		phase += increment;
		if (phase >= 1) phase -= 1;
		if (wave === "saw") block[index]! += level * (2 * phase - 1 - smoothStep(phase, increment));
		else if (wave === "sine") block[index]! += level * sineOfTurns(phase);
		else if (wave === "triangle") block[index]! += level * (1 - 4 * Math.abs(((phase + 0.25) % 1) - 0.5));
		else {
			const fall = phase + 1 - width;
			const edges = smoothStep(phase, increment) - smoothStep(fall >= 1 ? fall - 1 : fall, increment);
			block[index]! += level * ((phase < width ? 1 : -1) + edges + 1 - 2 * width);
		}
	}
	return phase;
}

function vibratoRatio(patch: Patch, seconds: number, phase: number): number {
	if (patch.vibrato === null) return 1;
	const depth = clamp((seconds - patch.vibrato.delaySeconds) / 0.4, 0, 1) * patch.vibrato.cents;
	return 2 ** ((depth * sineOfTurns(phase + seconds * patch.vibrato.hz)) / 1200);
}

function cutoffHzAt(filter: NonNullable<Patch["filter"]>, seconds: number, hz: number, velocity: number): number {
	const opening =
		seconds < filter.openSeconds
			? seconds / filter.openSeconds
			: Math.exp(-(seconds - filter.openSeconds) / filter.closeSeconds);
	const followed = filter.cutoffHz * (hz / MIDDLE_C_HZ) ** filter.follow;
	return followed * 2 ** (filter.openOctaves * opening * (0.4 + 0.6 * velocity));
}

function envelopeAt(patch: Patch, seconds: number, heldSeconds: number): number {
	if (seconds >= heldSeconds) {
		const left = clamp(1 - (seconds - heldSeconds) / patch.releaseSeconds, 0, 1);
		return soundingAt(patch, heldSeconds) * left * left;
	}
	return soundingAt(patch, seconds);
}

function soundingAt(patch: Patch, seconds: number): number {
	if (seconds < patch.attackSeconds) return seconds / patch.attackSeconds;
	return patch.sustain + (1 - patch.sustain) * Math.exp(-(seconds - patch.attackSeconds) / patch.decaySeconds);
}
