import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { ComponentType, type APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { createFakeEngine, fakeImage, fakeImageModel, type FakeEngine } from "@atelier/studio/testing/fake-engine";
import { animatingModel, imageInput, channelIdOf, openAtelierWithMembers } from "./start-atelier.ts";
import { answerTo, isPrivate, finalReply, openForm, generateImage, plainText } from "./replies.ts";

const n = { type: "integer", description: "Many.", minimum: 1, maximum: 4 } as const;
const models = [
	{ ...fakeImageModel, options: { ...fakeImageModel.options, n } },
	animatingModel,
	{
		...fakeImageModel,
		id: "larger",
		name: "Larger",
		scenes: ["upscale"],
		options: { image_input: imageInput },
		price: { credits: 3, per: "output", resolutionFactors: {} },
	},
] as const;

/** Opens a server whose engine returns this number of images for the first task. */
async function setup(imageCount: number) {
	const outputs = Array.from({ length: imageCount }, (_, at) => fakeImage(`picture ${at + 1}`));
	const engine = createFakeEngine({ models, script: [{ kind: "succeed", outputs }] });
	return { ...(await openAtelierWithMembers({ engine })), engine };
}

const latestInput = (engine: FakeEngine): string =>
	Buffer.from(engine.runs.at(-1)?.inputs.images[0] ?? []).toString("latin1");

/** Chooses an image of an album, and an action on it. */
async function chooseAction(client: UserClient, album: APIMessage, image: number, label: string) {
	const chosen = await (await client.press(album, { label: `Image ${image}` })).until();
	expect(isPrivate(chosen)).toBe(true);
	return await client.press(chosen, { label });
}

test("several images form one album, charged per image, with a button for each, and its actions", async () => {
	const { ada, engine } = await setup(4);
	const album = await generateImage(ada, { count: 4 });
	expect(filesOf(album)).toHaveLength(4);
	expect(plainText(textOf(album))).toContain("16 credits · 484 left");
	expect(engine.runs.at(-1)?.task.options).toMatchObject({ n: 4 });
	expect(labelsOf(album).slice(0, 4)).toStrictEqual(["Image 1", "Image 2", "Image 3", "Image 4"]);
	expect(labelsOf(album).slice(4)).toStrictEqual(["Regenerate", "Edit", "⭐ Favorite", "Delete"]);

	const video = await finalReply(chooseAction(ada, album, 3, "Animate (15 credits)"));
	expect(textOf(video)).toContain("469 left");
	expect(isPrivate(video)).toBe(false);
	expect(latestInput(engine)).toContain("picture 3");

	const larger = await finalReply(chooseAction(ada, album, 2, "Upscale (3 credits)"));
	expect(textOf(larger)).toContain("466 left");
	expect(engine.runs.at(-1)?.task).toMatchObject({ model: "larger", scene: "upscale", prompt: "a boat" });
	expect(latestInput(engine)).toContain("picture 2");

	const form = await openForm(chooseAction(ada, album, 4, "Use as input"));
	await finalReply(ada.submit(form, { prompt: "a storm" }));
	expect(engine.runs.at(-1)?.task).toMatchObject({ scene: "image-to-image", prompt: "a storm" });
	expect(latestInput(engine)).toContain("picture 4");
});

test("only delivered images are charged, and the reply says how many were requested", async () => {
	const { owner, ada } = await setup(3);
	const album = await generateImage(ada, { count: 4, resolution: "2K" });
	expect(filesOf(album)).toHaveLength(3);
	expect(textOf(album)).toContain("Generated 3 of 4. Only these are charged.");
	expect(plainText(textOf(album))).toContain("24 credits · 476 left");
	expect(plainText(await answerTo(owner, "/credits history"))).toContain("**−24**");
});

test("a button with the price upscales an image if a model supports it", async () => {
	const { owner, ada } = await setup(1);
	await answerTo(owner, "/settings general", { report_channel: await channelIdOf(owner, "gallery") });
	const larger = await finalReply(ada.press(await generateImage(ada), { label: "Upscale (3 credits)" }));
	expect(textOf(larger)).toContain("493 left");
	expect(textOf(larger)).toContain(" · Larger · 1 × 1 · seed 7 · 3 credits");
	// Neither upscaling nor editing: it was generated from the image alone, without a prompt.
	expect(labelsOf(larger)).toStrictEqual([
		"Regenerate",
		"⭐ Favorite",
		"Animate (15 credits)",
		"Use as input",
		"Report",
		"Delete",
	]);
	const [card] = larger.components ?? [];
	const menuRow = card?.type === ComponentType.Container ? card.components.slice(-1) : [];
	// A menu of one button would need a click more than the button.
	expect(labelsOf({ components: menuRow })).toStrictEqual(["Report", "Delete"]);
	expect(await ada.autocomplete("/image", { prompt: "x", model: "l" }, "model")).toStrictEqual([]);
});
