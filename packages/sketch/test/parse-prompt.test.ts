import { describe, expect, test } from "vitest";
import { parsePrompt } from "../src/parse-prompt.ts";

describe("a prompt selects", () => {
	test.each([
		["a lighthouse in a storm", { scene: "sea", subjects: ["lighthouse"], weather: "storm" }],
		["🚀 to the 🪐", { scene: "space", subjects: ["rocket"], time: "night" }],
		["two cats at midnight", { scene: "meadow", subjects: ["cat"], time: "night" }],
		["a dog in the city", { scene: "city", subjects: ["dog"] }],
		[
			"a castle in the snowy mountains, winter",
			{ scene: "mountains", subjects: ["castle"], weather: "snow", season: "winter" },
		],
		["a meadow at dawn in fog, watercolor", { scene: "meadow", time: "dawn", weather: "fog", finish: "pastel" }],
		["🏴‍☠️", { scene: "sea", subjects: ["boat"] }],
		["⛵ 🌅", { scene: "sea", subjects: ["boat"], time: "dawn" }],
		["abstract swirls, pixel art", { scene: "flow", finish: "pixel" }],
		["a dragon over the hills", { scene: "mountains", subjects: [] }],
		["a unicorn", { scene: "meadow", subjects: [] }],
		["an epic orchestral battle", { musicStyle: "epic" }],
	])("%s", (prompt, expected) => {
		for (const seed of [1, 2, 3]) expect(parsePrompt(prompt, seed)).toMatchObject(expected);
	});

	test("a color before a subject colors the subject, any other the whole image", () => {
		const { colors, subjectColors } = parsePrompt("a red wooden boat on a purple sea", 1);
		expect([...subjectColors.keys()]).toStrictEqual(["boat"]);
		expect(colors.map(({ hue }) => hue)).toStrictEqual([305]);
	});

	test("prompts without a known word do not all go to the same scene", () => {
		const scenes = ["hello", "qwertz", "Zusammenhang", "bonjour", "おはよう", "4711", "lorem", "ipsum"].map(
			(prompt) => parsePrompt(prompt, 1).scene,
		);
		expect(new Set(scenes).size).toBeGreaterThan(2);
	});
});
