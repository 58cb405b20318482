/** Only the member who asked sees a denial: it neither appears nor stays in the channel, starts nothing and costs nothing. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import type { UserClient, Reply } from "@atelier/playground/user-client";
import { serverCreditsLeft } from "./start-atelier.ts";
import { answerTo, channelIdOf, createAnimatingEngine, openAtelierWithMembers, isPrivate } from "./user-clients.ts";
import { finalReply, openForm, plainText } from "./replies.ts";

/** Ada owns a result and types commands; Grace sees only public messages. */
async function setup() {
	const engine = createAnimatingEngine();
	const server = await openAtelierWithMembers({ engine });
	const made = await finalReply(server.ada.type("/image", { prompt: "a boat", seed: 5 }));
	return { ...server, engine, made };
}
type Stage = Awaited<ReturnType<typeof setup>>;

const finalOf = (reply: Reply): APIMessage[] => reply.messages().filter(isFinalReply);

const asAdmin =
	(command: string, options: (setupData: Stage) => object) =>
	(setupData: Stage): Promise<string> =>
		answerTo(setupData.owner, command, options(setupData));
const pause = asAdmin("/settings pause", () => ({ on: true }));
const block = asAdmin("/block", ({ ada }) => ({ member: ada.me.user.id, reason: "flooding" }));
const forbidStorm = asAdmin("/filter add", () => ({ pattern: "storm" }));
const askAboutCost = asAdmin("/settings general", () => ({ confirm_above: 0 }));
const limit = (command: string, options = {}) => asAdmin(command, () => ({ credits: 3, ...options }));

const type = (options: Parameters<UserClient["type"]>[1]) => (setupData: Stage) =>
	setupData.ada.type("/image", options);
const typeBoat = type({ prompt: "a boat" });
const typeStorm = type({ prompt: "a storm" });
const press = (label: string) => (setupData: Stage) => setupData.ada.press(setupData.made, { label });

const submit =
	(label: string) =>
	async ({ ada, made }: Stage): Promise<Reply> => {
		const form = await openForm(ada.press(made, { label }));
		return await ada.submit(form, { prompt: "a boat in a storm" });
	};

const confirm =
	(label: string, meanwhile?: (setupData: Stage) => Promise<unknown>) =>
	async (setupData: Stage): Promise<Reply> => {
		await askAboutCost(setupData);
		const question = await finalReply(typeBoat(setupData));
		await meanwhile?.(setupData);
		return await setupData.ada.press(question, { label });
	};

async function typeWithTextFile({ ada }: Stage): Promise<Reply> {
	const image = await ada.upload({ name: "a.txt", bytes: Buffer.from("text"), contentType: "text/plain" });
	return await ada.type("/image", { prompt: "a boat", image });
}

const nothing = () => Promise.resolve();
const PAUSED = "Generating is paused in this server.";
const CONFIRM = "Generate for 4 credits";

type Step<T> = (setupData: Stage) => Promise<T>;
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
		"Choose one of these: 1:1 and 16:9.",
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
		limit("/quota medium", { medium: "image" }),
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
		async (setupData) => [await forbidStorm(setupData), await askAboutCost(setupData)],
		typeStorm,
		"“storm” is blocked here.",
	],
	["a declined question", nothing, confirm("Cancel"), "Canceled."],
	["a confirmation in a paused server", nothing, confirm(CONFIRM, pause), PAUSED],
	["a confirmation after a block", nothing, confirm(CONFIRM, block), "You're blocked"],
	["a button in a paused server", pause, press("Regenerate"), PAUSED],
	["a button above a quota", limit("/quota member"), press("Vary"), "your limit is 3 per day."],
	["a form with forbidden words", forbidStorm, submit("Edit"), "Your prompt:\n```\na boat in a storm\n```"],
	["a context menu in a paused server", pause, ({ ada, made }) => ada.context("Animate", made), PAUSED],
];

test.each(DENIALS)("only the member sees the denial of %s", async (_name, prepare, act, text) => {
	const setupData = await setup();
	await prepare(setupData);
	const before = await setupData.grace.messages();
	const runs = setupData.engine.runs.length;
	const credits = await serverCreditsLeft(setupData.owner);
	const reply = await act(setupData);
	const final = (): string[] =>
		reply
			.messages()
			.filter(isFinalReply)
			.map((message) => plainText(textOf(message)));
	await expect.poll(() => final().join("\n")).toContain(text);
	expect(reply.messages().filter((message) => !isPrivate(message))).toStrictEqual([]);
	expect(await setupData.grace.messages()).toStrictEqual(before);
	expect(setupData.engine.runs).toHaveLength(runs);
	expect(await serverCreditsLeft(setupData.owner)).toBe(credits);
});

test("of concurrent commands for the last credits one gets a public result, and the others ephemeral denials", async () => {
	const setupData = await setup();
	// Of 496 credits 4 are left, which is enough for one command.
	await answerTo(setupData.owner, "/balance revoke", { amount: 492, reason: "a test" });
	const replies = await Promise.all([1, 2, 3, 4].map(() => typeBoat(setupData)));
	await expect.poll(() => replies.every((reply) => finalOf(reply).length > 0)).toBe(true);
	const answers = replies.flatMap(finalOf);
	expect(answers.filter((message) => !isPrivate(message)).map((message) => filesOf(message).length)).toStrictEqual([1]);
	const denials = answers.filter(isPrivate).map((message) => textOf(message));
	expect(denials).toStrictEqual(Array.from({ length: 3 }, () => expect.stringContaining("credit")));
	const thinking = (await setupData.grace.messages()).filter((message) => !isFinalReply(message));
	expect(thinking).toStrictEqual([]);
});
