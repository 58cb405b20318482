import { loadImage } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { createPicture } from "../../../../src/studio/engines/sketch/picture/compose.ts";
import { imageSize } from "../../../../src/studio/engines/sketch/sketch-engine.ts";
import { envision } from "../../../../src/studio/engines/sketch/vision.ts";
import { FIGURES, SETTINGS } from "../../../../src/studio/engines/sketch/vocabulary.ts";

function paint(prompt: string, seed = 1, size = { width: 64, height: 36 }, seconds = 0): Buffer {
	return createPicture(envision(prompt, seed), { ...size, film: seconds > 0 })
		.paint(seconds)
		.toBuffer("image/png");
}

test("the same prompt and seed give the same bytes", () => {
	expect(paint("a lighthouse in a storm", 7).equals(paint("a lighthouse in a storm", 7))).toBe(true);
});

test("another seed gives another picture", () => {
	expect(paint("a lighthouse in a storm", 7).equals(paint("a lighthouse in a storm", 8))).toBe(false);
});

test("words that the painter does not know still change the picture", () => {
	expect(paint("zorgle", 7).equals(paint("blimfo", 7))).toBe(false);
});

test.each([
	["1:1", "1K", 1024, 1024],
	["16:9", "1K", 1024, 576],
	["9:16", "1K", 576, 1024],
	["4:3", "1K", 1024, 768],
	["3:4", "1K", 768, 1024],
	["3:2", "1K", 1024, 682],
	["2:3", "1K", 682, 1024],
	["21:9", "1K", 1024, 438],
	["16:9", "2K", 2048, 1152],
	["3:2", "4K", 4096, 2730],
])("%s at %s is %i x %i pixels", (aspect, resolution, width, height) => {
	expect(imageSize(aspect, resolution)).toStrictEqual({ width, height });
});

test("a picture has exactly the size that was asked for", async () => {
	const image = await loadImage(paint("a calm lake at sunset", 1, { width: 90, height: 158 }));
	expect([image.width, image.height]).toStrictEqual([90, 158]);
});

describe("every prompt is a picture", () => {
	test.each([
		["a single stop", "."],
		["nothing but space", "   "],
		["6,000 characters", "storm sea ".repeat(600)],
		["emoji alone", "🚀"],
		["emoji with joiners", "👩‍🚀🏳️‍🌈👨‍👩‍👧‍👦"],
		["Japanese", "猫と桜"],
		["right to left", "منارة في عاصفة"],
		["a lone half of a surrogate pair", "cat \ud83d"],
		["markup", "@everyone **<script>** ../../etc/passwd https://example.org"],
	])("%s", (_name, prompt) => {
		expect(paint(prompt).byteLength).toBeGreaterThan(1000);
	});

	test.each(SETTINGS)("a %s, and it moves", (setting) => {
		const size = { width: 64, height: 36 };
		const vision = { ...envision("wind", 3), setting };
		const film = createPicture(vision, { ...size, film: true });
		const first = Buffer.from(film.paint(0).data());
		expect(Buffer.from(film.paint(1.5).data()).equals(first)).toBe(false);
	});

	const bare = new Map<string, Buffer>();
	test.each(FIGURES)("with a %s in it", (kind) => {
		// The settings that are painted fastest; a party has its cake anyway.
		const setting = kind === "cake" ? "space" : "party";
		const size = { width: 96, height: 54, film: false };
		const without = { ...envision("a calm evening", 3), setting } as const;
		const pixelsOf = (vision: typeof without): Buffer => Buffer.from(createPicture(vision, size).paint(0).data());
		const empty = bare.get(setting) ?? pixelsOf(without);
		bare.set(setting, empty);
		expect(pixelsOf({ ...without, figures: [{ kind, colour: null }] }).equals(empty)).toBe(false);
	});
});

test("no part of a picture is left unpainted", () => {
	for (const setting of SETTINGS) {
		const vision = { ...envision("evening", 5), setting };
		const pixels = createPicture(vision, { width: 48, height: 36, film: false }).paint(0).data();
		const clear = pixels.filter((value, index) => index % 4 === 3 && value < 255).length;
		expect({ setting, clear }).toStrictEqual({ setting, clear: 0 });
	}
});
