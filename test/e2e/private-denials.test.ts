/** A denial concerns the member who asked: that member reads it, and nothing of it appears or stays in the channel. */
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import type { UserClient, Reply } from "@atelier/playground/user-client";
import { createFakeEngine, fakeImageModel, fakePng, fakeVideoModel } from "@atelier/studio/testing/fake-engine";
import { creditsLeft } from "./start-atelier.ts";
import { answerTo, openServer, plain, isPrivate } from "./server.ts";

const answersOf = (reply: Reply): APIMessage[] => reply.messages().filter(isFinalReply);

/** Ada owns a result and asks; Grace sees what is public. */
async function openStage() {
	const video = { ...fakeVideoModel, scenes: ["text-to-video", "image-to-video"] } as const;
	const options = { ...video.options, image_input: fakeImageModel.options["image_input"]! };
	const engine = createFakeEngine({ models: [fakeImageModel, { ...video, options }] });
	const server = await openServer({ engine });
	const completed = await (await server.ada.type("/image", { prompt: "a boat", seed: 5 })).until(isFinalReply);
	return { ...server, engine, completed };
}
type Stage = Awaited<ReturnType<typeof openStage>>;

const pause = ({ admin }: Stage): Promise<string> => answerTo(admin, "/settings pause", { on: true });
const forbid = ({ admin }: Stage): Promise<string> => answerTo(admin, "/filter add", { pattern: "storm" });
const general = async (userClient: UserClient): Promise<string> =>
	(await userClient.state()).channels.find(({ name }) => name === "general")?.id ?? "no channel";
const ask = (options: Parameters<UserClient["type"]>[1]) => async (stage: Stage) =>
	await stage.ada.type("/image", options);
const boat = ask({ prompt: "a boat" });

async function submitForm({ ada, completed }: Stage, label: string): Promise<Reply> {
	const form = await (await ada.press(completed, { label })).modal();
	return await ada.submit(form, { prompt: "a boat in a storm" });
}

async function confirm(stage: Stage, meanwhile: (stage: Stage) => Promise<unknown>): Promise<Reply> {
	await answerTo(stage.admin, "/settings general", { confirm_above: 0 });
	const question = await (await boat(stage)).until(isFinalReply);
	await meanwhile(stage);
	return await stage.ada.press(question, { label: "Make it for 4 credits" });
}

interface Denial {
	readonly prepare?: (stage: Stage) => Promise<unknown>;
	readonly act: (stage: Stage) => Promise<Reply>;
	readonly says: string;
}

const DENIALS: Readonly<Record<string, Denial>> = {
	"a paused server": { prepare: pause, act: boat, says: "Nothing is made in this server at the moment" },
	"a block": {
		prepare: ({ admin, ada }) => answerTo(admin, "/block", { member: ada.me.user.id, reason: "flooding" }),
		act: boat,
		says: "You are blocked",
	},
	"a channel rule": {
		prepare: async ({ admin }) =>
			await answerTo(admin, "/settings channel", { channel: await general(admin), rule: "deny" }),
		act: boat,
		says: "do not want that in this channel",
	},
	"another channel than the allowed one": {
		prepare: async ({ admin }) => {
			const { channels } = await admin.state();
			const gallery = channels.find(({ name }) => name === "gallery")?.id;
			await answerTo(admin, "/settings channel", { channel: gallery, rule: "allow" });
		},
		act: boat,
		says: "Not in this channel: use <#",
	},
	"a role that is needed": {
		prepare: ({ admin, roleId }) => answerTo(admin, "/settings role", { role: roleId("Admin"), rule: "allow" }),
		act: boat,
		says: "may have things made",
	},
	"a role rule": {
		prepare: ({ admin, roleId }) => answerTo(admin, "/settings role", { role: roleId("Artists"), rule: "deny" }),
		act: boat,
		says: "do not let",
	},
	"a medium that is off": {
		prepare: ({ admin }) => answerTo(admin, "/settings media", { image: false }),
		act: boat,
		says: "switched",
	},
	"a model that is off": {
		prepare: ({ admin }) => answerTo(admin, "/settings model", { model: "fake-image", on: false }),
		act: boat,
		says: "switched Fake image off",
	},
	"an unknown model": { act: ask({ prompt: "a boat", model: "nonesuch" }), says: "Choose one of: Fake image." },
	"an impossible aspect ratio": {
		act: ask({ prompt: "a boat", aspect_ratio: "9:99" }),
		says: "It takes one of 1:1, 16:9.",
	},
	"an unknown style": { act: ask({ prompt: "a boat", style: "nonesuch" }), says: "style" },
	"an empty prompt": { act: ask({ prompt: "\u200B" }), says: "prompt" },
	"forbidden words": { prepare: forbid, act: ask({ prompt: "a storm" }), says: "do not allow" },
	"an attachment that is no image": {
		act: async ({ ada }) => {
			const image = await ada.upload({ name: "a.txt", bytes: Buffer.from("text"), contentType: "text/plain" });
			return await ada.type("/image", { prompt: "a boat", image });
		},
		says: "PNG",
	},
	"an input image that is too large": {
		act: async ({ ada }) => {
			const bytes = Buffer.from(fakePng());
			bytes.writeUInt32BE(12_000, 16);
			bytes.writeUInt32BE(12_000, 20);
			const image = await ada.upload({ name: "a.png", bytes, contentType: "image/png" });
			return await ada.type("/image", { prompt: "a boat", image });
		},
		says: "fewer than 100",
	},
	"an allowance of the member": {
		prepare: ({ admin }) => answerTo(admin, "/quota member", { credits: 3 }),
		act: boat,
		says: "of your 3 credits a day",
	},
	"a limit of a medium": {
		prepare: ({ admin }) => answerTo(admin, "/quota medium", { medium: "image", credits: 3 }),
		act: boat,
		says: "each member may use for pictures",
	},
	"a limit of the server": {
		prepare: ({ admin }) => answerTo(admin, "/quota server", { credits: 3 }),
		act: boat,
		says: "of the 3 credits a month that this server lets itself use",
	},
	"too few credits": {
		prepare: ({ admin }) => answerTo(admin, "/credits revoke", { amount: 495, reason: "a test" }),
		act: boat,
		says: "That costs 4 credits, and this server has 1 left.",
	},
	"the question what it may cost": {
		prepare: ({ admin }) => answerTo(admin, "/settings general", { confirm_above: 0 }),
		act: boat,
		says: "costs **4 credits**",
	},
	"forbidden words, before any question what it may cost": {
		prepare: async (stage) => {
			await forbid(stage);
			await answerTo(stage.admin, "/settings general", { confirm_above: 0 });
		},
		act: ask({ prompt: "a storm" }),
		says: "do not allow",
	},
	"the decision to leave it": {
		prepare: ({ admin }) => answerTo(admin, "/settings general", { confirm_above: 0 }),
		act: async (stage) => {
			const question = await (await boat(stage)).until(isFinalReply);
			return await stage.ada.press(question, { label: "Leave it" });
		},
		says: "Not made.",
	},
	"a confirmation in a paused server": {
		act: (stage) => confirm(stage, pause),
		says: "Nothing is made in this server at the moment",
	},
	"a confirmation by a member who was blocked meanwhile": {
		act: (stage) =>
			confirm(stage, ({ admin, ada }) => answerTo(admin, "/block", { member: ada.me.user.id, reason: "flooding" })),
		says: "You are blocked",
	},
	"a button in a paused server": {
		prepare: pause,
		act: ({ ada, completed }) => ada.press(completed, { label: "Again" }),
		says: "Nothing is made in this server at the moment",
	},
	"a button without credits": {
		prepare: ({ admin }) => answerTo(admin, "/quota member", { credits: 3 }),
		act: ({ ada, completed }) => ada.press(completed, { label: "Vary" }),
		says: "of your 3 credits a day",
	},
	"a form with forbidden words": { prepare: forbid, act: (stage) => submitForm(stage, "Edit"), says: "do not allow" },
	"a form about an image with forbidden words": {
		prepare: forbid,
		act: (stage) => submitForm(stage, "Use as input"),
		says: "do not allow",
	},
	"a message menu in a paused server": {
		prepare: pause,
		act: ({ ada, completed }) => ada.context("Animate", completed),
		says: "Nothing is made in this server at the moment",
	},
};

test.each(Object.entries(DENIALS))("%s is reported to the member alone", async (_name, { prepare, act, says }) => {
	const stage = await openStage();
	await prepare?.(stage);
	const before = await stage.grace.messages();
	const runs = stage.engine.runs.length;
	const credits = await creditsLeft(stage.admin);

	const reply = await act(stage);

	await expect
		.poll(() =>
			reply
				.messages()
				.filter(isFinalReply)
				.map(({ content }) => plain(content))
				.join("\n"),
		)
		.toContain(says);
	expect(reply.messages().filter((message) => !isPrivate(message))).toStrictEqual([]);
	expect(await stage.grace.messages()).toStrictEqual(before);
	expect(stage.engine.runs).toHaveLength(runs);
	expect(await creditsLeft(stage.admin)).toBe(credits);
});

test("a denial in a race for the last credits is reported to the member alone", async () => {
	const stage = await openStage();
	// Of 496 credits 4 are left, which is enough for one of two.
	await answerTo(stage.admin, "/credits revoke", { amount: 492, reason: "a test" });
	const replies = await Promise.all([boat(stage), boat(stage), boat(stage), boat(stage)]);
	await expect.poll(() => replies.every((reply) => answersOf(reply).length > 0)).toBe(true);
	const answers = replies.flatMap(answersOf);
	expect(answers.filter((message) => !isPrivate(message))).toMatchObject([{ attachments: [{}] }]);
	expect(answers.filter(isPrivate).map(({ content }) => content)).toStrictEqual(
		Array.from({ length: 3 }, () => expect.stringContaining("credit")),
	);
	const thinking = (await stage.grace.messages()).filter((message) => !isFinalReply(message));
	expect(thinking).toStrictEqual([]);
});
