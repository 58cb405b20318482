import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { labelsOf, type Reply, type UserClient } from "@atelier/playground/user-client";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { OPENAI_KEY, openOpenAiServer } from "../fakes/openai-server.ts";
import {
	CREDITS_AFTER_IMAGE,
	createAnimatingEngine,
	openAtelierWithMembers,
	serverCreditsLeft,
} from "./start-atelier.ts";
import {
	answerTo,
	generateImage,
	isMessagePresent,
	isPrivate,
	pressAndWait,
	finalReply,
	openForm,
	plainText,
} from "./replies.ts";

const denied = async (client: UserClient, options: Parameters<UserClient["type"]>[1]): Promise<APIMessage> =>
	await finalReply(client.type("/image", { prompt: "a boat", ...options }));
const finalRepliesOf = (reply: Reply): APIMessage[] => reply.messages().filter(isFinalReply);

test("a denial of a prompt offers to edit it, and then generates with the other options of the command", async () => {
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

test.each([
	["the price", { confirm_above: 3 }, {}, "Generate for 4 credits"],
	["the improved prompt", {}, { improve: true }, "Use improved prompt"],
])("a denial of a prompt shows %s once, if two forms are sent at once", async (_what, general, options, label) => {
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
	const questions = replies.filter((reply) => labelsOf(reply).includes(label));
	const denials = replies.filter((reply) => textOf(reply).includes("already confirmed, edited or canceled"));
	expect([questions.map(isPrivate), denials.length]).toStrictEqual([[true], 1]);
	await expect.poll(() => isMessagePresent(ada, denial)).toBe(false);
});

test("a denial by the moderation service offers to edit the prompt only if no other text may be the reason", async () => {
	const { url } = await openOpenAiServer({ moderate: () => ({ flagged: ["violence"] }) });
	const env = { MODERATION_URL: url, MODERATION_API_KEY: OPENAI_KEY, MODERATION_KIND: "openai" };
	const { ada } = await openAtelierWithMembers({ env });
	const song = async (options = {}) => await finalReply(ada.type("/music", { prompt: "a song", ...options }));
	expect(labelsOf(await song())).toEqual(["Edit prompt"]);
	expect(await answerTo(ada, "/credits history")).toBe("Nothing to show yet.");
	const denial = await song({ lyrics: "la la" });
	expect(textOf(denial)).toContain("moderation service doesn't accept");
	expect(textOf(denial)).toContain("la la");
	expect(labelsOf(denial)).toEqual([]);
});

test("a denial of a limit shows the limits, one of a model what the member may use, and one of an empty prompt nothing", async () => {
	const { owner, ada } = await openAtelierWithMembers();
	const modelDenial = await denied(ada, { model: "none" });
	expect(textOf(await pressAndWait(ada, modelDenial, "See what you can use"))).toContain("Fake image");
	expect(labelsOf(await denied(ada, { prompt: " " }))).toEqual([]);
	await answerTo(owner, "/quota member", { credits: 3, member: ada.me.user.id });
	const limits = await pressAndWait(ada, await denied(ada, {}), "See limits");
	expect(isPrivate(limits)).toBe(true);
	expect(plainText(textOf(limits))).toContain("You have **3** of 3 credits left today.");
});

/** The reasons of denials are tested with the services that decide. */
test("only the member sees a denial, or a question before a task, of any interaction and at any step of a request", async () => {
	const engine = createAnimatingEngine();
	const { owner, ada, grace } = await openAtelierWithMembers({ engine });
	const result = await generateImage(ada);
	const seenByOthers = await grace.messages();
	async function expectPrivate(interaction: Promise<Reply>, text: string): Promise<void> {
		const reply = await interaction;
		const finalTexts = () => finalRepliesOf(reply).map((message) => plainText(textOf(message)));
		await expect.poll(() => finalTexts().join("\n")).toContain(text);
		expect(reply.messages().filter((message) => !isPrivate(message))).toStrictEqual([]);
		expect(await grace.messages()).toStrictEqual(seenByOthers);
	}
	const typeBoat = (options = {}) => ada.type("/image", { prompt: "a boat", ...options });

	await expectPrivate(typeBoat({ model: "nonesuch" }), "Available models: Fake image.");
	const image = await ada.upload({ name: "a.txt", bytes: fakePng(), contentType: "text/plain" });
	await expectPrivate(typeBoat({ image }), "PNG");
	await answerTo(owner, "/filter add", { pattern: "storm" });
	const form = await openForm(ada.press(result, { label: "Edit" }));
	const edited = { prompt: "a storm", aspect_ratio: ["1:1"], resolution: ["1K"] };
	await expectPrivate(ada.submit(form, edited), "You typed:\n```\na storm\n```");
	await answerTo(owner, "/settings general", { confirm_above: 0 });
	await expectPrivate(typeBoat(), "for **4 credits**?");
	const [declined, confirmed] = [await finalReply(typeBoat()), await finalReply(typeBoat())];
	await expectPrivate(ada.press(declined, { label: "Cancel" }), "Canceled.");
	await answerTo(owner, "/settings pause", { on: true });
	const PAUSED = "The admins paused generating in this server.";
	await expectPrivate(ada.press(confirmed, { label: "Generate for 4 credits" }), PAUSED);
	await expectPrivate(ada.press(result, { label: "Regenerate" }), PAUSED);
	await expectPrivate(ada.context("Animate", result), PAUSED);
	expect(engine.runs).toHaveLength(1);
	expect(await serverCreditsLeft(owner)).toBe(CREDITS_AFTER_IMAGE);
});

test("of concurrent commands for the last credits one gets a public result, and the others ephemeral denials", async () => {
	const { ada, grace } = await openAtelierWithMembers({ env: { GUILD_CREDITS: "4" } });
	const commands = [1, 2, 3, 4].map(() => finalReply(ada.type("/image", { prompt: "a boat" })));
	const answers = await Promise.all(commands);
	expect(answers.filter((message) => isPrivate(message) && textOf(message).includes("credit"))).toHaveLength(3);
	expect(answers.filter((message) => !isPrivate(message)).flatMap(filesOf)).toHaveLength(1);
	expect((await grace.messages()).filter((message) => !isFinalReply(message))).toStrictEqual([]);
});
