import { createCanvas } from "@napi-rs/canvas";
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import type { CatalogModel } from "@atelier/studio/engines/catalog-model";
import type { UserClient } from "@atelier/playground/user-client";
import { createFakeEngine, fakeImageModel, fakePng } from "@atelier/studio/testing/fake-engine";
import { openDiscord } from "./open-discord.ts";
import { createAnimatingEngine, imageInput, openAtelier, openAtelierWithMembers } from "./start-atelier.ts";
import { answerTo, finalReply, openForm, plainText } from "./replies.ts";

/** A model that takes ten images and a mask. The fake image model takes two images. */
const referenceModel: CatalogModel = {
	...fakeImageModel,
	id: "reference",
	name: "Reference",
	options: {
		...fakeImageModel.options,
		image_input: { ...imageInput, maxItems: 10 },
		mask_image: imageInput,
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

test("several input images reach the first model that accepts their number, also when the result is regenerated", async () => {
	const { ada, engine } = await open();
	const [image, image2, image3] = [await upload(ada), await upload(ada), await upload(ada)];
	const result = await finalReply(ada.type("/image", { prompt: "both", image, image2 }));
	expect(textOf(result)).toContain("Fake image");
	expect(await answerTo(ada, "/image", { prompt: "all", image, image2, image3 })).toContain("Reference");
	await finalReply(ada.press(result, { label: "Regenerate" }));
	expect(engine.runs.map(({ inputs }) => inputs.images.length)).toEqual([2, 3, 2]);
	expect(engine.runs.every(({ task }) => task.scene === "image-to-image")).toBe(true);
});

test("several input images can be chosen in the form of a result, at most ten including the result", async () => {
	const { ada, engine } = await open();
	const result = await finalReply(ada.type("/image", { prompt: "a boat" }));
	const openInputForm = () => openForm(ada.press(result, { label: "Use as input" }));
	const images = await Promise.all(Array.from({ length: 10 }, () => upload(ada)));
	expect(
		filesOf(await finalReply(ada.submit(await openInputForm(), { prompt: "ten", images: images.slice(0, 9) }))),
	).toHaveLength(1);
	expect(engine.runs.at(-1)?.inputs.images).toHaveLength(10);
	await expect(ada.submit(await openInputForm(), { prompt: "eleven", images })).rejects.toThrow(/9/);
	await finalReply(ada.submit(await openInputForm(), { prompt: "one", images: [] }));
	expect(engine.runs.at(-1)?.inputs.images).toHaveLength(1);
});

test("autocomplete offers the values of the model that the attached images and the style select", async () => {
	const resolution = { type: "string", description: "Size.", enum: ["4K"], default: "4K" } as const;
	const shapes = { type: "string", description: "Shape.", enum: ["21:9"], default: "21:9" } as const;
	const options = { ...referenceModel.options, resolution, aspect_ratio: shapes };
	const price = { ...fakeImageModel.price, resolutionFactors: {} };
	const { owner, ada } = await open([fakeImageModel, { ...referenceModel, options, price }]);
	await answerTo(owner, "/style add", { name: "cinema", media_type: "image", aspect_ratio: "21:9" });
	const [image, image2, image3] = [await upload(ada), await upload(ada), await upload(ada)];
	for (const [chosen, sizes] of [
		[{ image, image2 }, ["1K", "2K"]],
		[{ image, image2, image3 }, ["4K"]],
		[{ image, mask: image2 }, ["4K"]],
		[{ style: "cinema" }, ["4K"]],
		[{ style: "cinema", aspect_ratio: "16:9" }, ["1K", "2K"]],
		[{ image, mask: image2, model: "gone", style: "cin" }, ["4K"]],
		[{ model: referenceModel.id, style: "cin" }, ["4K"]],
		[{ model: "gone", style: "cinema" }, ["4K"]],
	] as const) {
		const choices = await ada.autocomplete("/image", { prompt: "a boat", ...chosen, resolution: "" }, "resolution");
		expect({ chosen, sizes: choices.map(({ value }) => value) }).toStrictEqual({ chosen, sizes });
	}
});

test("a mask reaches the engine beside the image, also when the result is regenerated", async () => {
	const { ada, engine } = await open();
	const [image, mask] = [await upload(ada), await upload(ada, png(), "mask.png")];
	const result = await finalReply(ada.type("/image", { prompt: "a hat", image, mask }));
	expect(textOf(result)).toContain("Reference");
	await finalReply(ada.press(result, { label: "Regenerate" }));
	for (const { inputs } of engine.runs) {
		expect(inputs.images).toHaveLength(1);
		expect(inputs.mask).toBeDefined();
	}
});

test("a mask is denied with another size, without an image, and by a model that takes none", async () => {
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

test.each(["127.0.0.1", "localhost"])("attached images reach the studio if DISCORD_API_URL is at %s", async (host) => {
	const discord = await openDiscord();
	const engine = createAnimatingEngine();
	const env = { ...discord.env, DISCORD_API_URL: `http://${host}:${discord.port}/api` };
	const { userClient } = await openAtelier({ engine, env });
	for (const [run, command, scene] of [
		[0, "/image", "image-to-image"],
		[1, "/video", "image-to-video"],
	] as const) {
		const image = await userClient.upload({ name: "in.png", bytes: fakePng("attached"), contentType: "image/png" });
		expect(filesOf(await finalReply(userClient.type(command, { prompt: "the same in winter", image })))).toHaveLength(
			1,
		);
		expect(engine.runs[run]).toMatchObject({ task: { scene }, inputs: { images: [fakePng("attached")] } });
	}
});
