import { describe, expect, test } from "vitest";
import { type TuneRequest, composeTune } from "../../../../../src/studio/engines/sketch/music/compose-tune.ts";
import { measureLoudness } from "../../../../../src/studio/engines/sketch/music/loudness.ts";
import { imagine } from "../../../../../src/studio/engines/sketch/music/musical-idea.ts";
import { brightnessOf, faultsOf, hashOf } from "./listen.ts";

const SHORT: TuneRequest = { prompt: "a cat in the rain", seed: 3, durationSeconds: 1 };

const plain = hashOf(composeTune(SHORT));

describe("the same and another", () => {
	test("the same request gives the same samples", () => {
		expect(hashOf(composeTune(SHORT))).toBe(plain);
	});

	test.each<[string, Partial<TuneRequest>]>([
		["seed", { seed: 4 }],
		["prompt", { prompt: "a dog in the rain" }],
		["lyrics", { lyrics: "Sing to me softly" }],
	])("another %s gives another tune", (_, change) => {
		expect(hashOf(composeTune({ ...SHORT, ...change }))).not.toBe(plain);
	});

	test("other lyrics give another melody, and instrumental silences them", () => {
		const sung = composeTune({ ...SHORT, lyrics: "Sing to me softly tonight" });
		expect(hashOf(composeTune({ ...SHORT, lyrics: "Go" }))).not.toBe(hashOf(sung));
		expect(hashOf(composeTune({ ...SHORT, lyrics: "Go", instrumental: true }))).toBe(plain);
	});
});

test("an instrumental has no voice, even where the style would hum", () => {
	const hummed = [1, 2, 3, 4, 5, 6].find((seed) => imagine("lullaby", seed).lead === "voiceOoh") ?? 0;
	const request: TuneRequest = { prompt: "lullaby", seed: hummed, durationSeconds: 1 };
	expect(hummed).toBeGreaterThan(0);
	expect(hashOf(composeTune({ ...request, instrumental: true }))).not.toBe(hashOf(composeTune(request)));
});

describe("a recording", () => {
	test.each([0.02, 0.5, 1.234])("of %d s has exactly its samples", (durationSeconds) => {
		const { left, right, sampleRate } = composeTune({ ...SHORT, durationSeconds });
		expect(sampleRate).toBe(44_100);
		expect([left.length, right.length]).toStrictEqual([
			Math.round(durationSeconds * 44_100),
			Math.round(durationSeconds * 44_100),
		]);
	});

	test("is about as loud as a record", () => {
		for (const prompt of ["rock", "lullaby"]) {
			const { left, right } = composeTune({ prompt, seed: 1, durationSeconds: 3 });
			expect(measureLoudness(left, right)).toBeGreaterThan(-18);
			expect(measureLoudness(left, right)).toBeLessThan(-12.5);
		}
	});

	test("of an energetic techno party is brighter than one of a calm lullaby at night", () => {
		const party = composeTune({ prompt: "energetic techno party", seed: 1, durationSeconds: 3 });
		const lullaby = composeTune({ prompt: "calm lullaby at night", seed: 1, durationSeconds: 3 });
		expect(brightnessOf(party)).toBeGreaterThan(1.2 * brightnessOf(lullaby));
	});
});

describe("a hostile prompt", () => {
	test.each([
		["of 6,000 characters", "storm and joy ".repeat(429).slice(0, 6000)],
		["of one long word", "x".repeat(6000)],
		["of emoji alone", "🔥🎉👩‍🚀🌊"],
		["from right to left", "أغنية حزينة عن البحر"],
		["of one point", "."],
		["of nothing", ""],
		["with control characters and lone surrogates", "\u0000\u202E\uD83D\uFFFF"],
	])("%s gets its tune", (_, prompt) => {
		expect(faultsOf(composeTune({ prompt, seed: 1, durationSeconds: 1, lyrics: prompt }))).toStrictEqual([]);
	});
});
