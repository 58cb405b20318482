import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { assert, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { mediaIn } from "../../src/discord/message-contents.ts";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { serverCreditsLeft, CREDITS_AFTER_IMAGE, openAtelierWithMembers } from "./start-atelier.ts";
import { answerTo, answerToImage, isPrivate, finalReply, pressAndWait } from "./replies.ts";

/** The lines of `/job list` below its heading, without times. */
async function listOf(member: UserClient, options = {}): Promise<readonly string[]> {
	const content = await answerTo(member, "/job list", options);
	return content
		.replaceAll(/[\u2068\u2069]/g, "")
		.replaceAll(/<t:\d+:R>/g, "<then>")
		.split("\n")
		.filter((line) => !line.startsWith("**Jobs by"));
}

const newestId = async (member: UserClient): Promise<string> =>
	String((await member.autocomplete("/job show", { id: "" }, "id"))[0]?.value ?? assert.fail("no job"));

/** The labels of buttons that the bot handles, and the number of links to messages. */
const buttonsOf = (message: APIMessage) => ({
	labels: labelsOf(message),
	links: JSON.stringify(message.components).split('"url":"https://discord.com/channels/').length - 1,
});

/** Starts a task of Ada that does not end. */
async function setup() {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const server = await openAtelierWithMembers({ engine });
	const reply = await server.ada.type("/video", { prompt: "a slow boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	return { ...server, engine, reply, id: await newestId(server.ada) };
}

test("/job list shows the member's own tasks, newest first, with state, price, age, message, and the image of a public result, as /job show does", async () => {
	const { ada, grace, owner, reply } = await setup();
	await answerToImage(ada);
	await answerTo(ada, "/image", { prompt: "a secret", private: true });
	expect(await listOf(ada)).toStrictEqual([
		"**Done** · image · 4 credits · <then>",
		"> a secret",
		"**Done** · image · 4 credits · <then>",
		"> a boat",
		"**In progress** · video · 15 credits reserved · <then>",
		"> a slow boat",
	]);
	const listed = await finalReply(ada.type("/job list"));
	expect(mediaIn(listed.components)).toHaveLength(1);
	expect(JSON.stringify(listed.components)).toContain('"description":"a boat"');
	const thinking = await reply.until(() => true);
	expect(JSON.stringify(listed.components)).toContain(`/${thinking.channel_id}/${thinking.id}"`);
	// No link opens a private message: only its member can see the files again.
	expect(buttonsOf(listed)).toStrictEqual({ labels: ["Show"], links: 2 });
	const [, boat] = await ada.autocomplete("/job show", { id: "" }, "id");
	const shownBoat = await finalReply(ada.type("/job show", { id: String(boat?.value) }));
	expect(mediaIn(shownBoat.components)).toStrictEqual(mediaIn(listed.components));
	const secret = { id: await newestId(ada) };
	const shown = await finalReply(ada.type("/job show", secret));
	expect(buttonsOf(shown)).toStrictEqual({ labels: ["Show"], links: 0 });
	expect(textOf(shown).split("\n")).toContain(`-# \`${secret.id}\``);
	expect(filesOf(await pressAndWait(ada, shown, "Show"))).toHaveLength(1);
	const member = ada.me.user.id;
	expect(buttonsOf(await finalReply(owner.type("/job list", { member })))).toStrictEqual({ labels: [], links: 2 });
	expect(buttonsOf(await finalReply(owner.type("/job show", secret)))).toStrictEqual({ labels: [], links: 0 });
	expect(await listOf(owner, { member })).toHaveLength(6);
	expect(await listOf(grace, { member })).toStrictEqual([
		"That's another member's job. Only moderators can see or cancel it, and only that member can get its files.",
	]);
});

test("/job show describes a running task, and `/job get` denies it", async () => {
	const { ada, id } = await setup();
	const content = await answerTo(ada, "/job show", { id });
	expect(content.replaceAll(/[\u2068\u2069]|<t:\d+:R>/g, "").split("\n")).toStrictEqual([
		"> a slow boat",
		"**In progress** · video · Fake video · ",
		"Cost: 15 credits reserved",
		"If it isn't done , it ends and costs nothing.",
		expect.stringMatching(new RegExp(`^-# \\[message\\]\\(https://discord\\.com/channels/[\\d/]+\\) · \`${id}\`$`)),
	]);
	expect(await answerTo(ada, "/job get", { id })).toMatch(
		/^This job isn't done yet\. Check it with <\/job show:\d+>\.$/m,
	);
});

test("/job show gives the reason of a failed task, and `/job get` denies it", async () => {
	const engine = createFakeEngine({ script: [{ kind: "fail", code: "content_policy", retryable: false }] });
	const { ada } = await openAtelierWithMembers({ engine });
	await answerToImage(ada);
	const id = await newestId(ada);
	const content = await answerTo(ada, "/job show", { id });
	expect(content).toContain("**Failed**");
	expect(content).toContain("doesn't accept this prompt");
	expect(content).toContain("Cost: no credits");
	expect(await answerTo(ada, "/job get", { id })).toContain("This job has no files.");
});

test("/job get delivers the files again to the member alone, free of charge", async () => {
	const { ada } = await openAtelierWithMembers();
	const first = await finalReply(ada.type("/image", { prompt: "a boat" }));
	const again = await finalReply(ada.type("/job get", { id: await newestId(ada) }));
	expect(isPrivate(again)).toBe(true);
	expect(filesOf(again)).toMatchObject([{ content_type: "image/png", description: "a boat" }]);
	const files = [first, again].flatMap((message) => filesOf(message).map((file) => ada.download(file)));
	const [one, other] = await Promise.all(files);
	expect(other).toStrictEqual(one);
	expect(await serverCreditsLeft(ada)).toBe(CREDITS_AFTER_IMAGE);
});

test("/job cancel cancels a task at the engine, for moderators and its member only, and returns the credits", async () => {
	const { owner, ada, grace, id, engine, reply } = await setup();
	expect(await answerTo(grace, "/job cancel", { id })).toContain("That's another member's job.");
	expect(await answerTo(owner, "/job cancel", { id, member: ada.me.user.id })).toBe(
		"Canceled. No credits were charged.",
	);
	expect(engine.runs[0]?.signal.aborted).toBe(true);
	expect(textOf(await reply.until(isFinalReply))).toContain(`This job was canceled by <@${owner.me.user.id}>`);
	expect(await serverCreditsLeft(ada)).toBe(500);
	expect((await listOf(ada))[0]).toContain("**Canceled** · video · no credits");
});

test("/job cancel offers only the tasks that can be canceled", async () => {
	const { owner, ada, id } = await setup();
	await answerToImage(ada);
	const offered = await ada.autocomplete("/job cancel", { id: "" }, "id");
	expect(offered).toStrictEqual([{ name: "a slow boat (video, In progress, now)", value: id }]);
	expect(await ada.autocomplete("/job show", { id: "" }, "id")).toHaveLength(2);
	expect(await ada.autocomplete("/job get", { id: "boa" }, "id")).toMatchObject([
		{ name: expect.stringMatching(/^a boat \(image, Done, /) },
	]);
	const member = ada.me.user.id;
	expect(await owner.autocomplete("/job cancel", { id: "", member }, "id")).toMatchObject([{ value: id }]);
});
