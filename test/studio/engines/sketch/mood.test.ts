import { describe, expect, test } from "vitest";
import { findMentions, readMood, wordsOf } from "../../../../src/studio/engines/sketch/mood.ts";
import { MOOD_LEXICON } from "../../../../src/studio/engines/sketch/mood-lexicon.ts";

describe("words", () => {
	test("are lower case, without punctuation, in any script", () => {
		expect(wordsOf("A STORM, at sea! Sturm über Köln")).toStrictEqual([
			"a",
			"storm",
			"at",
			"sea",
			"sturm",
			"über",
			"köln",
		]);
	});

	test("an emoji is a word", () => {
		expect(wordsOf("sun☀️and🎉🎉")).toStrictEqual(["sun", "☀", "and", "🎉", "🎉"]);
	});

	test("vowel signs belong to their word", () => {
		expect(wordsOf("नमस्ते مرحبا")).toStrictEqual(["नमस्ते", "مرحبا"]);
	});
});

describe("the lexicon", () => {
	test("knows hundreds of words and keeps every weight on its axis", () => {
		expect(MOOD_LEXICON.size).toBeGreaterThan(600);
		for (const [word, { valence = 0, energy = 0, darkness = 0 }] of MOOD_LEXICON) {
			expect(word).not.toBe("");
			expect(Math.abs(valence)).toBeLessThanOrEqual(1);
			expect(Math.min(energy, darkness)).toBeGreaterThanOrEqual(0);
			expect(Math.max(energy, darkness)).toBeLessThanOrEqual(1);
		}
	});

	test.each([
		["storms", "storm"],
		["stormy", "storm"],
		["sunny", "sun"],
		["cities", "city"],
		["racing", "race"],
		["traurige", "traurig"],
		["happily", "happy"],
	])("%s feels like %s", (inflected, plain) => {
		const known = MOOD_LEXICON.get(plain);
		expect(known).toBeDefined();
		expect(readMood(inflected)).toStrictEqual(readMood(plain));
	});

	test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])("%s is no word of feeling", (word) => {
		expect(readMood(word)).toStrictEqual(readMood(""));
	});
});

describe("mood", () => {
	test.each(["happy", "glücklich", "joyeux", "feliz", "alegria", "嬉しい", "快乐", "행복", "🎉", "a joyful morning"])(
		"%s is a happy one",
		(prompt) => {
			expect(readMood(prompt).valence).toBeGreaterThan(0.5);
		},
	);

	test.each(["sad", "traurig", "triste", "tristeza", "悲しい", "悲伤", "슬픔", "😭", "weeping alone"])(
		"%s is a sad one",
		(prompt) => {
			expect(readMood(prompt).valence).toBeLessThan(-0.5);
		},
	);

	test.each(["night", "Mitternacht", "minuit", "noche", "深夜の街", "밤에", "🌙"])("%s is dark", (prompt) => {
		expect(readMood(prompt).darkness).toBeGreaterThan(0.6);
	});

	test("a party is wilder than sleep", () => {
		expect(readMood("rave party").energy).toBeGreaterThan(readMood("quiet sleep").energy + 0.6);
	});

	test("an axis of which no word speaks stays neutral", () => {
		expect(readMood("night").valence).toBe(readMood("").valence);
	});

	test("not sad is the contrary of sad, and less than happy", () => {
		expect(readMood("not a sad song").valence).toBeGreaterThan(0.2);
		expect(readMood("not a sad song").valence).toBeLessThan(readMood("happy").valence);
	});

	test("a longer word hides the shorter one inside it", () => {
		const table = new Map([
			["夜", "night"],
			["夜明け", "dawn"],
		]);
		expect(findMentions("夜明けの夜", table).map(({ value }) => value)).toStrictEqual(["dawn", "night"]);
	});
});
