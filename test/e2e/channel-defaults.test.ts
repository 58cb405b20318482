import { textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { channelPickCustomId } from "../../src/commands/settings/channel-defaults-page.ts";
import { createFakeEngine, fakeImageModel } from "@atelier/studio/testing/fake-engine";
import type { UserClient } from "@atelier/playground/user-client";
import { channelIdOf, openAtelierWithMembers } from "./start-atelier.ts";
import {
	answerTo,
	isPrivate,
	finalReply,
	openForm,
	replyWithText,
	generateImage,
	plainText,
	pressSetting,
} from "./replies.ts";

const otherModel = { ...fakeImageModel, id: "other-image", name: "Other image" };

async function openWithModels() {
	const engine = createFakeEngine({ models: [fakeImageModel, otherModel] });
	const server = await openAtelierWithMembers({ engine });
	const galleryId = await channelIdOf(server.owner, "gallery");
	const otherChannelId = await channelIdOf(server.owner, "after-dark");
	const generate = (client: UserClient, options = {}, channel = galleryId) =>
		generateImage(client, options, { channel });
	return { ...server, engine, galleryId, otherChannelId, generate };
}

test("the defaults of a channel choose model and style of commands, unless the member chooses, and not for regenerated results", async () => {
	const { owner, ada, engine, galleryId, otherChannelId, generate } = await openWithModels();
	await answerTo(owner, "/style add", { name: "Ink", text: "ink drawing", media_type: "image" });
	await answerTo(owner, "/style add", { name: "Oil", text: "oil painting", media_type: "image" });
	const defaults = { channel: galleryId, model: "Other image", style: "ink" };
	const changed = await answerTo(owner, "/settings defaults", defaults);
	expect(plainText(changed)).toContain(`**<#${galleryId}>**\n-# images: Other image`);
	const result = await generate(ada);
	await finalReply(ada.press(result, { label: "Regenerate" }));
	await generate(ada, { model: "fake-image", style: "Oil" });
	await generate(ada, {}, otherChannelId);
	await answerTo(owner, "/style remove", { name: "Ink" });
	await answerTo(owner, "/settings model", { model: "other-image", on: false });
	await generate(ada);
	expect(engine.runs.map(({ task }) => [task.model, task.prompt])).toEqual([
		["other-image", "a boat, ink drawing"],
		["other-image", "a boat, ink drawing"],
		["fake-image", "a boat, oil painting"],
		["fake-image", "a boat"],
		["fake-image", "a boat"],
	]);
});

test("the defaults of a channel make results private or public, and turn off a media type, which the denial of the command says", async () => {
	const { owner, ada, galleryId, otherChannelId, generate } = await openWithModels();
	await answerTo(owner, "/settings defaults", { channel: galleryId, private: true });
	expect(isPrivate(await generate(ada))).toBe(true);
	expect(isPrivate(await generate(ada, { private: false }))).toBe(false);
	await answerTo(owner, "/settings media", { private: true });
	await answerTo(owner, "/settings defaults", { channel: galleryId, private: false });
	expect(isPrivate(await generate(ada))).toBe(false);
	await answerTo(owner, "/settings defaults", { channel: galleryId, image: false });
	expect(textOf(await generate(ada))).toBe(
		"Images are turned off in this channel. Use another channel, or ask an admin.",
	);
	expect(textOf(await generate(ada, {}, otherChannelId))).toContain("484 left");
	await answerTo(owner, "/settings defaults", { channel: galleryId, clear: true });
	expect(textOf(await generate(ada))).toContain("480 left");
});

test("the page of the panel sets the defaults of a channel in a form, shows them, and denies two models of one media type", async () => {
	const { owner, galleryId } = await openWithModels();
	const panel = await finalReply(owner.type("/settings show"));
	const page = await replyWithText(owner.press(panel, { label: "Channels" }), "Channel defaults");
	const form = await openForm(owner.press(page, { customId: channelPickCustomId.encode({}) }, [galleryId]));
	const formInput = {
		models: ["other-image"],
		style: ["-"],
		privacy: ["private"],
		off: ["image", "music"],
		threads: ["thread"],
	};
	const saved = await replyWithText(owner.submit(form, formInput), "results are private");
	expect(plainText(textOf(saved))).toContain(
		`**<#${galleryId}>**\n-# images: Other image\n-# results are private\n-# results go to threads\n-# off: videos`,
	);
	const again = await openForm(pressSetting(owner, saved, `1:channel-defaults:${galleryId}`));
	expect(JSON.stringify(again.components)).toContain('"value":"private","label":"private","default":true');
	const twoImageModels = { ...formInput, models: ["fake-image", "other-image"] };
	const denied = await replyWithText(owner.submit(again, twoImageModels), "⚠️");
	expect(textOf(denied)).toContain("Choose at most one model each");
	expect(plainText(textOf(denied))).toContain("Other image");
});
