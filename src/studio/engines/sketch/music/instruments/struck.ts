import { SAMPLE_RATE, pitchToHz, secondsToSamples } from "../dsp.ts";
import type { Instrument } from "./instrument.ts";

/** Bars, bells and strings that are hit: a sum of decaying partials. */
interface StruckBody {
	readonly partials: readonly { readonly ratio: number; readonly level: number; readonly decaySeconds: number }[];
	/** Noise of the mallet or hammer, 0 for none. */
	readonly knock: number;
	/** How fast the sound dies when the key is let go; null rings on. */
	readonly damperSeconds: number | null;
	/** How much softer strokes lose their upper partials. */
	readonly softness: number;
	readonly ringSecondsMax: number;
}

/** Upper strings of a piano are stiff, so their partials are a little sharp. */
function pianoPartials(): StruckBody["partials"] {
	const stiffness = 0.000_35;
	return Array.from({ length: 14 }, (_, index) => {
		const harmonic = index + 1;
		const ratio = harmonic * Math.sqrt((1 + stiffness * harmonic * harmonic) / (1 + stiffness));
		return { ratio, level: harmonic ** -1.02 * (harmonic === 7 ? 0.3 : 1), decaySeconds: 2.6 / harmonic ** 0.75 };
	});
}

const PIANO: StruckBody = {
	partials: pianoPartials(),
	knock: 0.05,
	damperSeconds: 0.12,
	softness: 1.1,
	ringSecondsMax: 6,
};

const MUSIC_BOX: StruckBody = {
	partials: [
		{ ratio: 1, level: 1, decaySeconds: 1.5 },
		{ ratio: 2.01, level: 0.22, decaySeconds: 0.8 },
		{ ratio: 5.42, level: 0.2, decaySeconds: 0.25 },
		{ ratio: 8.9, level: 0.06, decaySeconds: 0.08 },
	],
	knock: 0.02,
	damperSeconds: null,
	softness: 0.5,
	ringSecondsMax: 3,
};

const VIBRAPHONE: StruckBody = {
	partials: [
		{ ratio: 1, level: 1, decaySeconds: 1.9 },
		{ ratio: 3.98, level: 0.25, decaySeconds: 0.5 },
		{ ratio: 10.1, level: 0.05, decaySeconds: 0.08 },
	],
	knock: 0.015,
	damperSeconds: 0.35,
	softness: 0.6,
	ringSecondsMax: 4,
};

const MARIMBA: StruckBody = {
	partials: [
		{ ratio: 1, level: 1, decaySeconds: 0.45 },
		{ ratio: 3.93, level: 0.3, decaySeconds: 0.12 },
		{ ratio: 9.2, level: 0.08, decaySeconds: 0.04 },
	],
	knock: 0.04,
	damperSeconds: null,
	softness: 0.6,
	ringSecondsMax: 1.5,
};

const BELLS: StruckBody = {
	partials: [
		{ ratio: 0.5, level: 0.25, decaySeconds: 3 },
		{ ratio: 1, level: 1, decaySeconds: 2.4 },
		{ ratio: 1.19, level: 0.22, decaySeconds: 1.6 },
		{ ratio: 2, level: 0.5, decaySeconds: 1.5 },
		{ ratio: 2.51, level: 0.14, decaySeconds: 0.9 },
		{ ratio: 4.02, level: 0.12, decaySeconds: 0.5 },
	],
	knock: 0.01,
	damperSeconds: null,
	softness: 0.7,
	ringSecondsMax: 5,
};

const QUIET = 0.001;
const KNOCK_SECONDS = 0.012;

function strike(body: StruckBody): Instrument {
	return (tone, random) => {
		const baseHz = pitchToHz(tone.pitch);
		// Low notes ring longer than high ones.
		const ringScale = Math.min(1.8, Math.sqrt(330 / baseHz));
		const release = body.damperSeconds === null ? body.ringSecondsMax : tone.durationSeconds + body.damperSeconds * 4;
		const sound = new Float32Array(secondsToSamples(Math.min(body.ringSecondsMax, release)));
		for (const partial of body.partials) {
			const turnsPerSample = (baseHz * partial.ratio) / SAMPLE_RATE;
			if (turnsPerSample > 0.42) continue;
			const softened = partial.level * tone.velocity ** (body.softness * Math.log2(1 + partial.ratio) * 0.6);
			addPartial(sound, turnsPerSample * 2 * Math.PI, softened, partial.decaySeconds * ringScale);
		}
		for (let index = 0; index < Math.min(sound.length, secondsToSamples(KNOCK_SECONDS)); index++) {
			sound[index]! += random.between(-body.knock, body.knock) * (1 - index / secondsToSamples(KNOCK_SECONDS));
		}
		if (body.damperSeconds !== null) damp(sound, secondsToSamples(tone.durationSeconds), body.damperSeconds);
		return fadeEdges(sound, tone.velocity);
	};
}

/** A two-pole resonator rings as a decaying sine at the price of two multiplications a sample. */
function addPartial(sound: Float32Array, radiansPerSample: number, level: number, decaySeconds: number): void {
	const radius = Math.exp(-1 / (decaySeconds * SAMPLE_RATE));
	const feedback1 = 2 * radius * Math.cos(radiansPerSample);
	const feedback2 = -radius * radius;
	let before = 0;
	let current = level * Math.sin(radiansPerSample);
	const audible = Math.min(sound.length, secondsToSamples(decaySeconds * Math.log(Math.max(level, QUIET) / QUIET)));
	for (let index = 0; index < audible; index++) {
		sound[index]! += current;
		const next = feedback1 * current + feedback2 * before;
		before = current;
		current = next;
	}
}

function damp(sound: Float32Array, fromSample: number, damperSeconds: number): void {
	const perSample = Math.exp(-1 / (damperSeconds * SAMPLE_RATE));
	let gain = 1;
	for (let index = fromSample; index < sound.length; index++) {
		gain *= perSample;
		sound[index]! *= gain;
	}
}

const ATTACK_SAMPLES = 40;
const END_SAMPLES = 400;

function fadeEdges(sound: Float32Array, velocity: number): Float32Array {
	for (let index = 0; index < sound.length; index++) {
		const edge = Math.min(1, index / ATTACK_SAMPLES, (sound.length - 1 - index) / END_SAMPLES);
		sound[index]! *= velocity * edge;
	}
	return sound;
}

export const piano = strike(PIANO);
export const musicBox = strike(MUSIC_BOX);
export const vibraphone = strike(VIBRAPHONE);
export const marimba = strike(MARIMBA);
export const bells = strike(BELLS);
