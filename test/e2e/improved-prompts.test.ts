import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { describe, expect, test } from "vitest";
import { labelsOf } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { OPENAI_KEY, openOpenAiServer } from "../fakes/openai-server.ts";
import { serverCreditsLeft, CREDITS_AFTER_IMAGE, openAtelierWithMembers } from "./start-atelier.ts";
import { answerTo, isPrivate, pressAndWait, finalReply, openForm, plainText } from "./replies.ts";

async function openImproving(behavior: Parameters<typeof openOpenAiServer>[0] = {}) {
	const { url, prompts } = await openOpenAiServer(behavior);
	const engine = createFakeEngine();
	const env = { PROMPT_MODEL_URL: url, PROMPT_MODEL_KEY: OPENAI_KEY, PROMPT_MODEL: "small" };
	const server = await openAtelierWithMembers({ env, engine });
	await answerTo(server.owner, "/settings media", { improve_prompts: true });
	return { ...server, engine, prompts };
}

describe("improved prompts", () => {
	test("are shown to the member before anything is spent, and can be edited", async () => {
		const { ada, grace, engine } = await openImproving({ complete: (prompt) => ({ text: `${prompt}, @everyone` }) });
		const offer = await finalReply(ada.type("/image", { prompt: "a boat", improve: true }));
		expect(isPrivate(offer)).toBe(true);
		expect(plainText(textOf(offer))).toBe(
			"**Improved prompt**\n> a boat, @everyone\n**Your prompt**\n> a boat\n-# Fake image · 4 credits. Nothing is charged until you generate.",
		);
		expect(offer.mention_everyone).toBe(false);
		expect(labelsOf(offer)).toEqual(["Use improved prompt", "Use my prompt", "Cancel"]);
		expect(await serverCreditsLeft(ada)).toBe(500);
		const form = await openForm(ada.press(offer, { label: "Use improved prompt" }));
		expect(JSON.stringify(form)).toContain("a boat, @everyone");
		const result = await finalReply(ada.submit(form, { prompt: "a boat, golden light" }));
		expect(isPrivate(result)).toBe(false);
		expect(filesOf(result)).toHaveLength(1);
		expect(plainText(textOf(result))).toContain("a boat, golden light");
		expect(engine.runs).toHaveLength(1);
		expect(await serverCreditsLeft(grace)).toBe(CREDITS_AFTER_IMAGE);
	});

	test("can be declined: the member's own prompt is used, or the command is canceled", async () => {
		const { ada, engine } = await openImproving();
		const offer = await finalReply(ada.type("/image", { prompt: "a boat", improve: true }));
		expect(plainText(textOf(await pressAndWait(ada, offer, "Use my prompt")))).toContain("a boat");
		expect(engine.runs).toHaveLength(1);
		const other = await finalReply(ada.type("/image", { prompt: "a ship", improve: true }));
		expect(textOf(await pressAndWait(ada, other, "Cancel"))).toContain("Canceled");
		expect(engine.runs).toHaveLength(1);
	});

	test("are offered for the prompt of a result, and requested only after a press", async () => {
		const { ada, grace, prompts } = await openImproving({ complete: () => ({ text: "a red boat" }) });
		const result = await finalReply(ada.type("/image", { prompt: "a boat" }));
		expect(prompts).toEqual([]);
		const offer = await pressAndWait(grace, result, "Improve prompt");
		expect(isPrivate(offer)).toBe(true);
		expect(prompts).toEqual(["a boat"]);
		const form = await openForm(grace.press(offer, { label: "Use improved prompt" }));
		expect(JSON.stringify(form)).toContain("a red boat");
		const improvedResult = await finalReply(grace.submit(form, { prompt: "a red boat" }));
		expect(plainText(textOf(improvedResult))).toContain("a red boat");
	});

	test("leave the member's own prompt if the text model fails", async () => {
		const { ada } = await openImproving({ complete: () => ({ status: 503 }) });
		const offer = await finalReply(ada.type("/image", { prompt: "a boat", improve: true }));
		expect(textOf(offer)).toContain("can't be reached");
		expect(labelsOf(offer)).toEqual(["Use my prompt", "Cancel"]);
		expect(plainText(textOf(await pressAndWait(ada, offer, "Use my prompt")))).toContain(`${CREDITS_AFTER_IMAGE} left`);
	});

	test("are not requested for a denied prompt, but for the one that replaces it", async () => {
		const { ada, owner, engine, prompts } = await openImproving();
		await answerTo(owner, "/filter add", { pattern: "boat" });
		const denied = await finalReply(ada.type("/image", { prompt: "a boat", improve: true }));
		expect(textOf(denied)).toContain("boat");
		expect(prompts).toEqual([]);
		const form = await openForm(ada.press(denied, { label: "Edit prompt" }));
		const offer = await finalReply(ada.submit(form, { prompt: "a ship" }));
		expect(labelsOf(offer)).toEqual(["Use improved prompt", "Use my prompt", "Cancel"]);
		expect(isPrivate(offer)).toBe(true);
		expect(prompts).toEqual(["a ship"]);
		expect(engine.runs).toEqual([]);
	});

	test("need the server's setting", async () => {
		const { owner, ada, prompts } = await openImproving();
		await answerTo(owner, "/settings media", { improve_prompts: false });
		expect(await answerTo(ada, "/image", { prompt: "a boat", improve: true })).toContain("turned off in this server");
		const result = await finalReply(ada.type("/image", { prompt: "a boat" }));
		expect(labelsOf(result)).not.toContain("Improve prompt");
		expect(prompts).toEqual([]);
	});

	test("need the operator's text model: without it there is neither an option nor a setting", async () => {
		const { owner, ada } = await openAtelierWithMembers();
		expect(await answerTo(owner, "/settings media", { improve_prompts: true })).toContain("hasn't set up a text model");
		await expect(ada.type("/image", { prompt: "a boat", improve: true })).rejects.toThrow(/improve/);
		const result = await finalReply(ada.type("/image", { prompt: "a boat" }));
		expect(labelsOf(result)).not.toContain("Improve prompt");
	});
});
