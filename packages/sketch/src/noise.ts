import { createNoise2D, createNoise3D, type NoiseFunction2D, type NoiseFunction3D } from "simplex-noise";
import type { Random } from "./random.ts";

export interface Noise {
	/** Sum of octaves, about -1 to 1. */
	fractal(x: number, y: number, octaves: number): number;
	/** Sharp crests, 0 to 1. */
	ridged(x: number, y: number, octaves: number): number;
	readonly flat: NoiseFunction2D;
	readonly moving: NoiseFunction3D;
}

const LACUNARITY = 2.03;

export function createNoise(random: Random): Noise {
	const flat = createNoise2D(() => random.next());
	const moving = createNoise3D(() => random.next());

	function sum(x: number, y: number, octaves: number, shape: (value: number) => number): number {
		let total = 0;
		let range = 0;
		let weight = 1;
		let scale = 1;
		for (let octave = 0; octave < octaves; octave++) {
			total += weight * shape(flat(x * scale, y * scale));
			range += weight;
			weight *= 0.5;
			scale *= LACUNARITY;
		}
		return total / range;
	}

	return {
		flat,
		moving,
		fractal: (x, y, octaves) => sum(x, y, octaves, (value) => value),
		ridged: (x, y, octaves) => sum(x, y, octaves, (value) => (1 - Math.abs(value)) ** 2),
	};
}

export const clamp = (value: number, min = 0, max = 1): number => Math.min(max, Math.max(min, value));
export const lerp = (from: number, to: number, t: number): number => from + (to - from) * t;

export function smoothstep(from: number, to: number, value: number): number {
	const t = clamp((value - from) / (to - from));
	return t * t * (3 - 2 * t);
}
