import { describe, expect, test } from "vitest";
import type { StyleOption } from "../../src/schemas/directory.ts";
import { optionsOf, withModel, type Style } from "../../web/src/style-options.ts";

const choice = (name: StyleOption["name"], ...choices: string[]): StyleOption => ({
	name,
	kind: "choice",
	choices,
	min: 0,
	max: 0,
});
const number = (name: StyleOption["name"], min: number, max: number): StyleOption => ({
	name,
	kind: "number",
	choices: [],
	min,
	max,
});

const models = [
	{
		id: "ink",
		name: "Ink",
		mediaType: "image" as const,
		styleOptions: [choice("aspect_ratio", "1:1"), number("n", 1, 4)],
	},
	{ id: "oil", name: "Oil", mediaType: "image" as const, styleOptions: [choice("aspect_ratio", "1:1", "16:9")] },
	{ id: "scale", name: "Upscaler", mediaType: "image" as const, styleOptions: null },
	{ id: "film", name: "Film", mediaType: "video" as const, styleOptions: [number("duration", 2, 10)] },
];

describe("the options of a style", () => {
	test("without a model are the options of all models of its media type", () => {
		expect(optionsOf(models, { mediaType: "image", model: null })).toEqual([
			choice("aspect_ratio", "1:1", "16:9"),
			number("n", 1, 4),
		]);
	});

	test("are those of its model; a style without a media type, or with a removed model, has none", () => {
		expect(optionsOf(models, { mediaType: "image", model: "oil" })).toEqual([choice("aspect_ratio", "1:1", "16:9")]);
		expect(optionsOf(models, { mediaType: null, model: null })).toEqual([]);
		expect(optionsOf(models, { mediaType: "image", model: "gone" })).toEqual([]);
	});
});

test("a change of the model keeps the options and values that the new model accepts", () => {
	const style: Style = { text: "", mediaType: "image", model: null, options: { aspect_ratio: "16:9", n: 4 } };
	expect(withModel(style, models, { mediaType: "image", model: "oil" }).options).toEqual({ aspect_ratio: "16:9" });
	expect(withModel(style, models, { mediaType: "image", model: "ink" }).options).toEqual({ n: 4 });
	expect(withModel(style, models, { mediaType: "video", model: null })).toEqual({
		...style,
		mediaType: "video",
		options: {},
	});
});
