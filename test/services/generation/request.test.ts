import { describe, expect, test } from "vitest";
import { modelSchema, type Model } from "@atelier/media-protocol/model";
import { buildRequest, upscalerOf } from "../../../src/services/generation/request.ts";
import { UserError } from "../../../src/services/user-error.ts";

const imageModel = modelSchema.parse({
	id: "paint-1",
	name: "Paint",
	mediaType: "image",
	scenes: ["text-to-image", "image-to-image"],
	options: {
		aspect_ratio: { type: "string", enum: ["1:1", "16:9"], default: "1:1" },
		resolution: { type: "string", enum: ["1K", "2K"], default: "1K" },
		seed: { type: "integer", minimum: 0, maximum: 99 },
		lyrics: { type: "string", maxLength: 5 },
	},
	price: { credits: 2, per: "output", resolutionFactors: { "2K": 2 } },
});
const videoModel = modelSchema.parse({
	id: "film-1",
	name: "Film",
	mediaType: "video",
	scenes: ["text-to-video"],
	options: { duration: { type: "integer", minimum: 1, maximum: 10, default: 4 } },
	price: { credits: 1.5, per: "second" },
});

const inexactModel = modelSchema.parse({ ...imageModel, price: { credits: 50, resolutionFactors: { "2K": 1.1 } } });
const cheapModel = modelSchema.parse({ ...videoModel, price: { credits: 0.07, per: "second" } });
const undeclaredModel = modelSchema.parse({
	...imageModel,
	options: { resolution: { type: "string" } },
	price: { credits: 4, resolutionFactors: { "4K": 10, "1K": 1 } },
});
const modelWithoutDefault = modelSchema.parse({ ...videoModel, options: { duration: { type: "integer" } } });

const inputOf = (options = {}, ...imageUrls: readonly string[]) => ({ prompt: " a boat ", options, imageUrls });

test.each([
	["a small image", 1_000, "small"],
	["a large image", 1_001, "large"],
	["an image of unknown size", undefined, "small"],
])("%s is upscaled by the first model that accepts its size", (_what, pixels, id) => {
	const upscalers = [{ id: "small", inputPixelsMax: 1_000 }, { id: "large" }].map((change) =>
		modelSchema.parse({ ...imageModel, scenes: ["upscale"], ...change }),
	);
	expect(upscalerOf([imageModel, ...upscalers], pixels)?.id).toBe(id);
});

const named = (option: string, model = "Paint") => ({ option: { key: `name.${option}` }, model });
const oneOf = { ...named("aspect_ratio"), value: "\u2068\\*7\\*\u2069", values: ["1:1", "16:9"] };
const priced = { ...named("resolution"), value: "\u2068constructor\u2069", values: ["4K", "1K"] };
const range = { ...named("seed"), value: "\u2068100\u2069", min: 0, max: 99 };
const IMAGE_URL = "https://cdn.discordapp.com/a.png";

describe("a generation request", () => {
	test("has the model's defaults for options that the member omitted", () => {
		expect(buildRequest(imageModel, inputOf({ aspect_ratio: null, seed: null }))).toStrictEqual({
			mediaType: "image",
			model: "paint-1",
			modelName: "Paint",
			scene: "text-to-image",
			prompt: "a boat",
			options: { aspect_ratio: "1:1", resolution: "1K" },
			costCredits: 2,
			typicalSeconds: 30,
		});
	});

	test.each([
		["a resolution, in any spelling", imageModel, { resolution: "2k" }, 4],
		["the default number of seconds", videoModel, {}, 6],
		["seconds, rounded up", videoModel, { duration: 3 }, 5],
		["a factor that is not exact in binary", inexactModel, { resolution: "2K" }, 55],
		["a price per second that is not exact in binary", cheapModel, { duration: 10 }, 1],
		["a resolution that no list declares", undeclaredModel, { resolution: "4k" }, 40],
	])("costs the price of %s", (_what, model, options, costCredits) => {
		expect(buildRequest(model, inputOf(options))).toMatchObject({ costCredits });
	});

	test("has options of an earlier request in the model's spelling, without those that it does not support", () => {
		const optionsIfSupported = { resolution: "2k", aspect_ratio: "3:2" };
		expect(buildRequest(imageModel, { ...inputOf(), optionsIfSupported })).toMatchObject({
			costCredits: 4,
			options: { aspect_ratio: "1:1", resolution: "2K" },
		});
	});

	test.each<[string, Model, ReturnType<typeof inputOf>, string, object?]>([
		["an empty prompt", imageModel, { ...inputOf(), prompt: " \n " }, "promptEmpty"],
		["a prompt of invisible characters", imageModel, { ...inputOf(), prompt: "\u200B\u2060" }, "promptEmpty"],
		["an option of others", videoModel, inputOf({ lyrics: "la" }), "optionNotSupported", named("lyrics", "Film")],
		["no duration for a price per second", modelWithoutDefault, inputOf(), "durationNeeded", { model: "Film" }],
		["a resolution without a price", undeclaredModel, inputOf({ resolution: "constructor" }), "optionOneOf", priced],
		[
			"an option of others, by a quoted name",
			{ ...videoModel, name: "*F*" },
			inputOf({ lyrics: "la" }),
			"optionNotSupported",
			named("lyrics", "\u2068\\*F\\*\u2069"),
		],
		["an image for other models", videoModel, inputOf({}, IMAGE_URL), "optionNotSupported", named("image", "Film")],
		["a value that is not offered", imageModel, inputOf({ aspect_ratio: "*7*" }), "optionOneOf", oneOf],
		["a number out of range", imageModel, inputOf({ seed: 100 }), "optionRange", range],
		["a long text", imageModel, inputOf({ lyrics: "lalala" }), "optionTooLong", { ...named("lyrics"), charsMax: 5 }],
	])("is denied with %s, by name", (_what, model, input, key, params) => {
		const build = (): unknown => buildRequest(model, input);
		expect(build).toThrow(UserError);
		const messageDescriptor = { key: `request.${key}`, ...(params && { params }) };
		expect(build).toThrow(expect.objectContaining({ messageDescriptor }));
	});
});
