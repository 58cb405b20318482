import { describe, expect, test } from "vitest";
import { modelSchema } from "@atelier/media-protocol/model";
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

	test("costs the price of its resolution and seconds, rounded up", () => {
		expect(buildRequest(imageModel, inputOf({ resolution: "2k" }))).toMatchObject({
			costCredits: 4,
			options: { resolution: "2K" },
		});
		expect(buildRequest(videoModel, inputOf())).toMatchObject({ costCredits: 6 });
		expect(buildRequest(videoModel, inputOf({ duration: 3 }))).toMatchObject({ costCredits: 5 });
	});

	test("costs no additional credit for a factor such as 1.1, which is not exact in binary", () => {
		const inexact = modelSchema.parse({ ...imageModel, price: { credits: 50, resolutionFactors: { "2K": 1.1 } } });
		expect(buildRequest(inexact, inputOf({ resolution: "2K" }))).toMatchObject({ costCredits: 55 });
		const cheap = modelSchema.parse({ ...videoModel, price: { credits: 0.07, per: "second" } });
		expect(buildRequest(cheap, inputOf({ duration: 10 }))).toMatchObject({ costCredits: 1 });
	});

	test("accepts resolutions with their own price, in any spelling, even if no list declares them", () => {
		const undeclared = modelSchema.parse({
			...imageModel,
			options: { resolution: { type: "string" } },
			price: { credits: 4, resolutionFactors: { "4K": 10, "1K": 1 } },
		});
		expect(buildRequest(undeclared, inputOf({ resolution: "4k" }))).toMatchObject({ costCredits: 40 });
		expect(() => buildRequest(undeclared, inputOf({ resolution: "constructor" }))).toThrow(
			expect.objectContaining({ messageDescriptor: expect.objectContaining({ key: "request.optionOneOf" }) }),
		);
	});

	test("has options of an earlier request in the model's spelling, without those that it does not support", () => {
		const optionsIfSupported = { resolution: "2k", aspect_ratio: "3:2" };
		expect(buildRequest(imageModel, { ...inputOf(), optionsIfSupported })).toMatchObject({
			costCredits: 4,
			options: { aspect_ratio: "1:1", resolution: "2K" },
		});
	});

	test("to a model priced by the second needs a duration", () => {
		const withoutDefault = modelSchema.parse({ ...videoModel, options: { duration: { type: "integer" } } });
		expect(() => buildRequest(withoutDefault, inputOf())).toThrow(
			expect.objectContaining({ messageDescriptor: { key: "request.durationNeeded", params: { model: "Film" } } }),
		);
		expect(buildRequest(withoutDefault, inputOf({ duration: 4 }))).toMatchObject({ costCredits: 6 });
	});

	test.each([
		["an empty prompt", imageModel, { prompt: " \n ", options: {}, imageUrls: [] }, { key: "request.promptEmpty" }],
		[
			"a prompt of invisible characters",
			imageModel,
			{ prompt: "\u200B\u2060", options: {}, imageUrls: [] },
			{ key: "request.promptEmpty" },
		],
		[
			"an option that the model does not have",
			videoModel,
			inputOf({ lyrics: "la" }),
			{ key: "request.optionNotSupported", params: { option: { key: "name.lyrics" }, model: "Film" } },
		],
		[
			"an image that the model does not accept",
			videoModel,
			inputOf({}, "https://cdn.discordapp.com/a.png"),
			{ key: "request.optionNotSupported", params: { option: { key: "name.image" }, model: "Film" } },
		],
		[
			"a value that is not offered",
			imageModel,
			inputOf({ aspect_ratio: "*7*" }),
			{
				key: "request.optionOneOf",
				params: {
					option: { key: "name.aspect_ratio" },
					value: "\u2068\\*7\\*\u2069",
					model: "Paint",
					values: ["1:1", "16:9"],
				},
			},
		],
		[
			"a number out of range",
			imageModel,
			inputOf({ seed: 100 }),
			{
				key: "request.optionRange",
				params: { option: { key: "name.seed" }, value: "\u2068100\u2069", model: "Paint", min: 0, max: 99 },
			},
		],
		[
			"a text that is too long",
			imageModel,
			inputOf({ lyrics: "lalala" }),
			{ key: "request.optionTooLong", params: { option: { key: "name.lyrics" }, model: "Paint", charsMax: 5 } },
		],
	])("is denied with %s, by name", (_what, model, input, messageDescriptor) => {
		const build = (): unknown => buildRequest(model, input);
		expect(build).toThrow(UserError);
		expect(build).toThrow(expect.objectContaining({ messageDescriptor }));
	});
});
