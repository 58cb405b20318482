import { SAMPLE_RATE, createFilter, pitchToHz, secondsToSamples, sineOfTurns, smoothStep } from "../dsp.ts";
import type { Instrument, Vowel } from "./instrument.ts";

/** Where a mouth resonates, Hz and level: three formants, rounded towards "ooh" because this voice hums. */
const FORMANTS: Readonly<Record<Vowel, readonly { readonly hz: number; readonly level: number }[]>> = {
	a: [
		{ hz: 660, level: 1 },
		{ hz: 1120, level: 0.5 },
		{ hz: 2500, level: 0.16 },
	],
	e: [
		{ hz: 440, level: 1 },
		{ hz: 1800, level: 0.28 },
		{ hz: 2550, level: 0.16 },
	],
	i: [
		{ hz: 320, level: 1 },
		{ hz: 2100, level: 0.18 },
		{ hz: 2900, level: 0.12 },
	],
	o: [
		{ hz: 430, level: 1 },
		{ hz: 820, level: 0.5 },
		{ hz: 2500, level: 0.1 },
	],
	u: [
		{ hz: 340, level: 1 },
		{ hz: 760, level: 0.32 },
		{ hz: 2400, level: 0.07 },
	],
};

interface Singer {
	readonly attackSeconds: number;
	readonly releaseSeconds: number;
	readonly breath: number;
	readonly vibratoCents: number;
	/** Singers in unison, a few cents apart. */
	readonly detunesCents: readonly number[];
}

const CONTROL_SAMPLES = 32;
/** The lips part in this time, so that a syllable begins like a soft "m". */
const OPENING_SECONDS = 0.09;
const FORMANT_QUALITY = 7;

function sing(singer: Singer): Instrument {
	return (tone, random) => {
		const hz = pitchToHz(tone.pitch);
		const heldSeconds = Math.max(0.05, tone.durationSeconds);
		const sound = new Float32Array(secondsToSamples(heldSeconds + singer.releaseSeconds));
		const formants = FORMANTS[tone.vowel ?? "u"].map(({ hz: formantHz, level }) => ({
			level,
			// A formant below the sung note would swallow it: singers open up with the pitch, and so does this one.
			filter: createFilter(Math.max(formantHz, hz * 1.02), FORMANT_QUALITY * (formantHz > 1500 ? 1.4 : 1)),
		}));
		const lips = createFilter(300, 0.7);
		const phases = singer.detunesCents.map(() => random.next());
		const vibratoPhase = random.next();
		const throat = new Float32Array(CONTROL_SAMPLES);
		const resonance = new Float32Array(CONTROL_SAMPLES);
		const scoopCents = random.between(-60, -15);
		for (let start = 0; start < sound.length; start += CONTROL_SAMPLES) {
			const seconds = start / SAMPLE_RATE;
			const vibrato = Math.min(1, Math.max(0, (seconds - 0.2) / 0.5)) * singer.vibratoCents;
			const bendCents = scoopCents * Math.exp(-seconds / 0.045) + vibrato * sineOfTurns(vibratoPhase + 5.2 * seconds);
			const opening = Math.min(1, seconds / OPENING_SECONDS);
			lips.tune(300 + 4700 * opening * opening, 0.7);
			const attack = Math.min(1, seconds / singer.attackSeconds);
			const release = Math.min(1, Math.max(0, (heldSeconds + singer.releaseSeconds - seconds) / singer.releaseSeconds));
			const gain = tone.velocity * Math.sin((attack * Math.PI) / 2) * release * release;
			for (let index = 0; index < CONTROL_SAMPLES; index++)
				throat[index] = random.between(-singer.breath, singer.breath);
			for (let person = 0; person < phases.length; person++) {
				const increment = (hz * 2 ** (((singer.detunesCents[person] ?? 0) + bendCents) / 1200)) / SAMPLE_RATE;
				phases[person] = addBuzz(throat, phases[person] ?? 0, increment);
			}
			lips.run("low", throat);
			const length = Math.min(CONTROL_SAMPLES, sound.length - start);
			for (let index = 0; index < length; index++) sound[start + index] = 0.05 * gain * throat[index]!;
			for (const formant of formants) {
				resonance.set(throat);
				formant.filter.run("band", resonance);
				const level = formant.level * gain;
				for (let index = 0; index < length; index++) sound[start + index]! += level * resonance[index]!;
			}
		}
		return evenOut(sound, tone.velocity);
	};
}

/** Vocal cords: a sawtooth, added to what is there. Returns the phase it stopped at. */
function addBuzz(throat: Float32Array, startPhase: number, increment: number): number {
	let phase = startPhase;
	for (let index = 0; index < throat.length; index++) {
		phase += increment;
		if (phase >= 1) phase -= 1;
		throat[index]! += 2 * phase - 1 - smoothStep(phase, increment);
	}
	return phase;
}

const SUNG_ENERGY = 0.2;

/** A singer is as loud on every note, wherever the resonances lie. */
function evenOut(sound: Float32Array, velocity: number): Float32Array {
	const energy = Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, sound.length));
	const gain = (SUNG_ENERGY * velocity) / Math.max(energy, 1e-6);
	for (let index = 0; index < sound.length; index++) {
		sound[index]! *= gain * Math.min(1, index / 200, (sound.length - 1 - index) / 400);
	}
	return sound;
}

export const voice = sing({
	attackSeconds: 0.07,
	releaseSeconds: 0.16,
	breath: 0.05,
	vibratoCents: 22,
	detunesCents: [-4, 5],
});

export const choir = sing({
	attackSeconds: 0.5,
	releaseSeconds: 0.9,
	breath: 0.06,
	vibratoCents: 14,
	detunesCents: [-13, -2, 12],
});
