import { describe, expect, test } from "vitest";
import { imagine, isMinor } from "../../../../../src/studio/engines/sketch/music/musical-idea.ts";
import { STYLE_NAMES, STYLES } from "../../../../../src/studio/engines/sketch/music/styles.ts";

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

test("the same prompt and seed give the same idea, another seed another one", () => {
	expect(imagine("a cat in the rain", 7)).toStrictEqual(imagine("a cat in the rain", 7));
	const keys = new Set(SEEDS.map((seed) => JSON.stringify(imagine("a cat in the rain", seed))));
	expect(keys.size).toBe(SEEDS.length);
});

describe("style", () => {
	test.each(STYLE_NAMES)("a prompt that says %s gets it", (name) => {
		for (const seed of SEEDS) expect(imagine(`a ${name} about my cat`, seed).styleName).toBe(name);
	});

	test.each([
		["ein Wiegenlied", "lullaby"],
		["une valse triste", "waltz"],
		["重い🎸", "rock"],
		["交響曲", "orchestral"],
		["보사노바", "bossa"],
		["summer lo-fi", "lofi"],
	])("%s is %s", (prompt, style) => {
		expect(imagine(prompt, 1).styleName).toBe(style);
	});

	test("without a style word the mood decides: a storm is never a lullaby, sleep never techno", () => {
		for (const seed of SEEDS) {
			expect(["orchestral", "rock", "techno", "synthwave", "waltz"]).toContain(
				imagine("a lighthouse in a storm", seed).styleName,
			);
			expect(["ambient", "ballad", "lullaby", "orchestral"]).toContain(imagine("deep sleep", seed).styleName);
		}
	});

	test("what the person does not want is not chosen", () => {
		for (const seed of SEEDS) expect(imagine("quiet and peaceful, not ambient", seed).styleName).not.toBe("ambient");
	});
});

describe("mode", () => {
	test.each([
		"happy",
		"joyful",
		"sunny morning",
		"cheerful",
		"birthday",
		"liebe",
		"heureux",
		"feliz",
		"嬉しい",
		"快乐",
		"🎉",
		"smiling",
		"delight",
	])("%s is in a major mode", (prompt) => {
		for (const seed of SEEDS) expect(isMinor(imagine(prompt, seed))).toBe(false);
	});

	test.each([
		"sad",
		"grief",
		"lonely",
		"gloomy",
		"heartbroken",
		"horror",
		"traurig",
		"triste",
		"悲しい",
		"悲伤",
		"😭",
		"weeping",
		"angry",
		"despair",
	])("%s is in a minor mode", (prompt) => {
		for (const seed of SEEDS) expect(isMinor(imagine(prompt, seed))).toBe(true);
	});

	test.each([
		["something in D minor", 2, "minor"],
		["F# dorian groove", 6, "dorian"],
		["ein Stück in B-Dur", 11, "major"],
		["Eb major", 3, "major"],
	])("%s is obeyed", (prompt, tonic, scale) => {
		const { key } = imagine(prompt, 1);
		expect(key).toStrictEqual({ tonic, scale });
	});

	test("a mode without a key note is obeyed, against the mood", () => {
		expect(imagine("happy but minor", 1).key.scale).toBe("minor");
		expect(imagine("triste en modo mayor", 1).key.scale).toBe("major");
	});
});

describe("tempo", () => {
	test("fast techno is faster than a slow lullaby", () => {
		for (const seed of SEEDS)
			expect(imagine("fast techno", seed).tempoBpm).toBeGreaterThan(imagine("slow lullaby", seed).tempoBpm + 40);
	});

	test("slow and fast move the same style", () => {
		expect(imagine("slow jazz", 1).tempoBpm).toBeLessThan(imagine("jazz", 1).tempoBpm);
		expect(imagine("fast jazz", 1).tempoBpm).toBeGreaterThan(imagine("jazz", 1).tempoBpm);
	});

	test("a number of beats is kept to the digit, within what can be played", () => {
		expect(imagine("house at 128 bpm", 3)).toMatchObject({ tempoBpm: 128, tempoIsAsked: true });
		expect(imagine("999bpm", 3).tempoBpm).toBe(220);
		expect(imagine("10 bpm", 3).tempoBpm).toBe(40);
	});
});

describe("instruments", () => {
	test("the first named has the melody, and drums can be refused", () => {
		expect(imagine("violin and guitar duet", 1)).toMatchObject({ lead: "violin", chords: "nylonGuitar" });
		expect(imagine("rock without drums", 1).hasDrums).toBe(false);
		expect(imagine("rock", 1).hasDrums).toBe(true);
	});

	test("a waltz has three beats", () => {
		for (const seed of SEEDS) expect(imagine("waltz", seed).meter).toBe("3/4");
	});

	test("every style keeps its tempo between its own limits", () => {
		for (const name of STYLE_NAMES) {
			const [slowest, fastest] = STYLES[name].tempoBpm;
			const { tempoBpm } = imagine(name, 1);
			expect(tempoBpm).toBeGreaterThan(slowest * 0.95);
			expect(tempoBpm).toBeLessThan(fastest * 1.05);
		}
	});
});
