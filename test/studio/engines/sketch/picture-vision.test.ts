import { describe, expect, test } from "vitest";
import { toRgb, type Colour } from "../../../../src/studio/engines/sketch/picture/colour.ts";
import { envision } from "../../../../src/studio/engines/sketch/vision.ts";

const chroma = (colours: readonly Colour[]): number => colours.reduce((sum, { c }) => sum + c, 0);
const hueDistance = (a: number, b: number): number => Math.abs(((a - b + 540) % 360) - 180);

describe("what the words call for", () => {
	test.each([
		["a lighthouse in a storm", { setting: "sea", weather: "storm", paletteName: "storm" }],
		["a calm lake at sunset", { setting: "lake", time: "sunset" }],
		["neon city in the rain", { setting: "city", weather: "rain", paletteName: "neon" }],
		["snowy mountains under aurora", { setting: "mountains", weather: "snow", paletteName: "aurora" }],
		["a cat in a flower garden", { setting: "meadow" }],
		["a rocket flying past planets", { setting: "space" }],
		["happy birthday", { setting: "party" }],
		["猫と桜", { setting: "meadow" }],
		["🚀", { setting: "space" }],
		["ein Leuchtturm im Sturm", { setting: "sea", weather: "storm" }],
		["un phare dans la tempête", { setting: "sea", weather: "storm" }],
		["マヨネーズ", { setting: "abstract" }],
		["asdkjh", { setting: "abstract" }],
	])("%s", (prompt, expected) => {
		for (const seed of [1, 2, 3]) {
			expect(envision(prompt, seed)).toMatchObject(expected);
		}
	});

	test("the figure named first is the chief one", () => {
		expect(envision("a fox and an owl by a cabin", 1).figures.map(({ kind }) => kind)).toStrictEqual([
			"fox",
			"owl",
			"cabin",
		]);
	});

	test("the plural is the same thing", () => {
		expect(envision("lighthouses", 1).figures[0]?.kind).toBe("lighthouse");
	});
});

describe("colour words", () => {
	test.each([
		["red", 27],
		["green", 145],
		["blue", 255],
		["purple", 300],
	])("a %s sea has a sky and water of that hue", (word, hue) => {
		const { palette } = envision(`${word} sea`, 4);
		for (const colour of [...palette.sky, palette.waterFar, palette.waterNear]) {
			expect(hueDistance(colour.h, hue)).toBeLessThan(45);
		}
	});

	test("a colour before a thing paints the thing and leaves the world its own colours", () => {
		const plain = envision("a boat on the sea", 4);
		const red = envision("a red boat on the sea", 4);
		expect(red.figures[0]?.colour?.h).toBe(27);
		expect(plain.figures[0]?.colour).toBeNull();
		expect(hueDistance(red.palette.waterNear.h, 27)).toBeGreaterThan(60);
	});

	test("silver takes the colour out", () => {
		expect(chroma(envision("silver sea", 4).palette.sky)).toBeLessThan(chroma(envision("sea", 4).palette.sky) / 3);
	});
});

test("the focus stands near a third, never in the middle", () => {
	for (let seed = 0; seed < 40; seed++) {
		const { focusX } = envision("a lighthouse", seed);
		expect(Math.abs(focusX - 0.5)).toBeGreaterThan(0.12);
		expect(Math.abs(focusX - 0.5)).toBeLessThan(0.22);
	}
});

test("a colour that no screen can show keeps its hue's order of channels", () => {
	const [red, green, blue] = toRgb({ l: 0.6, c: 0.5, h: 27 });
	expect(red).toBeGreaterThan(green);
	expect(red).toBeGreaterThan(blue);
});
