import type { Random } from "../../random.ts";
import { SAMPLE_RATE, secondsToSamples, sineOfTurns } from "../dsp.ts";
import { type Element, lengthSecondsOf, momentsOf, place } from "./noise.ts";

/** Each bird has its own song: a few syllables that glide, said again after a pause. */
export const birds: Element = (scene, random) => {
	for (let bird = 0; bird < 4; bird++) {
		const own = random.fork(`bird ${bird}`);
		const song = inventSong(own);
		const pan = own.between(-0.85, 0.85);
		const level = own.between(0.05, 0.16);
		for (const start of momentsOf(own, lengthSecondsOf(scene), own.between(2.2, 4.5))) {
			let seconds = start;
			for (const syllable of song) {
				place(scene, seconds, pan, chirp(syllable, level * own.between(0.7, 1)));
				seconds += syllable.seconds + syllable.pauseSeconds;
			}
		}
	}
};

interface Syllable {
	readonly fromHz: number;
	readonly toHz: number;
	readonly seconds: number;
	readonly pauseSeconds: number;
	readonly trillHz: number;
}

function inventSong(random: Random): readonly Syllable[] {
	const middleHz = random.between(2300, 4600);
	const phrase = Array.from({ length: random.integer(1, 3) }, () => ({
		fromHz: middleHz * random.between(0.8, 1.25),
		toHz: middleHz * random.between(0.75, 1.3),
		seconds: random.between(0.05, 0.16),
		pauseSeconds: random.between(0.02, 0.09),
		trillHz: random.chance(0.3) ? random.between(28, 55) : 0,
	}));
	return Array.from({ length: random.integer(1, 3) }, () => phrase).flat();
}

function chirp(syllable: Syllable, level: number): Float32Array {
	const sound = new Float32Array(secondsToSamples(syllable.seconds));
	let phase = 0;
	for (let index = 0; index < sound.length; index++) {
		const share = index / sound.length;
		const trill = 1 + (syllable.trillHz > 0 ? 0.06 * sineOfTurns((index / SAMPLE_RATE) * syllable.trillHz) : 0);
		phase += ((syllable.fromHz + (syllable.toHz - syllable.fromHz) * share) * trill) / SAMPLE_RATE;
		sound[index] = level * Math.sin(share * Math.PI) ** 1.4 * (sineOfTurns(phase) + 0.12 * sineOfTurns(phase * 2));
	}
	return sound;
}

/** Wings rub three or four times, then rest; several crickets, never quite together. */
export const crickets: Element = (scene, random) => {
	for (let cricket = 0; cricket < 3; cricket++) {
		const own = random.fork(`cricket ${cricket}`);
		const hz = own.between(3900, 4800);
		const everySeconds = own.between(0.42, 0.75);
		const pan = own.between(-0.9, 0.9);
		const level = own.between(0.03, 0.08);
		const pulses = own.integer(3, 4);
		const pulse = rub(hz, level);
		for (
			let seconds = own.between(0, everySeconds);
			seconds < lengthSecondsOf(scene);
			seconds += everySeconds * own.between(0.97, 1.04)
		) {
			// Now and then a cricket listens.
			if (own.chance(0.08)) seconds += everySeconds * 3;
			for (let count = 0; count < pulses; count++) place(scene, seconds + count * 0.034, pan, pulse);
		}
	}
};

function rub(hz: number, level: number): Float32Array {
	const sound = new Float32Array(secondsToSamples(0.022));
	for (let index = 0; index < sound.length; index++) {
		sound[index] = level * Math.sin((index / sound.length) * Math.PI) ** 2 * sineOfTurns((index / SAMPLE_RATE) * hz);
	}
	return sound;
}
