import { type FilterShape, SAMPLE_RATE, createFilter, secondsToSamples, sineOfTurns } from "../dsp.ts";
import type { Instrument } from "./instrument.ts";

const decayed = (seconds: number, decaySeconds: number): number => Math.exp(-seconds / decaySeconds);

/** Fills a hit sample by sample; begins and ends in silence. */
function hit(lengthSeconds: number, sampleAt: (seconds: number) => number): Float32Array {
	const sound = new Float32Array(secondsToSamples(lengthSeconds));
	for (let index = 0; index < sound.length; index++) {
		const edge = Math.min(1, (index + 1) / 12, (sound.length - 1 - index) / 300);
		sound[index] = sampleAt(index / SAMPLE_RATE) * edge;
	}
	return sound;
}

/** Turns of an oscillator that falls from one pitch to another. */
const fallingTurns = (seconds: number, endHz: number, dropHz: number, dropSeconds: number): number =>
	endHz * seconds + dropHz * dropSeconds * (1 - Math.exp(-seconds / dropSeconds));

function kick(endHz: number, dropHz: number, decaySeconds: number, click: number): Instrument {
	return (tone, random) =>
		hit(decaySeconds * 4, (seconds) => {
			const body = sineOfTurns(fallingTurns(seconds, endHz, dropHz, 0.028)) * decayed(seconds, decaySeconds);
			const beater = click * random.between(-1, 1) * decayed(seconds, 0.004);
			return tone.velocity * Math.tanh(1.5 * (body + beater));
		});
}

/** Noise, or any raw sound, through a filter. */
function filtered(
	lengthSeconds: number,
	shape: FilterShape,
	cutoffHz: number,
	quality: number,
	rawAt: (seconds: number) => number,
): Float32Array {
	const sound = new Float32Array(secondsToSamples(lengthSeconds));
	for (let index = 0; index < sound.length; index++) sound[index] = rawAt(index / SAMPLE_RATE);
	createFilter(cutoffHz, quality).run(shape, sound);
	return sound;
}

const sampleOf = (sound: Float32Array, seconds: number): number => sound[Math.round(seconds * SAMPLE_RATE)] ?? 0;

function snare(toneHz: number, toneLevel: number, noiseSeconds: number, brightHz: number): Instrument {
	return (tone, random) => {
		const length = noiseSeconds * 5;
		const wires = filtered(length, "high", brightHz, 0.6, () => random.between(-1, 1));
		return hit(length, (seconds) => {
			const head =
				toneLevel *
				(sineOfTurns(fallingTurns(seconds, toneHz, 80, 0.02)) + 0.5 * sineOfTurns(seconds * toneHz * 1.78)) *
				decayed(seconds, 0.07);
			const rattle = sampleOf(wires, seconds) * decayed(seconds, noiseSeconds);
			return tone.velocity * 0.8 * (head + rattle * (0.5 + 0.5 * tone.velocity));
		});
	};
}

/** Six square waves at inharmonic pitches and some noise, all above the given pitch: metal. */
const METAL_HZ = [205.3, 304.4, 369.6, 522.7, 540, 800] as const;

function metal(aboveHz: number, decaySeconds: number, noise: number, tail: number): Instrument {
	return (tone, random) => {
		const length = decaySeconds * 4;
		const raw = filtered(length, "high", aboveHz, 0.8, (seconds) => {
			let ring = 0;
			for (const hz of METAL_HZ) {
				const turns = seconds * hz * 6.1;
				ring += turns - Math.floor(turns) < 0.5 ? 1 : -1;
			}
			return (ring / METAL_HZ.length) * (1 - noise) + random.between(-noise, noise);
		});
		return hit(length, (seconds) => {
			const fall = (1 - tail) * decayed(seconds, decaySeconds * 0.35) + tail * decayed(seconds, decaySeconds);
			return tone.velocity * sampleOf(raw, seconds) * fall;
		});
	};
}

function noiseBand(
	centreHz: number,
	quality: number,
	shapeAt: (seconds: number) => number,
	lengthSeconds: number,
): Instrument {
	return (tone, random) => {
		const raw = filtered(lengthSeconds, "band", centreHz, quality, () => random.between(-1, 1));
		return hit(lengthSeconds, (seconds) => tone.velocity * sampleOf(raw, seconds) * shapeAt(seconds));
	};
}

/** Hands never meet at once: three quick bursts, then the room. */
const clapShape = (seconds: number): number =>
	[0, 0.011, 0.022].reduce((sum, start) => sum + (seconds >= start ? decayed(seconds - start, 0.004) : 0), 0) +
	(seconds >= 0.03 ? 0.8 * decayed(seconds - 0.03, 0.06) : 0);

/** A brush is drawn over the head before it lifts. */
const sweepShape = (seconds: number): number =>
	Math.sin(Math.min(1, seconds / 0.09) * Math.PI * 0.5) * decayed(seconds, 0.085);

const shakeShape = (seconds: number): number =>
	Math.min(1, seconds / 0.025) * decayed(Math.max(0, seconds - 0.025), 0.03);

const rim: Instrument = (tone) =>
	hit(0.12, (seconds) => {
		const wood = sineOfTurns(seconds * 1720) + 0.7 * sineOfTurns(seconds * 820);
		return tone.velocity * 0.6 * wood * decayed(seconds, 0.012);
	});
/** Pitched by the note, like the toms of a kit. */
const tom: Instrument = (tone, random) => {
	const hz = 60 * 2 ** ((tone.pitch - 36) / 12);
	return hit(0.6, (seconds) => {
		const body = sineOfTurns(fallingTurns(seconds, hz, hz * 0.8, 0.04)) * decayed(seconds, 0.14);
		return tone.velocity * (body + 0.12 * random.between(-1, 1) * decayed(seconds, 0.02));
	});
};

/** The kit: everything that is hit and has no place in the harmony. */
export const DRUMS = {
	kickAcoustic: kick(52, 160, 0.11, 0.35),
	kickElectronic: kick(46, 290, 0.15, 0.2),
	kickSoft: kick(50, 90, 0.1, 0.06),
	snareAcoustic: snare(188, 0.6, 0.1, 1700),
	snareElectronic: snare(170, 0.5, 0.15, 1400),
	snareSoft: snare(200, 0.45, 0.055, 2300),
	snareMarch: snare(240, 0.3, 0.06, 2100),
	hatClosed: metal(7200, 0.06, 0.55, 0.3),
	hatOpen: metal(6800, 0.28, 0.55, 0.6),
	ride: metal(5200, 0.5, 0.3, 0.35),
	crash: metal(3600, 0.9, 0.7, 0.7),
	clap: noiseBand(1350, 1.4, clapShape, 0.4),
	brush: noiseBand(3600, 0.6, sweepShape, 0.4),
	shaker: noiseBand(6400, 1.2, shakeShape, 0.18),
	noiseHat: noiseBand(8000, 0.5, (seconds) => decayed(seconds, 0.03), 0.12),
	noiseSnare: noiseBand(2600, 0.4, (seconds) => decayed(seconds, 0.07), 0.3),
	rim,
	tom,
} as const satisfies Record<string, Instrument>;

export type DrumName = keyof typeof DRUMS;
