import { expect, test } from "vitest";
import { modelSchema } from "@atelier/media-protocol/model";
import {
	addStyle,
	applyStyle,
	applyStyleText,
	buildStyle,
	isModelCompatible,
	removeStyle,
	requireStyle,
	searchStyles,
	styleChoiceLabel,
	styleFromRequest,
} from "../../../src/services/settings/styles.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";

const textStyle = (text: string, mediaType: "image" | null) => ({ text, mediaType, model: null, options: {} });
const withoutStyles = storedSettingsSchema.parse({});
const noir = addStyle(withoutStyles, " Film Noir ", textStyle("high  contrast\n@everyone", "image"));
const both = addStyle(noir, "Éclair", textStyle("like lightning", null));
const namesFound = (...like: Parameters<typeof searchStyles>) => searchStyles(...like).map(({ name }) => name);
const isValidInFile = (style: object): boolean => storedSettingsSchema.safeParse({ styles: { S: style } }).success;

test("a style adds its text to the prompt, in any spelling of its name", () => {
	expect(applyStyleText(requireStyle(both, "image", "film noir"), "a boat")).toBe("a boat, high contrast @everyone");
	expect(applyStyleText(requireStyle(both, "image", "E\u0301CLAIR"), "a boat")).toBe("a boat, like lightning");
	expect(applyStyleText(undefined, "a boat")).toBe("a boat");
});

test("an unknown style, or one of another media type, is denied", () => {
	expect(() => requireStyle(both, "music", "Film Noir")).toThrow("style.unknown");
	expect(() => requireStyle(noir, "music", "Film Noir")).toThrow("style.noneHere");
	expect(() => requireStyle(both, "image", "constructor")).toThrow("style.unknown");
});

test("saving an existing style replaces it", () => {
	const again = addStyle(both, "FILM NOIR", textStyle("black and white", null));
	expect(Object.keys(again.styles)).toStrictEqual(["Éclair", "FILM NOIR"]);
	expect(applyStyleText(requireStyle(again, "image", "film noir"), "a boat")).toBe("a boat, black and white");
});

test("names have no formatting, styles are not empty, and their number is limited", () => {
	expect(() => addStyle(withoutStyles, "**bold**", textStyle("x", null))).toThrow("style.nameInvalid");
	expect(() => addStyle(withoutStyles, "__proto__", textStyle("x", null))).toThrow("style.nameInvalid");
	expect(() => addStyle(withoutStyles, "x".repeat(33), textStyle("x", null))).toThrow("style.nameInvalid");
	expect(() => addStyle(withoutStyles, "Nothing", textStyle(" \u200B ", null))).toThrow("style.empty");
	const full = Array.from({ length: 50 }, (_, n) => `S${n}`).reduce(
		(settings, name) => addStyle(settings, name, textStyle("x", null)),
		withoutStyles,
	);
	expect(() => addStyle(full, "One more", textStyle("x", null))).toThrow("style.tooMany");
	expect(() => addStyle(full, "s7", textStyle("y", null))).not.toThrow();
});

test("styles are offered for their media type, prefix matches first, and can be removed", () => {
	const some = addStyle(both, "Old film", textStyle("grain", null));
	expect(namesFound(some, "image", "film")).toStrictEqual(["Film Noir", "Old film"]);
	expect(namesFound(some, "music", "")).toStrictEqual(["Éclair", "Old film"]);
	expect(Object.keys(removeStyle(some, "old FILM").styles)).toStrictEqual(["Film Noir", "Éclair"]);
	expect(() => removeStyle(some, "gone")).toThrow("style.unknown");
	expect(() => removeStyle(withoutStyles, "gone")).toThrow("style.listEmpty");
});

const paint = modelSchema.parse({
	id: "paint-1",
	name: "Paint",
	mediaType: "image",
	scenes: ["text-to-image"],
	options: {
		aspect_ratio: { type: "string", enum: ["1:1", "16:9"] },
		resolution: { type: "string", enum: ["1K", "2K"] },
	},
	price: { credits: 4 },
});
const tune = modelSchema.parse({ ...paint, id: "tune-1", name: "Tune", mediaType: "music", options: {} });
const styleInput = (options: object, rest: object = {}) =>
	({ text: "", mediaType: null, model: null, options, ...rest }) as never;

test("the options and the model of a style belong to one media type, and the model accepts the options", () => {
	const wide = { aspect_ratio: "16:9", duration: null };
	expect(buildStyle(styleInput(wide, { mediaType: "image" }), [tune, paint])).toStrictEqual({
		text: "",
		mediaType: "image",
		model: null,
		options: { aspect_ratio: "16:9" },
	});
	expect(buildStyle(styleInput(wide, { model: "PAINT" }), [tune, paint])).toMatchObject({
		mediaType: "image",
		model: "paint-1",
	});
	expect(() => buildStyle(styleInput(wide), [paint])).toThrow("style.mediaTypeNeeded");
	expect(() => buildStyle(styleInput(wide, { mediaType: "music" }), [tune, paint])).toThrow(
		"request.optionNotSupported",
	);
	expect(() => buildStyle(styleInput({ resolution: "8K" }, { mediaType: "image" }), [paint])).toThrow(
		"request.optionOneOf",
	);
	expect(() => buildStyle(styleInput({}, { model: "gone" }), [paint])).toThrow("request.modelUnknown");
	expect(() => buildStyle(styleInput(wide, { mediaType: "video" }), [paint])).toThrow("request.noModel");
});

test("the member's input takes precedence, and unsupported options of the style are denied", () => {
	const style = {
		name: "Wide",
		...buildStyle(styleInput({ aspect_ratio: "16:9", resolution: "2K" }, { mediaType: "image" }), [paint]),
	};
	const inputs = { prompt: "x", options: { aspect_ratio: "1:1", resolution: null, seed: null }, imageUrls: [] };
	expect(applyStyle(style, paint, inputs).options).toStrictEqual({ aspect_ratio: "1:1", resolution: "2K", seed: null });
	const small = modelSchema.parse({ ...paint, options: { aspect_ratio: paint.options["aspect_ratio"] } });
	expect(() => applyStyle(style, small, inputs)).toThrow("style.optionNotSupported");
	expect([paint, small].map((model) => isModelCompatible(style, model, inputs))).toStrictEqual([true, false]);
	expect(isModelCompatible(style, small, { ...inputs, options: { ...inputs.options, resolution: "1K" } })).toBe(true);
	expect(styleChoiceLabel(style, 100)).toBe("Wide — 16:9 · 2K");
});

test("a style from a result keeps its options except those that differ each time", () => {
	const options = { aspect_ratio: "16:9", seed: 7, negative_prompt: "", image_input: ["https://x.test/a.png"] };
	const request = {
		mediaType: "image",
		model: "paint-1",
		modelName: "Paint",
		scene: "s",
		prompt: "a boat",
		options,
	} as const;
	const style = styleFromRequest({ ...request, costCredits: 4, typicalSeconds: 10 }, "");
	expect(style).toStrictEqual({ text: "", mediaType: "image", model: "paint-1", options: { aspect_ratio: "16:9" } });
	expect(addStyle(withoutStyles, "Kept", style).styles).toStrictEqual({ Kept: style });
});

test("a file with an empty style, or with a model for every media type, is rejected", () => {
	expect(isValidInFile({ text: "x" })).toBe(true);
	expect(isValidInFile({})).toBe(false);
	expect(isValidInFile({ model: "paint-1" })).toBe(false);
	expect(isValidInFile({ model: "paint-1", mediaType: "image" })).toBe(true);
});
