import { textOf } from "@atelier/playground/user-client/message-contents";
import { labelsOf } from "@atelier/playground/user-client";
import { expect, test } from "vitest";
import { createFakeEngine, fakeImageModel } from "@atelier/studio/testing/fake-engine";
import { openAtelierWithMembers } from "./start-atelier.ts";
import { answerTo, finalReply, openForm, plainText, pressAndWait } from "./replies.ts";

test("a manager adds a style, members select it by autocomplete, and its text reaches the engine", async () => {
	const engine = createFakeEngine();
	const { owner, ada } = await openAtelierWithMembers({ engine });
	const noir = { name: "Film Noir", text: "high contrast, 1940s", media_type: "image" };
	const added = await answerTo(owner, "/style add", noir);
	expect(plainText(added)).toContain("- **Film Noir** (images): high contrast, 1940s");
	await answerTo(owner, "/style add", { name: "Lullaby", text: "soft and slow", media_type: "music" });
	expect(await ada.autocomplete("/image", { prompt: "a boat", style: "f" }, "style")).toStrictEqual([
		{ name: "Film Noir", value: "Film Noir" },
	]);
	await answerTo(ada, "/image", { prompt: "a boat", style: "film noir" });
	expect(engine.runs.at(-1)?.task.prompt).toBe("a boat, high contrast, 1940s");
	expect(plainText(await answerTo(ada, "/image", { prompt: "a boat", style: "Lullaby" }))).toBe(
		"There's no style called Lullaby here. Available styles: Film Noir.",
	);
	const listed = await finalReply(ada.type("/style list"));
	expect(plainText(textOf(listed))).toContain("soft and slow");
	expect(labelsOf(listed)).toStrictEqual([]);
	const managed = await finalReply(owner.type("/style list"));
	expect(labelsOf(managed)).toStrictEqual(["Remove", "Remove"]);
	const [notice, ...list] = plainText(textOf(await pressAndWait(owner, managed, "Remove"))).split("\n");
	expect(notice).toContain("Saved. **Style Film Noir**");
	expect(list.join()).not.toContain("Film Noir");
});

test("a style can set options, and is used with the first model that accepts them", async () => {
	const small = { ...fakeImageModel, id: "small", name: "Small", options: {} };
	const engine = createFakeEngine({ models: [small, fakeImageModel] });
	const { owner, ada } = await openAtelierWithMembers({ engine });
	const wide = { name: "Wide", media_type: "image", aspect_ratio: "16:9", resolution: "2K", text: "panorama" };
	expect(
		await owner.autocomplete(
			"/style add",
			{ ...wide, model: fakeImageModel.name.toUpperCase(), resolution: "" },
			"resolution",
		),
	).toEqual([
		{ name: "1K (4 credits)", value: "1K" },
		{ name: "2K (8 credits)", value: "2K" },
	]);
	await answerTo(owner, "/style add", wide);
	expect(await ada.autocomplete("/image", { prompt: "a boat", style: "w" }, "style")).toStrictEqual([
		{ name: "Wide — 16:9 · 2K", value: "Wide" },
	]);
	expect(await answerTo(ada, "/image", { prompt: "a boat", style: "wide" })).toContain("492 left");
	expect(engine.runs.at(-1)?.task).toMatchObject({
		model: "fake-image",
		prompt: "a boat, panorama",
		options: { aspect_ratio: "16:9", resolution: "2K" },
	});
	expect(plainText(await answerTo(ada, "/help", {}))).toContain("**Styles**: this server has 1.");

	const styles = { Wide: { text: "panorama", mediaType: "image", model: "retired" } };
	const bytes = Buffer.from(JSON.stringify({ format: "atelier-settings", version: 1, settings: { styles } }));
	const file = await owner.upload({ name: "settings.json", bytes, contentType: "application/json" });
	expect(await answerTo(owner, "/settings import", { file })).toContain("Imported.");
	expect(plainText(await answerTo(ada, "/image", { prompt: "a boat", style: "Wide" }))).toContain(
		"The style **Wide** uses retired, which isn't available anymore.",
	);
	expect(await answerTo(ada, "/image", { prompt: "a boat", style: "Wide", model: "fake-image" })).toContain("488 left");
});

test("a manager saves the options of a result as a style with its context menu", async () => {
	const engine = createFakeEngine();
	const { owner, ada } = await openAtelierWithMembers({ engine });
	const options = { prompt: "a boat", resolution: "2K", seed: 3 };
	const completed = await finalReply(ada.type("/image", options));
	await expect(ada.context("Save as style", completed)).rejects.toThrow("or you may not use it here");
	const form = await openForm(owner.context("Save as style", completed));
	const saved = await finalReply(owner.submit(form, { name: "Large", text: "in ink" }));
	expect(plainText(textOf(saved))).toContain(
		"- **Large** (images): in ink · model: fake-image · aspect_ratio: 1:1 · resolution: 2K",
	);
	expect(await answerTo(ada, "/image", { prompt: "a fish", style: "Large" })).toContain("484 left");
	expect(engine.runs.at(-1)?.task).toMatchObject({ prompt: "a fish, in ink", options: { resolution: "2K" } });
	const denial = textOf(await finalReply(owner.context("Save as style", saved)));
	expect(denial).toContain("That isn't a result from this bot.");
});
