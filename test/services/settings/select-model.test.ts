import { describe, expect, test } from "vitest";
import { modelSchema } from "@atelier/media-protocol/model";
import { offeredModels, selectModel, type GenerationSpec } from "../../../src/services/settings/select-model.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { UserError } from "../../../src/services/user-error.ts";

const price = { credits: 1 };
const shapes = (...values: readonly string[]) => ({ aspect_ratio: { type: "string", enum: values } });
const files = (maxItems: number) => ({ type: "array", maxItems, items: { type: "string" } });
const MODELS = [
	{ id: "enlarge", scenes: ["upscale"] },
	{ id: "draw", scenes: ["text-to-image"], options: shapes("1:1") },
	{ id: "edit", scenes: ["text-to-image", "image-to-image"], options: { ...shapes("1:1"), image_input: files(1) } },
	{
		id: "compose",
		scenes: ["text-to-image", "image-to-image"],
		options: { ...shapes("21:9"), image_input: files(3), mask_image: files(1) },
	},
	{ id: "bare", scenes: ["text-to-image", "image-to-image"], options: { image_input: files(9) }, ageRestricted: true },
].map((model) => modelSchema.parse({ name: `The ${model.id}`, mediaType: "image", price, ...model }));
const SETTINGS = storedSettingsSchema.parse({
	access: { modelsOff: [] },
	styles: {
		wide: { text: "", mediaType: "image", model: null, options: { aspect_ratio: "21:9" } },
		drawn: { text: "", mediaType: "image", model: "draw", options: {} },
		gone: { text: "", mediaType: "image", model: "retired", options: {} },
	},
	channelDefaults: {
		"50": { models: { image: "edit" }, style: null, private: null, mediaOff: [], threads: false },
		"60": { models: {}, style: "wide", private: null, mediaOff: [], threads: false },
		"70": { models: {}, style: "gone", private: null, mediaOff: [], threads: false },
		"80": { models: {}, style: "drawn", private: null, mediaOff: [], threads: false },
	},
});

interface Selection extends Partial<Omit<GenerationSpec, "input">> {
	readonly images?: number;
	readonly hasMask?: boolean;
	readonly wantsUpscale?: boolean;
	readonly channelId?: string;
	readonly isAgeRestricted?: boolean;
	readonly modelsOff?: readonly string[];
}

function select({ images = 0, hasMask = false, wantsUpscale = false, modelsOff = [], ...by }: Selection) {
	const { channelId = "1", isAgeRestricted, ...spec } = by;
	const imageUrls = Array.from({ length: images }, (_, index) => `https://cdn.example.com/${index}.png`);
	const input = { prompt: "a boat", options: {}, imageUrls, wantsUpscale, ...(hasMask && { maskUrl: "mask" }) };
	const settings = { ...SETTINGS, access: { ...SETTINGS.access, modelsOff: [...modelsOff] } };
	const channel = { channelIds: [channelId], isAgeRestricted };
	const full = { mediaType: "image", model: null, style: null, input, ...spec } as const;
	const { model, style } = selectModel(MODELS, full, settings, channel);
	return style ? `${model.id} in ${style.name}` : model.id;
}

const EDIT_CHANNEL = { channelId: "50", usesChannelDefaults: true };
const WIDE_CHANNEL = { channelId: "60", usesChannelDefaults: true };
const GONE_CHANNEL = { channelId: "70", usesChannelDefaults: true };
const DRAWN_CHANNEL = { channelId: "80", usesChannelDefaults: true };

describe("the model of a generation is", () => {
	test.each<readonly [string, Selection, string]>([
		["the first that generates, without a choice", {}, "draw"],
		["the one named by id or name, whatever it accepts", { model: "The ENLARGE", images: 2 }, "enlarge"],
		["the first that takes an image", { images: 1 }, "edit"],
		["the first that takes so many images", { images: 2 }, "compose"],
		["the first that takes a mask", { images: 1, hasMask: true }, "compose"],
		["one that takes images, if none takes so many", { images: 9 }, "edit"],
		["the first that upscales", { images: 1, wantsUpscale: true }, "enlarge"],
		["one that an upscale cannot use, if none is on", { wantsUpscale: true, modelsOff: ["enlarge"] }, "draw"],
		["not one that is off", { images: 1, modelsOff: ["edit"] }, "compose"],
		["never an upscaler for other images", { images: 1, modelsOff: MODELS.map(({ id }) => id) }, "draw"],
		["an age-restricted one in such channels", { images: 9, isAgeRestricted: true }, "bare"],
		["the one of the style", { style: "drawn", images: 1 }, "draw in drawn"],
		["the first that fits the style", { style: "wide" }, "compose in wide"],
		["that of the channel for a slash command", EDIT_CHANNEL, "edit"],
		["not that of the channel for a button", { channelId: "50" }, "draw"],
		["not that of the channel if it takes too few images", { ...EDIT_CHANNEL, images: 2 }, "compose"],
		["the first that fits the style of the channel", WIDE_CHANNEL, "compose in wide"],
		["the named one, which does not fit the style of the channel", { ...WIDE_CHANNEL, model: "draw" }, "draw"],
		["that of the style of the channel", DRAWN_CHANNEL, "draw in drawn"],
		["the named one, in the style of the channel", { ...DRAWN_CHANNEL, model: "edit" }, "edit in drawn"],
		["the first if that of the style of the channel is gone", GONE_CHANNEL, "draw"],
		["the next if that of the style of the channel is off", { ...DRAWN_CHANNEL, modelsOff: ["draw"] }, "edit"],
		["one that takes an image if that of the style of the channel takes none", { ...DRAWN_CHANNEL, images: 1 }, "edit"],
		[
			"one that is on if no such model fits the style of the channel",
			{ ...WIDE_CHANNEL, modelsOff: ["compose"] },
			"draw",
		],
		[
			"one that takes the images, which does not fit the style of the channel",
			{ ...WIDE_CHANNEL, images: 4, isAgeRestricted: true },
			"bare",
		],
	])("%s", (_title, selection, expected) => {
		expect(select(selection)).toBe(expected);
	});

	test("none if it is unknown, or gone with its style", () => {
		expect(() => select({ model: "unheard" })).toThrow(UserError);
		const gone = new UserError({ key: "style.modelGone", params: { style: "gone", model: "retired" } });
		expect(() => select({ style: "gone" })).toThrow(gone);
	});
});

test.each([
	[true, ["draw", "compose", "bare"]],
	[false, ["draw", "compose"]],
	[undefined, ["draw", "compose"]],
])("if the age restriction of the channel is %s, members are offered the enabled models %s", (isAgeRestricted, ids) => {
	const settings = { ...SETTINGS, access: { ...SETTINGS.access, modelsOff: ["edit"] } };
	expect(offeredModels(MODELS, settings, { isAgeRestricted }).map(({ id }) => id)).toStrictEqual(ids);
});
