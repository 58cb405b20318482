import { createCanvas } from "@napi-rs/canvas";
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { describe, expect, test } from "vitest";
import type { CatalogModel } from "@atelier/studio/engines/catalog-model";
import type { UserClient } from "@atelier/playground/user-client";
import { createFakeEngine, fakeImageModel } from "@atelier/studio/testing/fake-engine";
import { openAtelierWithMembers } from "./members.ts";
import { answerTo, finalReply, openForm, plainText } from "./replies.ts";

const files = { type: "array", description: "Files.", items: { type: "string", format: "uri" } } as const;
/** A model that takes ten images and a mask. The fake image model takes two images. */
const referenceModel: CatalogModel = {
	...fakeImageModel,
	id: "reference",
	name: "Reference",
	options: {
		...fakeImageModel.options,
		image_input: { ...files, maxItems: 10 },
		mask_image: { ...files, maxItems: 1 },
	},
};

async function open(models: readonly CatalogModel[] = [fakeImageModel, referenceModel]) {
	const engine = createFakeEngine({ models });
	const server = await openAtelierWithMembers({ engine });
	return { ...server, engine };
}

const png = (side = 16): Buffer => createCanvas(side, side).toBuffer("image/png");
const upload = async (client: UserClient, bytes = png(), name = "a.png"): Promise<string> =>
	await client.upload({ name, bytes, contentType: "image/png" });

describe("several input images", () => {
	test("reach the first model that accepts their number, also when the result is regenerated", async () => {
		const { ada, engine } = await open();
		const [image, image2, image3] = [await upload(ada), await upload(ada), await upload(ada)];
		const result = await finalReply(ada.type("/image", { prompt: "both", image, image2 }));
		expect(textOf(result)).toContain("Fake image");
		expect(await answerTo(ada, "/image", { prompt: "all", image, image2, image3 })).toContain("Reference");
		await finalReply(ada.press(result, { label: "Regenerate" }));
		expect(engine.runs.map(({ task }) => task.inputs.length)).toEqual([2, 3, 2]);
		expect(engine.runs.every(({ task }) => task.scene === "image-to-image")).toBe(true);
	});

	test("can be chosen in the form of a result, at most ten including the result", async () => {
		const { ada, engine } = await open();
		const result = await finalReply(ada.type("/image", { prompt: "a boat" }));
		const openInputForm = () => openForm(ada.press(result, { label: "Use as input" }));
		const images = await Promise.all(Array.from({ length: 10 }, () => upload(ada)));
		expect(
			filesOf(await finalReply(ada.submit(await openInputForm(), { prompt: "ten", images: images.slice(0, 9) }))),
		).toHaveLength(1);
		expect(engine.runs.at(-1)?.task.inputs).toHaveLength(10);
		await expect(ada.submit(await openInputForm(), { prompt: "eleven", images })).rejects.toThrow(/9/);
		await finalReply(ada.submit(await openInputForm(), { prompt: "one", images: [] }));
		expect(engine.runs.at(-1)?.task.inputs).toHaveLength(1);
	});
});

test("autocomplete offers the values of the model that the attached images and the style select", async () => {
	const resolution = { type: "string", description: "Size.", enum: ["4K"], default: "4K" } as const;
	const shapes = { type: "string", description: "Shape.", enum: ["21:9"], default: "21:9" } as const;
	const options = { ...referenceModel.options, resolution, aspect_ratio: shapes };
	const price = { ...fakeImageModel.price, resolutionFactors: {} };
	const { owner, ada } = await open([fakeImageModel, { ...referenceModel, options, price }]);
	await answerTo(owner, "/style add", { name: "cinema", media_type: "image", aspect_ratio: "21:9" });
	const [image, image2, image3] = [await upload(ada), await upload(ada), await upload(ada)];
	const sizesWith = async (chosen: object) =>
		(await ada.autocomplete("/image", { prompt: "a boat", ...chosen, resolution: "" }, "resolution")).map(
			({ value }) => value,
		);
	expect(await sizesWith({ image, image2 })).toStrictEqual(["1K", "2K"]);
	expect(await sizesWith({ image, image2, image3 })).toStrictEqual(["4K"]);
	expect(await sizesWith({ image, mask: image2 })).toStrictEqual(["4K"]);
	expect(await sizesWith({ style: "cinema" })).toStrictEqual(["4K"]);
	expect(await sizesWith({ style: "cinema", aspect_ratio: "16:9" })).toStrictEqual(["1K", "2K"]);
	expect(await sizesWith({ image, mask: image2, model: "gone", style: "cin" })).toStrictEqual(["4K"]);
	expect(await sizesWith({ model: referenceModel.id, style: "cin" })).toStrictEqual(["4K"]);
	expect(await sizesWith({ model: "gone", style: "cinema" })).toStrictEqual(["4K"]);
});

describe("a mask", () => {
	test("reaches the engine beside the image, also when the result is regenerated", async () => {
		const { ada, engine } = await open();
		const [image, mask] = [await upload(ada), await upload(ada, png(), "mask.png")];
		const result = await finalReply(ada.type("/image", { prompt: "a hat", image, mask }));
		expect(textOf(result)).toContain("Reference");
		await finalReply(ada.press(result, { label: "Regenerate" }));
		for (const { task } of engine.runs) {
			expect(task.inputs).toHaveLength(1);
			expect(task.mask).toBeDefined();
		}
	});

	test("is denied with another size, without an image, and by a model that takes none", async () => {
		const { ada, engine } = await open();
		const [image, mask, small] = [await upload(ada), await upload(ada), await upload(ada, png(8))];
		expect(plainText(await answerTo(ada, "/image", { prompt: "a hat", image, mask: small }))).toBe(
			"The mask is 8 × 8 pixels, and the image is 16 × 16. Use a mask of the same size.",
		);
		expect(await answerTo(ada, "/image", { prompt: "a hat", mask })).toContain("A mask needs exactly one image.");
		const named = { prompt: "a hat", image, mask, model: "fake-image" };
		expect(plainText(await answerTo(ada, "/image", named))).toContain("Fake image doesn't support `mask`");
		expect(engine.runs).toEqual([]);
	});
});
