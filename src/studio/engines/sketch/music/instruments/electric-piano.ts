import { SAMPLE_RATE, pitchToHz, secondsToSamples, sineOfTurns } from "../dsp.ts";
import type { Instrument } from "./instrument.ts";

const RELEASE_SECONDS = 0.14;

/** Frequency modulation: a body that mellows as it decays, and the short chime of the tine above it. */
export const electricPiano: Instrument = (tone) => {
	const hz = pitchToHz(tone.pitch);
	const step = hz / SAMPLE_RATE;
	const decaySeconds = Math.min(3, 1.5 * Math.sqrt(330 / hz));
	const heldSamples = secondsToSamples(tone.durationSeconds);
	const sound = new Float32Array(heldSamples + secondsToSamples(RELEASE_SECONDS * 5));
	const bodyPerSample = Math.exp(-1 / (decaySeconds * SAMPLE_RATE));
	const tinePerSample = Math.exp(-1 / (0.09 * SAMPLE_RATE));
	const brightPerSample = Math.exp(-1 / (0.45 * SAMPLE_RATE));
	const releasePerSample = Math.exp(-1 / (RELEASE_SECONDS * SAMPLE_RATE));
	const tineRatio = hz * 14 < SAMPLE_RATE * 0.4 ? 14 : 6;
	let body = 1;
	let tine = 0.16 * tone.velocity;
	let bright = 0.35 + 1.25 * tone.velocity * tone.velocity;
	let released = tone.velocity;
	let phase = 0;
	for (let index = 0; index < sound.length; index++) {
		phase += step;
		body *= bodyPerSample;
		tine *= tinePerSample;
		bright *= brightPerSample;
		if (index > heldSamples) released *= releasePerSample;
		const modulated = sineOfTurns(phase + (bright * sineOfTurns(phase)) / (2 * Math.PI));
		const second = 0.35 * sineOfTurns(phase * 1.003 + (0.4 * bright * sineOfTurns(phase * 2)) / (2 * Math.PI));
		const chime = tine * sineOfTurns(phase * tineRatio);
		const edge = Math.min(1, index / 90, (sound.length - 1 - index) / 400);
		sound[index] = ((modulated + second) * body + chime) * released * edge * 0.7;
	}
	return sound;
};
