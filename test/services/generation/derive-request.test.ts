import { expect, test } from "vitest";
import { editOf, regenerationOf, variationOf } from "../../../src/services/generation/derive-request.ts";
import { modelSchema } from "@atelier/media-protocol/model";
import type { GenerationRequest } from "../../../src/services/generation/request.ts";
import { UserError } from "../../../src/services/user-error.ts";

const request: GenerationRequest = {
	mediaType: "image",
	model: "fake-image",
	modelName: "Fake image",
	scene: "text-to-image",
	prompt: "a boat",
	options: { seed: 5, aspect_ratio: "16:9" },
	costCredits: 4,
	typicalSeconds: 5,
};

test.each([
	["is random if the form has no field for it", request, { aspect_ratio: "1:1" }, null],
	["is random if its field is empty", request, { seed: null }, null],
	["is that of the form", request, { seed: 7 }, 7],
	["stays that of an upscale", { ...request, scene: "upscale" }, {}, 5],
])("the seed of an edited request %s", (_title, earlier, options, seed) => {
	expect(editOf(earlier, { prompt: "a ship", options }, 0)).toMatchObject({ prompt: "a ship", options: { seed } });
});

test.each(["image_input", "mask_image"])("a request is not repeated once the URL of its %s has expired", (option) => {
	const earlier = { ...request, options: { [option]: ["https://cdn.discordapp.com/a.png?ex=64&is=1&hm=2"] } };
	// Discord's URLs contain their expiry in hexadecimal seconds.
	expect(regenerationOf(earlier, 100_000)).toMatchObject({ prompt: "a boat" });
	expect(() => regenerationOf(earlier, 100_001)).toThrow(new UserError({ key: "request.imageGone" }));
});

const modelWith = (...scenes: readonly string[]) =>
	modelSchema.parse({ id: "fake-image", name: "A", mediaType: "image", scenes, price: { credits: 1 } });
const IMAGE_URL = "https://cdn.test/a.png";

test.each([
	["models that take images", modelWith("text-to-image", "image-to-image")],
	["unknown models", undefined],
])("a variation starts from the image, for %s", (_what, model) => {
	const variation = { prompt: "a boat", options: { seed: null, aspect_ratio: "16:9" }, imageUrls: [IMAGE_URL] };
	expect(variationOf(request, model, IMAGE_URL)).toStrictEqual(variation);
});

test("no variation is possible without the image, and if the model no longer takes images", () => {
	expect(variationOf(request, undefined, undefined)).toBeUndefined();
	expect(variationOf(request, modelWith("text-to-image"), IMAGE_URL)).toBeUndefined();
});
