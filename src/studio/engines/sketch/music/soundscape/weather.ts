import { SAMPLE_RATE, createFilter, secondsToSamples } from "../dsp.ts";
import { type Element, addNoise, createDrift, lengthSecondsOf, momentsOf, place } from "./noise.ts";

/** Waves come in, break bright, and draw back dark. */
export const sea: Element = (scene, random) => {
	for (const name of ["near", "far"]) {
		const own = random.fork(name);
		const periodSeconds = own.between(6.5, 9.5);
		const offset = own.next();
		const swellAt = (seconds: number): number => {
			const turn = (seconds / periodSeconds + offset) % 1;
			// A third of the time it rises, then it runs out.
			return turn < 0.35 ? (turn / 0.35) ** 2 : Math.exp(-(turn - 0.35) * 4.2);
		};
		addNoise(scene, own, {
			shape: "low",
			quality: 0.6,
			cutoffHzAt: (seconds) => 320 + 2600 * swellAt(seconds) ** 1.5,
			gainAt: (seconds) => 0.1 + 0.34 * swellAt(seconds),
		});
	}
};

export const wind: Element = (scene, random) => {
	const gust = createDrift(random.fork("gust"), 9);
	const pitch = createDrift(random.fork("pitch"), 6);
	addNoise(scene, random.fork("body"), {
		shape: "band",
		quality: 1.6,
		cutoffHzAt: (seconds) => 220 + 520 * pitch(seconds) * (0.4 + gust(seconds)),
		gainAt: (seconds) => 0.25 + 0.9 * gust(seconds) ** 2,
	});
	addNoise(scene, random.fork("whistle"), {
		shape: "band",
		quality: 14,
		cutoffHzAt: (seconds) => 620 + 480 * pitch(seconds + 2),
		gainAt: (seconds) => 0.5 * gust(seconds) ** 3,
	});
};

export const rain: Element = (scene, random) => {
	const strength = createDrift(random.fork("strength"), 12);
	addNoise(scene, random.fork("sheet"), {
		shape: "high",
		quality: 0.5,
		cutoffHzAt: () => 2400,
		gainAt: (seconds) => 0.05 + 0.035 * strength(seconds),
	});
	addNoise(scene, random.fork("ground"), { shape: "band", quality: 0.5, cutoffHzAt: () => 700, gainAt: () => 0.08 });
	const drops = random.fork("drops");
	for (const seconds of momentsOf(drops, lengthSecondsOf(scene), 0.035)) {
		place(scene, seconds, drops.between(-0.9, 0.9), drop(drops.between(1200, 4200), drops.between(0.01, 0.09)));
	}
};

/** A drop: a tiny bubble whose pitch rises as it closes. */
function drop(hz: number, level: number): Float32Array {
	const sound = new Float32Array(secondsToSamples(0.03));
	let phase = 0;
	for (let index = 0; index < sound.length; index++) {
		const share = index / sound.length;
		phase += (hz * (1 + 0.35 * share)) / SAMPLE_RATE;
		sound[index] = level * Math.sin(2 * Math.PI * phase) * Math.min(1, index / 30) * (1 - share) ** 3;
	}
	return sound;
}

export const thunder: Element = (scene, random) => {
	const total = lengthSecondsOf(scene);
	for (const seconds of momentsOf(random, total, Math.min(8, total * 0.7))) {
		place(scene, seconds, random.between(-0.5, 0.5), clapOfThunder(random));
	}
};

function clapOfThunder(random: Parameters<Element>[1]): Float32Array {
	const lengthSeconds = random.between(3, 5);
	const sound = new Float32Array(secondsToSamples(lengthSeconds));
	// It strikes at once, then rolls on.
	const rolls = Array.from({ length: 5 }, (_, roll) => ({
		at: roll === 0 ? 0 : random.between(0, lengthSeconds * 0.5),
		level: random.between(0.4, 1),
	}));
	for (let index = 0; index < sound.length; index++) sound[index] = random.between(-1, 1);
	createFilter(120, 0.7).run("low", sound);
	createFilter(160, 0.6).run("low", sound);
	for (let index = 0; index < sound.length; index++) {
		const seconds = index / SAMPLE_RATE;
		const rumble = rolls.reduce(
			(sum, roll) =>
				sum +
				(seconds < roll.at
					? 0
					: roll.level * Math.min(1, (seconds - roll.at) / 0.06) * Math.exp(-(seconds - roll.at) / 0.8)),
			0,
		);
		sound[index]! *= 3.2 * rumble * Math.min(1, (sound.length - 1 - index) / 8000);
	}
	return sound;
}

export const stream: Element = (scene, random) => {
	addNoise(scene, random.fork("flow"), { shape: "band", quality: 0.7, cutoffHzAt: () => 900, gainAt: () => 0.09 });
	const bubbles = random.fork("bubbles");
	for (const seconds of momentsOf(bubbles, lengthSecondsOf(scene), 0.05)) {
		place(scene, seconds, bubbles.between(-0.8, 0.8), drop(bubbles.between(350, 1500), bubbles.between(0.02, 0.14)));
	}
};

export const underwater: Element = (scene, random) => {
	const pressure = createDrift(random.fork("pressure"), 8);
	addNoise(scene, random.fork("deep"), {
		shape: "low",
		quality: 0.9,
		cutoffHzAt: (seconds) => 140 + 160 * pressure(seconds),
		gainAt: () => 0.6,
	});
	const bubbles = random.fork("bubbles");
	for (const start of momentsOf(bubbles, lengthSecondsOf(scene), 2.2)) {
		const pan = bubbles.between(-0.7, 0.7);
		for (let count = 0; count < bubbles.integer(3, 9); count++) {
			place(
				scene,
				start + count * bubbles.between(0.05, 0.12),
				pan,
				drop(bubbles.between(260, 800), bubbles.between(0.05, 0.2)),
			);
		}
	}
};
