import { SAMPLE_RATE, createFilter, pitchToHz, secondsToSamples } from "../dsp.ts";
import type { Random } from "../../random.ts";
import type { Instrument } from "./instrument.ts";

/** A string as Karplus and Strong model it: a burst of noise that runs round a delay line and loses its edge. */
interface PluckedString {
	/** 0 felt, 1 steel: how bright the pluck is. */
	readonly brightness: number;
	/** Time to fall by 60 dB at 220 Hz. */
	readonly ringSeconds: number;
	/** Where the string is plucked, as a share of its length: near the bridge is thin, the middle is round. */
	readonly pluckPosition: number;
	readonly releaseSeconds: number;
	/** The wood takes the edge off above this. */
	readonly bodyHz: number;
	/** Drive into a soft clipper, 0 for clean. */
	readonly drive: number;
}

const STRINGS = {
	nylonGuitar: {
		brightness: 0.35,
		ringSeconds: 2.4,
		pluckPosition: 0.28,
		releaseSeconds: 0.12,
		bodyHz: 3200,
		drive: 0,
	},
	steelGuitar: {
		brightness: 0.62,
		ringSeconds: 3.2,
		pluckPosition: 0.19,
		releaseSeconds: 0.12,
		bodyHz: 5200,
		drive: 0,
	},
	electricGuitar: {
		brightness: 0.7,
		ringSeconds: 4.5,
		pluckPosition: 0.13,
		releaseSeconds: 0.06,
		bodyHz: 3600,
		drive: 9,
	},
	harp: { brightness: 0.42, ringSeconds: 3.4, pluckPosition: 0.4, releaseSeconds: 0.9, bodyHz: 4200, drive: 0 },
	koto: { brightness: 0.85, ringSeconds: 2, pluckPosition: 0.09, releaseSeconds: 0.5, bodyHz: 6000, drive: 0 },
	banjo: { brightness: 0.95, ringSeconds: 0.9, pluckPosition: 0.11, releaseSeconds: 0.2, bodyHz: 5000, drive: 0 },
	pizzicato: { brightness: 0.4, ringSeconds: 0.5, pluckPosition: 0.3, releaseSeconds: 0.2, bodyHz: 2400, drive: 0 },
	uprightBass: { brightness: 0.22, ringSeconds: 1.6, pluckPosition: 0.34, releaseSeconds: 0.08, bodyHz: 750, drive: 0 },
	electricBass: {
		brightness: 0.45,
		ringSeconds: 2.6,
		pluckPosition: 0.22,
		releaseSeconds: 0.06,
		bodyHz: 1100,
		drive: 1.2,
	},
} as const satisfies Record<string, PluckedString>;

function excite(lengthSamples: number, string: PluckedString, velocity: number, random: Random): Float32Array {
	const noise = new Float32Array(lengthSamples);
	const openness = Math.min(1, string.brightness * (0.45 + 0.75 * velocity) + 0.05);
	let smooth = 0;
	let smoother = 0;
	for (let index = 0; index < lengthSamples; index++) {
		smooth += openness * (random.between(-1, 1) - smooth);
		smoother += openness * (smooth - smoother);
		noise[index] = smoother;
	}
	const comb = Math.max(1, Math.round(lengthSamples * string.pluckPosition));
	const plucked = noise.map((value, index) => value - noise[(index + lengthSamples - comb) % lengthSamples]!);
	const mean = plucked.reduce((sum, value) => sum + value, 0) / lengthSamples;
	const peak = plucked.reduce((most, value) => Math.max(most, Math.abs(value - mean)), 1e-6);
	return plucked.map((value) => (value - mean) / peak);
}

function pluck(string: PluckedString): Instrument {
	return (tone, random) => {
		const hz = pitchToHz(tone.pitch);
		const ringSeconds = string.ringSeconds * Math.min(1.6, Math.sqrt(220 / hz));
		const release = tone.durationSeconds + string.releaseSeconds * 5;
		const sound = new Float32Array(secondsToSamples(Math.min(release, ringSeconds * 1.2 + 0.1)));
		// The loop's low pass delays too, and an allpass makes up the fraction of a sample: the string is in tune.
		const damping = 0.5 - 0.38 * string.brightness;
		const period = SAMPLE_RATE / hz - damping;
		const lineLength = Math.max(2, Math.floor(period - 0.2));
		const fraction = period - lineLength;
		const allpass = (1 - fraction) / (1 + fraction);
		const loss = 10 ** (-3 / (hz * ringSeconds));
		const line = excite(lineLength, string, tone.velocity, random);

		const releaseSample = secondsToSamples(tone.durationSeconds);
		const releasePerSample = Math.exp(-1 / (string.releaseSeconds * SAMPLE_RATE));
		let gain = tone.velocity;
		let position = 0;
		let lastOut = 0;
		let allpassIn = 0;
		let allpassOut = 0;
		for (let index = 0; index < sound.length; index++) {
			const out = line[position]!;
			const low = loss * ((1 - damping) * out + damping * lastOut);
			lastOut = out;
			const tuned = allpass * (low - allpassOut) + allpassIn;
			allpassIn = low;
			allpassOut = tuned;
			line[position] = tuned;
			position = position + 1 === lineLength ? 0 : position + 1;
			if (index > releaseSample) gain *= releasePerSample;
			sound[index] = (string.drive > 0 ? Math.tanh(out * string.drive) : out) * gain;
		}
		createFilter(string.bodyHz * (0.7 + 0.5 * tone.velocity), 0.75).run("low", sound);
		return smoothEnds(sound);
	};
}

function smoothEnds(sound: Float32Array): Float32Array {
	for (let index = 0; index < Math.min(24, sound.length); index++) sound[index]! *= index / 24;
	const fade = Math.min(600, sound.length);
	for (let index = 0; index < fade; index++) sound[sound.length - 1 - index]! *= index / fade;
	return sound;
}

export const nylonGuitar = pluck(STRINGS.nylonGuitar);
export const steelGuitar = pluck(STRINGS.steelGuitar);
export const electricGuitar = pluck(STRINGS.electricGuitar);
export const harp = pluck(STRINGS.harp);
export const koto = pluck(STRINGS.koto);
export const banjo = pluck(STRINGS.banjo);
export const pizzicato = pluck(STRINGS.pizzicato);
export const uprightBass = pluck(STRINGS.uprightBass);
export const electricBass = pluck(STRINGS.electricBass);
