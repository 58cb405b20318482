import { SAMPLE_RATE, createFilter, secondsToSamples, sineOfTurns } from "../dsp.ts";
import { type Element, addNoise, createDrift, lengthSecondsOf, momentsOf, place } from "./noise.ts";

export const fire: Element = (scene, random) => {
	const flicker = createDrift(random.fork("flicker"), 1.3);
	addNoise(scene, random.fork("roar"), {
		shape: "low",
		quality: 0.7,
		cutoffHzAt: (seconds) => 180 + 240 * flicker(seconds),
		gainAt: (seconds) => 0.18 + 0.22 * flicker(seconds * 1.7),
	});
	addNoise(scene, random.fork("hiss"), {
		shape: "high",
		quality: 0.6,
		cutoffHzAt: () => 4200,
		gainAt: (seconds) => 0.012 + 0.012 * flicker(seconds),
	});
	const wood = random.fork("wood");
	for (const seconds of momentsOf(wood, lengthSecondsOf(scene), 0.09)) {
		const snap = new Float32Array(secondsToSamples(wood.between(0.004, 0.02)));
		for (let index = 0; index < snap.length; index++)
			snap[index] = wood.between(-1, 1) * (1 - index / snap.length) ** 2;
		createFilter(wood.between(900, 4500), 1.5).run("band", snap);
		// Most crackles are faint and a few are near: the square of the square.
		const level = 0.08 + 0.9 * wood.next() ** 6;
		place(
			scene,
			seconds,
			wood.between(-0.6, 0.6),
			snap.map((sample, index) => sample * level * Math.min(1, index / 8)),
		);
	}
};

/** A street some blocks away: a hum, and cars that pass. */
export const city: Element = (scene, random) => {
	const traffic = createDrift(random.fork("traffic"), 10);
	addNoise(scene, random.fork("hum"), {
		shape: "low",
		quality: 0.6,
		cutoffHzAt: (seconds) => 190 + 120 * traffic(seconds),
		gainAt: (seconds) => 0.4 + 0.2 * traffic(seconds),
	});
	const cars = random.fork("cars");
	for (const seconds of momentsOf(cars, lengthSecondsOf(scene), 3.6)) {
		const lengthSeconds = cars.between(2, 3.6);
		const from = cars.chance(0.5) ? -0.8 : 0.8;
		const sound = new Float32Array(secondsToSamples(lengthSeconds));
		for (let index = 0; index < sound.length; index++) sound[index] = cars.between(-1, 1);
		createFilter(cars.between(380, 700), 0.8).run("band", sound);
		const swell = sound.map((sample, index) => sample * 0.3 * Math.sin((index / sound.length) * Math.PI) ** 3);
		// It comes from one side and leaves on the other.
		place(
			scene,
			seconds,
			from,
			swell.map((sample, index) => sample * (1 - index / swell.length)),
		);
		place(
			scene,
			seconds,
			-from,
			swell.map((sample, index) => sample * (index / swell.length)),
		);
	}
};

/** Nobody hears anything in space, but everybody knows what it sounds like. */
export const space: Element = (scene, random) => {
	const breath = createDrift(random.fork("breath"), 14);
	const baseHz = random.between(38, 52);
	const partials = [1, 1.5, 2.01, 3.02, 4.98].map((ratio, index) => ({
		leftHz: baseHz * ratio,
		rightHz: baseHz * ratio * 1.004,
		level: 0.22 / (1 + index),
		drift: createDrift(random.fork(`partial ${index}`), 7 + 3 * index),
	}));
	for (const partial of partials) {
		for (let start = 0; start < scene.left.length; start += 64) {
			const gain = partial.level * partial.drift(start / SAMPLE_RATE);
			for (let index = start; index < Math.min(start + 64, scene.left.length); index++) {
				const seconds = index / SAMPLE_RATE;
				scene.left[index]! += gain * sineOfTurns(seconds * partial.leftHz);
				scene.right[index]! += gain * sineOfTurns(seconds * partial.rightHz);
			}
		}
	}
	addNoise(scene, random.fork("dust"), {
		shape: "band",
		quality: 5,
		cutoffHzAt: (seconds) => 500 + 1600 * breath(seconds),
		gainAt: (seconds) => 0.06 + 0.1 * breath(seconds + 5),
	});
};

/** Engines: a hum with its harmonics, and a piston. */
export const machine: Element = (scene, random) => {
	const hz = random.between(46, 58);
	const turnsPerSecond = random.between(2, 3.2);
	for (let index = 0; index < scene.left.length; index++) {
		const seconds = index / SAMPLE_RATE;
		const hum =
			0.1 * sineOfTurns(seconds * hz) + 0.06 * sineOfTurns(seconds * hz * 2) + 0.03 * sineOfTurns(seconds * hz * 5);
		scene.left[index]! += hum;
		scene.right[index]! += hum;
	}
	addNoise(scene, random, {
		shape: "band",
		quality: 1.2,
		cutoffHzAt: () => 1400,
		gainAt: (seconds) => 0.02 + 0.12 * (1 - ((seconds * turnsPerSecond) % 1)) ** 4,
	});
};
