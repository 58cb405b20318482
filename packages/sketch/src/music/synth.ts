import patches from "../../assets/music/patches.json" with { type: "json" };
import { createRandom } from "../random.ts";

export const SAMPLE_RATE = 44_100;

/** Stereo sound, samples from -1 to 1; both channels have the same length. */
export interface Sound {
	readonly left: Float32Array;
	readonly right: Float32Array;
}

interface Patch {
	readonly wave: "sine" | "triangle" | "saw" | "square" | "fm" | "pluck" | "noise" | "drum";
	readonly gain: number;
	/** `attack`, `decay` and `release` are in seconds; `sustain` is a level. */
	readonly attack: number;
	readonly decay: number;
	readonly sustain: number;
	readonly release: number;
	/** The cutoff of the low-pass filter, in Hz. */
	readonly cutoff: number;
	/** Octaves by which the envelope raises the cutoff. */
	readonly cutoffOctaves?: number;
	/** The distance of two more oscillators above and below the pitch, in cents. */
	readonly detune?: number;
	/** The largest deviation of the pitch, as a share of the frequency. */
	readonly vibrato?: number;
	/** The share of a period in which a square wave is high. */
	readonly duty?: number;
	/** Of an FM wave: the frequency of the modulator as a multiple of the pitch, and the depth of the modulation at its start, in radians. */
	readonly modulatorRatio?: number;
	readonly modulatorDepth?: number;
	/** In Hz: of a drum, in place of the pitch of the note; of a noise, that of a short tone in it. */
	readonly frequency?: number;
	/** Replaces the low-pass filter by a high-pass filter. */
	readonly isHighPassed?: boolean;
	/** The share of the sound that goes into the reverb. */
	readonly reverb: number;
}

export type PatchName = keyof typeof patches;

export interface PlayedNote {
	readonly part: "melody" | "chords" | "bass" | "drums";
	readonly patch: PatchName;
	readonly startSeconds: number;
	readonly seconds: number;
	/** The pitch as a MIDI note number; 69 is 440 Hz. */
	readonly midi: number;
	/** 0 to 1. */
	readonly velocity: number;
	/** From -1 (left) to 1 (right). */
	readonly pan: number;
}

const PATCHES = patches as Readonly<Record<PatchName, Patch>>;

/** Renders the notes, with reverb. */
export function play(notes: readonly PlayedNote[], seconds: number, seed: string): Sound {
	const length = Math.round(seconds * SAMPLE_RATE);
	const dry: Sound = { left: new Float32Array(length), right: new Float32Array(length) };
	const reverbInput = new Float32Array(length);
	const random = createRandom(seed);
	for (const note of notes) {
		const patch = PATCHES[note.patch];
		const start = Math.round(note.startSeconds * SAMPLE_RATE);
		const count = Math.min(length - start, Math.ceil((note.seconds + patch.release) * SAMPLE_RATE));
		if (start < 0 || count <= 0) continue;
		const samples = renderNote(patch, note, count, () => random.next());
		// Equal-power panning: the loudness does not depend on the position.
		const leftGain = Math.cos(((note.pan + 1) * Math.PI) / 4);
		const rightGain = Math.sin(((note.pan + 1) * Math.PI) / 4);
		for (let index = 0; index < count; index++) {
			const sample = samples[index]!;
			dry.left[start + index]! += sample * leftGain;
			dry.right[start + index]! += sample * rightGain;
			reverbInput[start + index]! += sample * patch.reverb;
		}
	}
	addReverb(dry, reverbInput);
	return dry;
}

/** Renders one note: a wave through a state-variable filter and an envelope. */
function renderNote(patch: Patch, note: PlayedNote, count: number, nextRandom: () => number): Float32Array {
	const samples = new Float32Array(count);
	const frequency = 440 * 2 ** ((note.midi - 69) / 12);
	const raw = rawWave(patch, note, frequency, count, nextRandom);
	const heldSeconds = Math.min(note.seconds, count / SAMPLE_RATE);
	const gain = patch.gain * note.velocity;
	// The state of the filter: its low-pass and band-pass outputs.
	let low = 0;
	let band = 0;
	let filterStep = 0;
	let level = 0;
	let previous = 0;
	for (let index = 0; index < count; index++) {
		const seconds = index / SAMPLE_RATE;
		// Envelope and cutoff change slowly, so every sixteenth sample is enough.
		if (index % 16 === 0) {
			level = envelope(patch, Math.min(seconds, heldSeconds));
			if (seconds > heldSeconds) level *= Math.max(0, 1 - (seconds - heldSeconds) / patch.release) ** 2;
			const cutoff = Math.min(
				16_000,
				patch.cutoff * 2 ** ((patch.cutoffOctaves ?? 0) * level) * (0.7 + 0.3 * note.velocity),
			);
			filterStep = 2 * Math.sin((Math.PI * Math.min(cutoff, SAMPLE_RATE / 6.5)) / SAMPLE_RATE);
		}
		const sample = raw[index]!;
		low += filterStep * band;
		band += filterStep * (sample - low - 1.1 * band);
		const filtered = patch.isHighPassed ? sample - previous : low;
		previous = sample;
		samples[index] = filtered * level * gain;
	}
	// Fades out over 5 ms, so that a note that is cut off does not click.
	const fadeSamples = Math.min(220, count);
	for (let index = 0; index < fadeSamples; index++) samples[count - 1 - index]! *= index / fadeSamples;
	return samples;
}

/** Returns the level of a held note, from 0 to 1. */
function envelope({ attack, decay, sustain }: Patch, seconds: number): number {
	if (seconds < attack) return seconds / attack;
	return sustain + (1 - sustain) * Math.exp((-3 * (seconds - attack)) / decay);
}

/** Renders the wave of a note, before filter and envelope. */
function rawWave(
	patch: Patch,
	note: PlayedNote,
	frequency: number,
	count: number,
	nextRandom: () => number,
): Float32Array {
	const out = new Float32Array(count);
	const step = frequency / SAMPLE_RATE;
	switch (patch.wave) {
		case "noise": {
			const tone = patch.frequency ?? 0;
			for (let index = 0; index < count; index++)
				out[index] =
					(nextRandom() * 2 - 1) * 0.9 +
					(tone > 0 ? 0.7 * Math.sin((2 * Math.PI * tone * index) / SAMPLE_RATE) * Math.exp(-index / 3000) : 0);
			return out;
		}
		case "drum": {
			let phase = 0;
			const base = patch.frequency ?? frequency;
			for (let index = 0; index < count; index++) {
				const t = index / SAMPLE_RATE;
				phase += (base * (1 + 3.2 * Math.exp(-t * 38))) / SAMPLE_RATE;
				out[index] = Math.sin(2 * Math.PI * phase) + (index < 90 ? (nextRandom() - 0.5) * 0.5 : 0);
			}
			return out;
		}
		case "pluck": {
			// Karplus-Strong synthesis: a burst of noise repeats in a delay line of the string's length.
			const period = Math.max(2, Math.round(SAMPLE_RATE / frequency));
			const string = Float32Array.from({ length: period }, () => nextRandom() * 2 - 1);
			for (let index = 0; index < count; index++) {
				const slot = index % period;
				out[index] = string[slot]!;
				string[slot] = 0.4985 * (string[slot]! + string[(slot + 1) % period]!);
			}
			return out;
		}
		case "fm": {
			const { modulatorRatio = 1, modulatorDepth = 1 } = patch;
			for (let index = 0; index < count; index++) {
				const t = index / SAMPLE_RATE;
				const modulation = modulatorDepth * Math.exp(-t * 3.2) * note.velocity;
				out[index] = Math.sin(
					2 * Math.PI * frequency * t + modulation * Math.sin(2 * Math.PI * frequency * modulatorRatio * t),
				);
			}
			return out;
		}
		case "sine":
		case "triangle":
		case "saw":
		case "square": {
			const mix = oscillator(patch.wave, step, patch, count);
			if (patch.detune === undefined) return mix;
			for (const [cents, startPhase] of [
				[patch.detune, 0.31],
				[-patch.detune, 0.67],
			] as const) {
				const other = oscillator(patch.wave, step * 2 ** (cents / 1200), patch, count, startPhase);
				for (let index = 0; index < count; index++) mix[index] = mix[index]! + other[index]! * 0.7;
			}
			return mix;
		}
	}
}

/** Renders a periodic wave. `step` is the share of a period per sample. */
function oscillator(
	wave: "sine" | "triangle" | "saw" | "square",
	step: number,
	{ vibrato = 0, duty = 0.5 }: Patch,
	count: number,
	startPhase = 0,
): Float32Array {
	const out = new Float32Array(count);
	let phase = startPhase;
	for (let index = 0; index < count; index++) {
		const t = index / SAMPLE_RATE;
		const vibratoStep =
			vibrato > 0 ? step * (1 + vibrato * Math.sin(2 * Math.PI * 5.3 * t) * Math.min(1, t * 2.5)) : step;
		phase += vibratoStep;
		phase -= Math.floor(phase);
		if (wave === "sine") out[index] = Math.sin(2 * Math.PI * phase);
		else if (wave === "triangle") out[index] = 4 * Math.abs(phase - 0.5) - 1;
		else if (wave === "saw") out[index] = 2 * phase - 1 - polyBlep(phase, vibratoStep);
		else
			out[index] =
				(phase < duty ? 1 : -1) + polyBlep(phase, vibratoStep) - polyBlep((phase - duty + 1) % 1, vibratoStep);
	}
	return out;
}

/** PolyBLEP: smooths the edge of a wave, so that it does not alias. */
function polyBlep(phase: number, step: number): number {
	if (phase < step) {
		const t = phase / step;
		return t + t - t * t - 1;
	}
	if (phase > 1 - step) {
		const t = (phase - 1) / step;
		return t * t + t + t + 1;
	}
	return 0;
}

/** Delays of Freeverb: without a common divisor, so that echoes do not coincide. */
const COMB_DELAYS_SAMPLES = [1557, 1617, 1491, 1422, 1277, 1356];
const ALLPASS_DELAYS_SAMPLES = [225, 556, 441];
/** The delays of the right channel are longer by this, so that the reverb sounds wide. */
const STEREO_SPREAD_SAMPLES = 23;

/** Schroeder's reverberator: parallel comb filters, then all-pass filters. */
function addReverb({ left, right }: Sound, reverbInput: Float32Array): void {
	for (const [channel, spread] of [
		[left, 0],
		[right, STEREO_SPREAD_SAMPLES],
	] as const) {
		let wet = new Float32Array(reverbInput.length);
		for (const delay of COMB_DELAYS_SAMPLES) {
			const buffer = new Float32Array(delay + spread);
			let damped = 0;
			for (let index = 0; index < reverbInput.length; index++) {
				const slot = index % buffer.length;
				const echo = buffer[slot]!;
				damped = echo * 0.72 + damped * 0.28;
				buffer[slot] = reverbInput[index]! + damped * 0.82;
				wet[index] = wet[index]! + echo;
			}
		}
		for (const delay of ALLPASS_DELAYS_SAMPLES) {
			const buffer = new Float32Array(delay + spread);
			const passed = new Float32Array(reverbInput.length);
			for (let index = 0; index < reverbInput.length; index++) {
				const slot = index % buffer.length;
				const echo = buffer[slot]!;
				passed[index] = echo - wet[index]! * 0.5;
				buffer[slot] = wet[index]! + echo * 0.5;
			}
			wet = passed;
		}
		for (let index = 0; index < channel.length; index++) channel[index] = channel[index]! + wet[index]! * 0.22;
	}
}
