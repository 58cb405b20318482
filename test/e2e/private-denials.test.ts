/** Only the member who asked sees a denial: it neither appears nor stays in the channel, starts nothing and costs nothing. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import type { UserClient, Reply } from "@atelier/playground/user-client";
import { serverCreditsLeft } from "./start-atelier.ts";
import { answerTo, channelIdOf, createAnimatingEngine, openAtelierWithMembers, isPrivate } from "./user-clients.ts";
import { finalReply, openForm, plainText } from "./replies.ts";

/** Ada owns a result and types commands; Grace sees only public messages. */
async function setup() {
	const engine = createAnimatingEngine();
	const server = await openAtelierWithMembers({ engine });
	const result = await finalReply(server.ada.type("/image", { prompt: "a boat", seed: 5 }));
	return { ...server, engine, result };
}
type Scene = Awaited<ReturnType<typeof setup>>;

const finalRepliesOf = (reply: Reply): APIMessage[] => reply.messages().filter(isFinalReply);

const asAdmin =
	(command: string, options: (scene: Scene) => object) =>
	(scene: Scene): Promise<string> =>
		answerTo(scene.owner, command, options(scene));
const pause = asAdmin("/settings pause", () => ({ on: true }));
const block = asAdmin("/block", ({ ada }) => ({ member: ada.me.user.id, reason: "flooding" }));
const forbidStorm = asAdmin("/filter add", () => ({ pattern: "storm" }));
const askAboutCost = asAdmin("/settings general", () => ({ confirm_above: 0 }));
const limit = (command: string, options = {}) => asAdmin(command, () => ({ credits: 3, ...options }));

const type =
	(options: Parameters<UserClient["type"]>[1], command = "/image") =>
	(scene: Scene) =>
		scene.ada.type(command, options);
const typeBoat = type({ prompt: "a boat" });
const typeStorm = type({ prompt: "a storm" });
const press = (label: string) => (scene: Scene) => scene.ada.press(scene.result, { label });

const submitEdit =
	(change: object) =>
	async ({ ada, result }: Scene): Promise<Reply> => {
		const form = await openForm(ada.press(result, { label: "Edit" }));
		return await ada.submit(form, { prompt: "a ship", aspect_ratio: ["1:1"], resolution: ["1K"], ...change });
	};

const confirm =
	(label: string, meanwhile?: (scene: Scene) => Promise<unknown>) =>
	async (scene: Scene): Promise<Reply> => {
		await askAboutCost(scene);
		const question = await finalReply(typeBoat(scene));
		await meanwhile?.(scene);
		return await scene.ada.press(question, { label });
	};

async function typeWithTextFile({ ada }: Scene): Promise<Reply> {
	const image = await ada.upload({ name: "a.txt", bytes: Buffer.from("text"), contentType: "text/plain" });
	return await ada.type("/image", { prompt: "a boat", image });
}

async function typeWithThreeImages({ ada }: Scene): Promise<Reply> {
	const upload = () => ada.upload({ name: "a.png", bytes: fakePng(), contentType: "image/png" });
	const [image, image2, image3] = [await upload(), await upload(), await upload()];
	return await ada.type("/image", { prompt: "all", image, image2, image3 });
}

const nothing = () => Promise.resolve();
const PAUSED = "Generating is paused in this server.";
const CONFIRM = "Generate for 4 credits";

type Step<T> = (scene: Scene) => Promise<T>;
/** Denials, and questions and answers before a task, which are private as well. */
const DENIALS: readonly (readonly [name: string, prepare: Step<unknown>, act: Step<Reply>, text: string])[] = [
	["a paused server", pause, typeBoat, PAUSED],
	["a block", block, typeBoat, "You're blocked"],
	[
		"a denied channel",
		async ({ owner }) =>
			await answerTo(owner, "/settings channel", { channel: await channelIdOf(owner, "general"), rule: "deny" }),
		typeBoat,
		"You can't generate in this channel.",
	],
	[
		"a missing role",
		asAdmin("/settings role", ({ roleId }) => ({ role: roleId("Admin"), rule: "allow" })),
		typeBoat,
		"You need one of these roles to generate here",
	],
	["a disabled media type", asAdmin("/settings media", () => ({ image: false })), typeBoat, "turned off"],
	["an unknown model", nothing, type({ prompt: "a boat", model: "nonesuch" }), "Available models: Fake image."],
	[
		"an invalid option",
		nothing,
		type({ prompt: "a boat", aspect_ratio: "9:99" }),
		"`aspect_ratio`, only 1:1 and 16:9.",
	],
	[
		"an option that the model does not support",
		nothing,
		type({ prompt: "a boat", count: 2 }),
		"Fake image doesn't support `count`. Leave it out, or choose another model.",
	],
	[
		"a negative prompt that the model does not support",
		nothing,
		type({ prompt: "a boat", negative_prompt: "people" }, "/video"),
		"Fake video doesn't support `negative_prompt`.",
	],
	[
		"more images than the model takes",
		nothing,
		typeWithThreeImages,
		"Fake image takes at most 2 images. Choose another model, or attach fewer.",
	],
	["an unknown style", nothing, type({ prompt: "a boat", style: "nonesuch" }), "style"],
	["an empty prompt", nothing, type({ prompt: " \u3000\u200B " }), "The prompt is empty."],
	[
		"forbidden words",
		forbidStorm,
		typeStorm,
		"“storm” is blocked here. Try other words.\nYour prompt:\n```\na storm\n```",
	],
	["an attachment that is not an image", nothing, typeWithTextFile, "PNG"],
	["a quota of the member", limit("/quota member"), typeBoat, "your limit is 3 per day."],
	[
		"a quota of a media type",
		limit("/quota media_type", { media_type: "image" }),
		typeBoat,
		"your limit for images is 3 per day.",
	],
	["a quota of the server", limit("/quota server"), typeBoat, "this server's limit is 3 per month."],
	[
		"too few credits",
		asAdmin("/balance revoke", () => ({ amount: 495, reason: "a test" })),
		typeBoat,
		"This costs 4 credits, and this server has 1 left.",
	],
	["a confirmation question", askAboutCost, typeBoat, "for **4 credits**?"],
	[
		"forbidden words above the confirmation limit",
		async (scene) => [await forbidStorm(scene), await askAboutCost(scene)],
		typeStorm,
		"“storm” is blocked here.",
	],
	["a declined question", nothing, confirm("Cancel"), "Canceled."],
	["a confirmation in a paused server", nothing, confirm(CONFIRM, pause), PAUSED],
	["a confirmation after a block", nothing, confirm(CONFIRM, block), "You're blocked"],
	["a button in a paused server", pause, press("Regenerate"), PAUSED],
	["a button above a quota", limit("/quota member"), press("Vary"), "your limit is 3 per day."],
	[
		"a form with forbidden words",
		forbidStorm,
		submitEdit({ prompt: "a boat in a storm" }),
		"Your prompt:\n```\na boat in a storm\n```",
	],
	["a form with an empty prompt", nothing, submitEdit({ prompt: "\u200B" }), "The prompt is empty."],
	["a seed that is not a number", nothing, submitEdit({ seed: "many" }), "Seed must be a whole number, not many."],
	["a seed above the limit", nothing, submitEdit({ seed: "4000" }), "Choose a whole number from 0 to 1000."],
	["a context menu in a paused server", pause, ({ ada, result }) => ada.context("Animate", result), PAUSED],
];

test.each(DENIALS)("only the member sees the response: %s", async (_name, prepare, act, text) => {
	const scene = await setup();
	await prepare(scene);
	const before = await scene.grace.messages();
	const runs = scene.engine.runs.length;
	const credits = await serverCreditsLeft(scene.owner);
	const reply = await act(scene);
	const finalTexts = (): readonly string[] => finalRepliesOf(reply).map((message) => plainText(textOf(message)));
	await expect.poll(() => finalTexts().join("\n")).toContain(text);
	expect(reply.messages().filter((message) => !isPrivate(message))).toStrictEqual([]);
	expect(await scene.grace.messages()).toStrictEqual(before);
	expect(scene.engine.runs).toHaveLength(runs);
	expect(await serverCreditsLeft(scene.owner)).toBe(credits);
});

test("of concurrent commands for the last credits one gets a public result, and the others ephemeral denials", async () => {
	const scene = await setup();
	// Of 496 credits 4 are left, which is enough for one command.
	await answerTo(scene.owner, "/balance revoke", { amount: 492, reason: "a test" });
	const replies = await Promise.all([1, 2, 3, 4].map(() => typeBoat(scene)));
	await expect.poll(() => replies.every((reply) => finalRepliesOf(reply).length > 0)).toBe(true);
	const answers = replies.flatMap(finalRepliesOf);
	expect(answers.filter((message) => !isPrivate(message)).map((message) => filesOf(message).length)).toStrictEqual([1]);
	const denials = answers.filter(isPrivate).map((message) => textOf(message));
	expect(denials).toStrictEqual(Array.from({ length: 3 }, () => expect.stringContaining("credit")));
	const thinking = (await scene.grace.messages()).filter((message) => !isFinalReply(message));
	expect(thinking).toStrictEqual([]);
});
