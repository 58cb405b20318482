import { describe, expect, test } from "vitest";
import type { StyleOption } from "../../src/schemas/directory.ts";
import { optionsOf, withModel, type Style } from "../../web/src/style-options.ts";

type Name = StyleOption["name"];
const OPTION = { choices: [], min: 0, max: 0 };
const choice = (name: Name, ...choices: string[]): StyleOption => ({ ...OPTION, name, kind: "choice", choices });
const number = (name: Name, min: number, max: number): StyleOption => ({ ...OPTION, name, kind: "number", min, max });

const image = (id: string, styleOptions: StyleOption[] | null) => ({
	id,
	name: id,
	mediaType: "image" as const,
	styleOptions,
});
const models = [
	image("ink", [choice("aspect_ratio", "1:1"), number("n", 1, 4)]),
	image("oil", [choice("aspect_ratio", "1:1", "16:9")]),
	image("upscaler", null),
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
