import { expect, test } from "vitest";
import { composeAmbience } from "../../../../../src/studio/engines/sketch/music/compose-ambience.ts";
import { ELEMENTS, hearScene } from "../../../../../src/studio/engines/sketch/music/soundscape/hear-scene.ts";
import { createRandom } from "../../../../../src/studio/engines/sketch/random.ts";
import { faultsOf, hashOf } from "./listen.ts";

const REQUEST = { prompt: "a lighthouse in a storm", seed: 3, durationSeconds: 1 };

test.each([
	["a lighthouse in a storm", ["sea", "wind", "rain", "thunder"]],
	["birds singing at dawn", ["birds"]],
	["Lagerfeuer", ["fire", "crickets"]],
	["rainy city street", ["rain", "city"]],
	["an astronaut 🚀", ["space"]],
	["深海の魚", ["underwater"]],
	["a beach, no wind", ["sea"]],
	["the night sky over a quiet village", ["crickets", "wind"]],
])("%s sounds of %j", (prompt, elements) => {
	expect([...hearScene(prompt)].toSorted()).toStrictEqual([...elements].toSorted());
});

test("a prompt that names nothing audible hears its mood", () => {
	expect(hearScene("portrait of a happy person")).toStrictEqual(["birds", "wind"]);
	expect(hearScene("a sinister face")).toStrictEqual(["wind"]);
});

test("the same request gives the same samples, another seed others", () => {
	const once = hashOf(composeAmbience(REQUEST));
	expect(hashOf(composeAmbience(REQUEST))).toBe(once);
	expect(hashOf(composeAmbience({ ...REQUEST, seed: 4 }))).not.toBe(once);
});

test.each([0.3, 2.5])("%d s have exactly their samples and no fault", (durationSeconds) => {
	const pcm = composeAmbience({ ...REQUEST, durationSeconds });
	expect(pcm.left).toHaveLength(Math.round(durationSeconds * 44_100));
	expect(faultsOf(pcm)).toStrictEqual([]);
});

test.each(Object.entries(ELEMENTS))("%s is heard", (name, { sound }) => {
	const scene = { left: new Float32Array(44_100), right: new Float32Array(44_100) };
	sound(scene, createRandom(name));
	const energy = scene.left.reduce((sum, sample) => sum + sample * sample, 0) / scene.left.length;
	expect(energy).toBeGreaterThan(1e-7);
	expect(scene.left.every(Number.isFinite)).toBe(true);
});
