import type { Random } from "../../random.ts";
import { type FilterShape, SAMPLE_RATE, createFilter } from "../dsp.ts";

/** A stereo place where sounds are laid. */
export interface Scene {
	readonly left: Float32Array;
	readonly right: Float32Array;
}

/** Writes one element of a soundscape into a scene, all the length of it. */
export type Element = (scene: Scene, random: Random) => void;

export interface NoiseLayer {
	readonly shape: FilterShape;
	readonly quality: number;
	readonly cutoffHzAt: (seconds: number) => number;
	readonly gainAt: (seconds: number) => number;
}

const BLOCK_SAMPLES = 256;

/** Two independent noises, left and right, through one moving filter: air, water, fire. */
export function addNoise(scene: Scene, random: Random, layer: NoiseLayer): void {
	for (const channel of [scene.left, scene.right]) {
		const filter = createFilter(layer.cutoffHzAt(0), layer.quality);
		const block = new Float32Array(BLOCK_SAMPLES);
		let gain = layer.gainAt(0);
		for (let start = 0; start < channel.length; start += BLOCK_SAMPLES) {
			const seconds = start / SAMPLE_RATE;
			for (let index = 0; index < BLOCK_SAMPLES; index++) block[index] = random.between(-1, 1);
			filter.tune(layer.cutoffHzAt(seconds), layer.quality);
			filter.run(layer.shape, block);
			const gainStep = (layer.gainAt(seconds) - gain) / BLOCK_SAMPLES;
			for (let index = 0; index < BLOCK_SAMPLES && start + index < channel.length; index++) {
				gain += gainStep;
				channel[start + index]! += block[index]! * gain;
			}
		}
	}
}

/** Lays a short sound somewhere between left (-1) and right (1). */
export function place(scene: Scene, startSeconds: number, pan: number, sound: Float32Array): void {
	const start = Math.round(startSeconds * SAMPLE_RATE);
	const left = Math.cos(((pan + 1) * Math.PI) / 4);
	const right = Math.sin(((pan + 1) * Math.PI) / 4);
	for (let index = 0; index < sound.length && start + index < scene.left.length; index++) {
		scene.left[start + index]! += sound[index]! * left;
		scene.right[start + index]! += sound[index]! * right;
	}
}

/** A slow wandering between 0 and 1 that never repeats audibly: sines whose periods have no common measure. */
export function createDrift(random: Random, periodSeconds: number): (seconds: number) => number {
	const parts = [1, 0.618, 0.271].map((ratio) => ({
		hz: 1 / (periodSeconds * ratio),
		phase: random.next(),
		level: ratio,
	}));
	const total = parts.reduce((sum, part) => sum + part.level, 0);
	return (seconds) =>
		0.5 +
		parts.reduce((sum, part) => sum + part.level * Math.sin(2 * Math.PI * (seconds * part.hz + part.phase)), 0) /
			(2 * total);
}

/** Moments at irregular distances, from near the beginning to the end. */
export function momentsOf(random: Random, lengthSeconds: number, meanGapSeconds: number): readonly number[] {
	const moments: number[] = [];
	let seconds = random.between(0, meanGapSeconds * 0.6);
	while (seconds < lengthSeconds) {
		moments.push(seconds);
		seconds += meanGapSeconds * random.between(0.35, 1.65);
	}
	return moments;
}

export const lengthSecondsOf = (scene: Scene): number => scene.left.length / SAMPLE_RATE;
