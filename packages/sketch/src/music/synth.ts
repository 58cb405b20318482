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
	/** Seconds, but for `sustain`, which is a level. */
	readonly attack: number;
	readonly decay: number;
	readonly sustain: number;
	readonly release: number;
	/** Hz where the low-pass begins and how many octaves its envelope opens it. */
	readonly cutoff: number;
	readonly opens?: number;
	readonly detune?: number;
	readonly vibrato?: number;
	readonly duty?: number;
	/** How much of it goes into the reverb. */
	readonly room: number;
}

export type PatchName = keyof typeof patches;

export interface PlayedNote {
	readonly part: "melody" | "chords" | "bass" | "drums";
	readonly patch: PatchName;
	readonly startSeconds: number;
	readonly seconds: number;
	readonly midi: number;
	/** 0 to 1. */
	readonly velocity: number;
	/** -1 left, 1 right. */
	readonly pan: number;
}

const PATCHES = patches as Readonly<Record<PatchName, Patch>>;

/** Plays notes into one recording, with a room around them. */
export function play(notes: readonly PlayedNote[], seconds: number, seed: string): Sound {
	const length = Math.round(seconds * SAMPLE_RATE);
	const dry: Sound = { left: new Float32Array(length), right: new Float32Array(length) };
	const send = new Float32Array(length);
	const random = createRandom(seed);
	for (const note of notes) {
		const patch = PATCHES[note.patch];
		const start = Math.round(note.startSeconds * SAMPLE_RATE);
		const count = Math.min(length - start, Math.ceil((note.seconds + patch.release) * SAMPLE_RATE));
		if (start < 0 || count <= 0) continue;
		const samples = voiceOf(patch, note, count, () => random.next());
		const left = Math.cos(((note.pan + 1) * Math.PI) / 4);
		const right = Math.sin(((note.pan + 1) * Math.PI) / 4);
		for (let at = 0; at < count; at++) {
			const sample = samples[at]!;
			dry.left[start + at]! += sample * left;
			dry.right[start + at]! += sample * right;
			send[start + at]! += sample * patch.room;
		}
	}
	addReverb(dry, send);
	return dry;
}

function voiceOf(patch: Patch, note: PlayedNote, count: number, next: () => number): Float32Array {
	const out = new Float32Array(count);
	const frequency = 440 * 2 ** ((note.midi - 69) / 12);
	const raw = rawWave(patch, note, frequency, count, next);
	const held = Math.min(note.seconds, count / SAMPLE_RATE);
	const gain = patch.gain * note.velocity;
	let low = 0;
	let band = 0;
	let coefficient = 0;
	let level = 0;
	let previous = 0;
	const isHighPassed = note.patch === "hat";
	for (let at = 0; at < count; at++) {
		const t = at / SAMPLE_RATE;
		if (at % 16 === 0) {
			level = envelope(patch, Math.min(t, held));
			if (t > held) level *= Math.max(0, 1 - (t - held) / patch.release) ** 2;
			const cutoff = Math.min(16_000, patch.cutoff * 2 ** ((patch.opens ?? 0) * level) * (0.7 + 0.3 * note.velocity));
			coefficient = 2 * Math.sin((Math.PI * Math.min(cutoff, SAMPLE_RATE / 6.5)) / SAMPLE_RATE);
		}
		const sample = raw[at]!;
		low += coefficient * band;
		band += coefficient * (sample - low - 1.1 * band);
		const filtered = isHighPassed ? sample - previous : low;
		previous = sample;
		out[at] = filtered * level * gain;
	}
	// No click where a note begins or is cut off by the end.
	const fade = Math.min(220, count);
	for (let at = 0; at < fade; at++) out[count - 1 - at]! *= at / fade;
	return out;
}

function envelope({ attack, decay, sustain }: Patch, t: number): number {
	if (t < attack) return t / attack;
	return sustain + (1 - sustain) * Math.exp((-3 * (t - attack)) / decay);
}

function rawWave(patch: Patch, note: PlayedNote, frequency: number, count: number, next: () => number): Float32Array {
	const out = new Float32Array(count);
	const step = frequency / SAMPLE_RATE;
	switch (patch.wave) {
		case "noise": {
			const tone = note.patch === "snare" ? 185 : 0;
			for (let at = 0; at < count; at++)
				out[at] =
					(next() * 2 - 1) * 0.9 +
					(tone > 0 ? 0.7 * Math.sin((2 * Math.PI * tone * at) / SAMPLE_RATE) * Math.exp(-at / 3000) : 0);
			return out;
		}
		case "drum": {
			let phase = 0;
			const base = note.patch === "kick" ? 46 : frequency;
			for (let at = 0; at < count; at++) {
				const t = at / SAMPLE_RATE;
				phase += (base * (1 + 3.2 * Math.exp(-t * 38))) / SAMPLE_RATE;
				out[at] = Math.sin(2 * Math.PI * phase) + (at < 90 ? (next() - 0.5) * 0.5 : 0);
			}
			return out;
		}
		case "pluck": {
			// Karplus and Strong: a burst of noise that a string's length lets through again and again.
			const period = Math.max(2, Math.round(SAMPLE_RATE / frequency));
			const string = Float32Array.from({ length: period }, () => next() * 2 - 1);
			for (let at = 0; at < count; at++) {
				const slot = at % period;
				out[at] = string[slot]!;
				string[slot] = 0.4985 * (string[slot]! + string[(slot + 1) % period]!);
			}
			return out;
		}
		case "fm": {
			const ratio = note.patch === "bell" ? 3.5 : 1;
			for (let at = 0; at < count; at++) {
				const t = at / SAMPLE_RATE;
				const index = (note.patch === "bell" ? 1.3 : 1.6) * Math.exp(-t * 3.2) * note.velocity;
				out[at] = Math.sin(2 * Math.PI * frequency * t + index * Math.sin(2 * Math.PI * frequency * ratio * t));
			}
			return out;
		}
		case "sine":
		case "triangle":
		case "saw":
		case "square": {
			const first = oscillator(patch.wave, step, patch, count);
			if (patch.detune === undefined) return first;
			for (const [cents, from] of [
				[patch.detune, 0.31],
				[-patch.detune, 0.67],
			] as const) {
				const other = oscillator(patch.wave, step * 2 ** (cents / 1200), patch, count, from);
				for (let at = 0; at < count; at++) first[at] = first[at]! + other[at]! * 0.7;
			}
			return first;
		}
	}
}

function oscillator(
	wave: "sine" | "triangle" | "saw" | "square",
	step: number,
	{ vibrato = 0, duty = 0.5 }: Patch,
	count: number,
	from = 0,
): Float32Array {
	const out = new Float32Array(count);
	let phase = from;
	for (let at = 0; at < count; at++) {
		const t = at / SAMPLE_RATE;
		const now = vibrato > 0 ? step * (1 + vibrato * Math.sin(2 * Math.PI * 5.3 * t) * Math.min(1, t * 2.5)) : step;
		phase += now;
		phase -= Math.floor(phase);
		if (wave === "sine") out[at] = Math.sin(2 * Math.PI * phase);
		else if (wave === "triangle") out[at] = 4 * Math.abs(phase - 0.5) - 1;
		else if (wave === "saw") out[at] = 2 * phase - 1 - blep(phase, now);
		else out[at] = (phase < duty ? 1 : -1) + blep(phase, now) - blep((phase - duty + 1) % 1, now);
	}
	return out;
}

/** Rounds the edge of a wave, so that it does not alias. */
function blep(phase: number, step: number): number {
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

const COMBS = [1557, 1617, 1491, 1422, 1277, 1356];
const ALLPASSES = [225, 556, 441];
const STEREO_SPREAD = 23;

/** Schroeder's reverberator: combs that ring, all-passes that blur. */
function addReverb({ left, right }: Sound, send: Float32Array): void {
	for (const [channel, spread] of [
		[left, 0],
		[right, STEREO_SPREAD],
	] as const) {
		let wet = new Float32Array(send.length);
		for (const delay of COMBS) {
			const buffer = new Float32Array(delay + spread);
			let damped = 0;
			for (let at = 0, slot = 0; at < send.length; at++, slot = slot + 1 === buffer.length ? 0 : slot + 1) {
				const echo = buffer[slot]!;
				damped = echo * 0.72 + damped * 0.28;
				buffer[slot] = send[at]! + damped * 0.82;
				wet[at] = wet[at]! + echo;
			}
		}
		for (const delay of ALLPASSES) {
			const buffer = new Float32Array(delay + spread);
			const passed = new Float32Array(send.length);
			for (let at = 0, slot = 0; at < send.length; at++, slot = slot + 1 === buffer.length ? 0 : slot + 1) {
				const echo = buffer[slot]!;
				passed[at] = echo - wet[at]! * 0.5;
				buffer[slot] = wet[at]! + echo * 0.5;
			}
			wet = passed;
		}
		for (let at = 0; at < channel.length; at++) channel[at] = channel[at]! + wet[at]! * 0.22;
	}
}
