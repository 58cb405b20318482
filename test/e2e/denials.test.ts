import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { OPENAI_KEY, openOpenAiServer } from "../fakes/openai-server.ts";
import { openAtelierWithMembers } from "./members.ts";
import { answerTo, isMessagePresent, isPrivate, pressAndWait, finalReply, openForm, plainText } from "./replies.ts";

const denied = async (client: UserClient, options: Parameters<UserClient["type"]>[1]): Promise<APIMessage> =>
	await finalReply(client.type("/image", { prompt: "a boat", ...options }));

describe("a denial", () => {
	test("of a prompt offers to edit it, and then generates with the other options of the command", async () => {
		const { owner, ada } = await openAtelierWithMembers();
		await answerTo(owner, "/filter add", { pattern: "storm" });
		const denial = await denied(ada, { prompt: "a storm", aspect_ratio: "16:9" });
		expect(isPrivate(denial)).toBe(true);
		expect(plainText(textOf(denial))).toContain("“storm” is blocked by this server's word filter.");
		expect(labelsOf(denial)).toEqual(["Edit prompt"]);
		const open = async () => await openForm(ada.press(denial, { label: "Edit prompt" }));
		expect(JSON.stringify(await open())).toContain('"value":"a storm"');
		const again = await finalReply(ada.submit(await open(), { prompt: "another storm" }));
		expect(plainText(textOf(again))).toContain("“storm” is blocked by this server's word filter.");
		const result = await finalReply(ada.submit(await open(), { prompt: "a calm sea" }));
		expect(filesOf(result)).toHaveLength(1);
		expect(plainText(textOf(result))).toContain("a calm sea");
		expect(textOf(result)).toContain("16:9");
		expect(isPrivate(result)).toBe(false);
	});

	test("of a prompt shows the price of the edited one, if the server wants it confirmed", async () => {
		const { owner, ada } = await openAtelierWithMembers();
		await answerTo(owner, "/filter add", { pattern: "storm" });
		await answerTo(owner, "/settings general", { confirm_above: 3 });
		const denial = await denied(ada, { prompt: "a storm" });
		const form = await openForm(ada.press(denial, { label: "Edit prompt" }));
		const question = await finalReply(ada.submit(form, { prompt: "a calm sea" }));
		await expect.poll(() => isMessagePresent(ada, denial)).toBe(false);
		expect(isPrivate(question)).toBe(true);
		expect(labelsOf(question)).toStrictEqual(["Generate for 4 credits", "Cancel"]);
		const result = await finalReply(ada.press(question, { label: "Generate for 4 credits" }));
		expect(filesOf(result)).toHaveLength(1);
		expect(plainText(textOf(result))).toContain("a calm sea");
		await expect.poll(() => isMessagePresent(ada, question)).toBe(false);
	});

	test.each([
		["the price once", { confirm_above: 3 }, {}],
		["one improved prompt", {}, { improve: true }],
	])("of a prompt shows %s, if two forms are sent at once", async (_what, general, options) => {
		const { url } = await openOpenAiServer({ complete: (prompt) => ({ text: `${prompt}, in oil` }) });
		const env = { PROMPT_MODEL_URL: url, PROMPT_MODEL_KEY: OPENAI_KEY, PROMPT_MODEL: "small" };
		const { owner, ada } = await openAtelierWithMembers({ env });
		await answerTo(owner, "/settings media", { improve_prompts: true });
		await answerTo(owner, "/filter add", { pattern: "storm" });
		await answerTo(owner, "/settings general", { pings: "ask", ...general });
		const denial = await denied(ada, { prompt: "a storm", ...options });
		const open = async () => await openForm(ada.press(denial, { label: "Edit prompt" }));
		const forms = [await open(), await open()];
		const replies = await Promise.all(
			forms.map(async (form) => await finalReply(ada.submit(form, { prompt: "a calm sea" }))),
		);
		const questions = replies.filter((reply) => labelsOf(reply).includes("Cancel"));
		const denials = replies.filter((reply) => textOf(reply).includes("already confirmed, edited or canceled"));
		expect([questions.length, denials.length]).toStrictEqual([1, 1]);
	});

	test("by the moderation service offers to edit the prompt only if no other text may be the reason", async () => {
		const { url } = await openOpenAiServer({ moderate: () => ({ flagged: ["violence"] }) });
		const env = { MODERATION_URL: url, MODERATION_API_KEY: OPENAI_KEY, MODERATION_KIND: "openai" };
		const { ada } = await openAtelierWithMembers({ env });
		const song = async (options = {}) => await finalReply(ada.type("/music", { prompt: "a song", ...options }));
		expect(labelsOf(await song())).toEqual(["Edit prompt"]);
		const denial = await song({ lyrics: "la la" });
		expect(textOf(denial)).toContain("moderation service doesn't accept");
		expect(textOf(denial)).toContain("la la");
		expect(labelsOf(denial)).toEqual([]);
	});

	test("of a limit shows the limits, one of a model what the member may use, and one of an empty prompt nothing", async () => {
		const { owner, ada } = await openAtelierWithMembers();
		const modelDenial = await denied(ada, { model: "none" });
		expect(textOf(await pressAndWait(ada, modelDenial, "See what you can use"))).toContain("Fake image");
		expect(labelsOf(await denied(ada, { prompt: " " }))).toEqual([]);
		await answerTo(owner, "/quota member", { credits: 3, member: ada.me.user.id });
		const limits = await pressAndWait(ada, await denied(ada, {}), "See limits");
		expect(isPrivate(limits)).toBe(true);
		expect(plainText(textOf(limits))).toContain("You have **3** of 3 credits left today.");
	});
});
