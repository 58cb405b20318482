/** Only the member who asked sees a denial: it neither appears nor stays in the channel, starts nothing and costs nothing. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import type { UserClient, Reply } from "@atelier/playground/user-client";
import { serverCreditsLeft, createAnimatingEngine, CREDITS_AFTER_IMAGE } from "./start-atelier.ts";
import { openAtelierWithMembers } from "./members.ts";
import { answerTo, isPrivate, finalReply, openForm, plainText } from "./replies.ts";

/** Ada owns a result and types commands; Grace sees only public messages. */
async function setup() {
	const engine = createAnimatingEngine();
	const server = await openAtelierWithMembers({ engine });
	const result = await finalReply(server.ada.type("/image", { prompt: "a boat", seed: 5 }));
	return { ...server, engine, result };
}
type Scene = Awaited<ReturnType<typeof setup>>;
type Step<T> = (scene: Scene) => Promise<T>;

const finalRepliesOf = (reply: Reply): APIMessage[] => reply.messages().filter(isFinalReply);

const asAdmin =
	(command: string, options: object): Step<string> =>
	({ owner }) =>
		answerTo(owner, command, options);
const pause = asAdmin("/settings pause", { on: true });
const forbidStorm = asAdmin("/filter add", { pattern: "storm" });
const askAboutCost = asAdmin("/settings general", { confirm_above: 0 });

const type =
	(options: Parameters<UserClient["type"]>[1]): Step<Reply> =>
	({ ada }) =>
		ada.type("/image", options);
const typeBoat = type({ prompt: "a boat" });
const press: Step<Reply> = ({ ada, result }) => ada.press(result, { label: "Regenerate" });
const submitStorm: Step<Reply> = async ({ ada, result }) => {
	const form = await openForm(ada.press(result, { label: "Edit" }));
	return await ada.submit(form, { prompt: "a storm", aspect_ratio: ["1:1"], resolution: ["1K"] });
};

const answerQuestion =
	(label: string, meanwhile?: Step<unknown>): Step<Reply> =>
	async (scene) => {
		const question = await finalReply(typeBoat(scene));
		await meanwhile?.(scene);
		return await scene.ada.press(question, { label });
	};

const typeWithText: Step<Reply> = async ({ ada }) => {
	const image = await ada.upload({ name: "a.txt", bytes: fakePng(), contentType: "text/plain" });
	return await ada.type("/image", { prompt: "a boat", image });
};

const PAUSED = "The admins paused generating in this server.";
const nothing = (): Promise<void> => Promise.resolve();

/**
 * A denial of each kind of interaction at each step of a request, and the questions and answers before a task, which are
 * private as well. They follow each other in one server. The reasons of denials are tested with the services that decide.
 */
const DENIALS: readonly (readonly [name: string, prepare: Step<unknown>, act: Step<Reply>, text: string])[] = [
	["an unknown model", nothing, type({ prompt: "a boat", model: "nonesuch" }), "Available models: Fake image."],
	["an attachment that is not an image", nothing, typeWithText, "PNG"],
	["a form with forbidden words", forbidStorm, submitStorm, "You typed:\n```\na storm\n```"],
	["a confirmation question", askAboutCost, typeBoat, "for **4 credits**?"],
	["a declined question", nothing, answerQuestion("Cancel"), "Canceled."],
	["a confirmation in a paused server", nothing, answerQuestion("Generate for 4 credits", pause), PAUSED],
	["a button in a paused server", nothing, press, PAUSED],
	["a context menu in a paused server", nothing, ({ ada, result }) => ada.context("Animate", result), PAUSED],
];

test("only the member sees a denial, or a question before a task", async () => {
	const scene = await setup();
	for (const [name, prepare, act, text] of DENIALS) {
		await prepare(scene);
		const before = await scene.grace.messages();
		const reply = await act(scene);
		const finalTexts = () => finalRepliesOf(reply).map((message) => plainText(textOf(message)));
		await expect.poll(() => finalTexts().join("\n"), { message: name }).toContain(text);
		expect(reply.messages().filter((message) => !isPrivate(message))).toStrictEqual([]);
		expect(await scene.grace.messages()).toStrictEqual(before);
		expect(await serverCreditsLeft(scene.owner)).toBe(CREDITS_AFTER_IMAGE);
	}
	expect(scene.engine.runs).toHaveLength(1);
});

test("of concurrent commands for the last credits one gets a public result, and the others ephemeral denials", async () => {
	const scene = await setup();
	// Leaves 4 credits, which is enough for one command.
	await answerTo(scene.owner, "/balance revoke", { amount: CREDITS_AFTER_IMAGE - 4, reason: "a test" });
	const replies = await Promise.all([1, 2, 3, 4].map(() => typeBoat(scene)));
	await expect.poll(() => replies.every((reply) => finalRepliesOf(reply).length > 0)).toBe(true);
	const answers = replies.flatMap(finalRepliesOf);
	expect(answers.filter((message) => !isPrivate(message)).map((message) => filesOf(message).length)).toStrictEqual([1]);
	const denials = answers.filter(isPrivate).map((message) => textOf(message));
	expect(denials).toStrictEqual(Array.from({ length: 3 }, () => expect.stringContaining("credit")));
	const thinking = (await scene.grace.messages()).filter((message) => !isFinalReply(message));
	expect(thinking).toStrictEqual([]);
});
