import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { t } from "../../src/i18n/messages.ts";
import { createFakeEngine, fakeImageModel, type FakeEngine } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { freePort } from "@atelier/common/testing/free-port";
import {
	serverCreditsLeft,
	openAtelier,
	advanceUntilAnswered,
	storeOnDisk,
	createAnimatingEngine,
	openAtelierWithMembers,
} from "./start-atelier.ts";
import {
	answerTo,
	isMessagePresent,
	isPrivate,
	pressAndWait,
	deleteResult,
	finalReply,
	openForm,
	hasFile,
	plainText,
} from "./replies.ts";

const HOUR_MS = 60 * 60_000;
const MIB = 1024 * 1024;
const ANIMATE = "Animate (15 credits)";

const generate = async (userClient: UserClient, options = {}): Promise<APIMessage> =>
	await finalReply(userClient.type("/image", { prompt: "a **boat**", seed: 5, ...options }));

async function setup() {
	const engine = createAnimatingEngine();
	return { engine, ...(await openAtelierWithMembers({ engine })) };
}

/** Expects that the task started from exactly this result. */
async function expectInput(engine: FakeEngine, userClient: UserClient, message: APIMessage, run = 1) {
	const [file] = filesOf(message);
	const bytes = file && (await userClient.download(file));
	expect(engine.runs[run]?.inputs.images.map((input) => Buffer.from(input))).toStrictEqual([bytes]);
}

test("the buttons of a result are those that its models support", async () => {
	const { ada } = await setup();
	const all = ["Regenerate", "Vary", "Edit", "⭐ Favorite", ANIMATE, "Use as input", "Delete"];
	expect(labelsOf(await generate(ada))).toStrictEqual(all);
	const video = await finalReply(ada.type("/video", { prompt: "a boat" }));
	expect(labelsOf(video)).toStrictEqual(["Regenerate", "Edit", "⭐ Favorite", "Delete"]);
	const textOnly = { ...fakeImageModel, scenes: ["text-to-image"] };
	const { ada: other } = await openAtelierWithMembers({ engine: createFakeEngine({ models: [textOnly] }) });
	expect(labelsOf(await generate(other))).toStrictEqual(["Regenerate", "Edit", "⭐ Favorite", "Delete"]);
});

test("the buttons of a result repeat a failed task", async () => {
	const { ada, engine } = await setup();
	engine.script.push({ kind: "fail", retryable: false });
	const failed = await generate(ada);
	expect(labelsOf(failed)).toStrictEqual(["Regenerate", "Edit"]);
	expect(filesOf(await pressAndWait(ada, failed, "Regenerate"))).toHaveLength(1);
});

test("Regenerate repeats the request with another seed for any member, once per press", async () => {
	const { ada, grace, engine } = await setup();
	const first = await generate(ada, { aspect_ratio: "16:9" });
	const [again, other] = await Promise.all([
		pressAndWait(grace, first, "Regenerate"),
		pressAndWait(grace, first, "Regenerate"),
	]);
	expect(new Set([first.id, again.id, other.id]).size).toBe(3);
	expect(filesOf(again)).toHaveLength(1);
	expect(plainText(textOf(again))).toContain("> a **boat**");
	expect(engine.runs[1]?.task.options).toMatchObject({ aspect_ratio: "16:9", resolution: "1K" });
	expect(engine.runs[0]?.task.options["seed"]).toBe(5);
	expect(engine.runs[1]?.task.options["seed"]).not.toBe(5);
	expect(await serverCreditsLeft(ada)).toBe(488);
});

test("the buttons of a result work after its token has expired, and report a removed task", async () => {
	const store = { ...(await storeOnDisk()), PORT: String(await freePort()) };
	const then = createManualClock();
	const before = await openAtelier({ engine: createAnimatingEngine(), clock: then, env: store });
	const first = await advanceUntilAnswered(then, await before.userClient.type("/image", { prompt: "a boat" }));
	await before.atelier.stop();
	const clock = createManualClock(then.nowMs() + 48 * HOUR_MS);
	const env = { ...store, TASK_RETENTION_DAYS: "1" };
	const { userClient, logs } = await openAtelier({ engine: createAnimatingEngine(), clock, env });
	const later = await userClient.press(first, { label: "Regenerate" });
	expect(filesOf(await advanceUntilAnswered(clock, later))).toHaveLength(1);
	const edit = await openForm(userClient.press(first, { label: "Edit" }));
	// Old tasks are removed five minutes after a start.
	await clock.advance(HOUR_MS / 10);
	await expect.poll(logs).toContain("old tasks removed");
	const edited = { prompt: "a ship", aspect_ratio: ["1:1"], resolution: ["1K"] };
	for (const denied of [
		await pressAndWait(userClient, first, "Regenerate"),
		await finalReply(userClient.submit(edit, edited)),
	]) {
		expect(textOf(denied)).toContain("The details of this result were deleted.");
		expect(isPrivate(denied)).toBe(true);
	}
	// The message itself names its member.
	await deleteResult(userClient, first);
	await expect.poll(() => isMessagePresent(userClient, first)).toBe(false);
});

test("Vary and Animate start from the image, link to its message, and name its member if it is another one", async () => {
	const { ada, grace, engine } = await setup();
	const own = await generate(ada);
	expect(textOf(own)).toContain(`-# by <@${ada.me.user.id}> · `);
	const original = `[this result](https://discord.com/channels/${(await ada.state()).guild.id}/${own.channel_id}/${own.id})`;
	const variedByAda = textOf(await pressAndWait(ada, own, "Vary"));
	expect(variedByAda).toContain(`-# by <@${ada.me.user.id}> · variation of ${original} · `);
	expect(engine.runs[1]?.task.scene).toBe("image-to-image");
	await expectInput(engine, ada, own);
	const varied = textOf(await pressAndWait(grace, own, "Vary"));
	expect(varied).toContain(`-# by <@${grace.me.user.id}> · variation of ${original} by <@${ada.me.user.id}> · `);
	const video = await pressAndWait(ada, own, ANIMATE);
	expect(plainText(textOf(video))).toContain("> a **boat**");
	expect(textOf(video)).toContain(`animated from ${original} · `);
	expect(engine.runs[3]?.task).toMatchObject({ model: "fake-video", scene: "image-to-video" });
	await expectInput(engine, ada, own, 3);
	expect(await serverCreditsLeft(ada)).toBe(473);
});

test("Vary generates again if the message shows no image, and does not call the result a variation", async () => {
	const { atelier, ada, grace, engine } = await setup();
	const admin = openAdminClient(atelier.origin);
	await admin.setFiles({ bytesMax: 1, announcedBytesMax: 10 * MIB });
	const withoutImage = await generate(ada);
	expect(filesOf(withoutImage)).toHaveLength(0);
	await admin.setFiles({ bytesMax: 10 * MIB, announcedBytesMax: 10 * MIB });
	const again = textOf(await pressAndWait(grace, withoutImage, "Vary"));
	expect(engine.runs[1]?.task).toMatchObject({ scene: "text-to-image", prompt: "a **boat**" });
	expect(again).toContain(`-# by <@${grace.me.user.id}> · made from [this result](`);
	expect(again).toContain(`) by <@${ada.me.user.id}> · `);
});

test("Edit opens a form with the prompt and the options, and generates what the member submits", async () => {
	const { ada, engine } = await setup();
	const first = await generate(ada, { aspect_ratio: "16:9" });
	const modal = await openForm(ada.press(first, { label: "Edit" }));
	const form = JSON.stringify(modal);
	expect(form).toContain('"value":"a **boat**"');
	expect(form).toMatch(/"default":true[^{}]*"value":"16:9"|"value":"16:9"[^{}]*"default":true/);
	const input = { prompt: "a ship", aspect_ratio: ["1:1"], resolution: ["2K"], seed: "77" };
	expect(plainText(textOf(await finalReply(ada.submit(modal, input))))).toContain("> a ship");
	const options = { aspect_ratio: "1:1", resolution: "2K", seed: 77 };
	expect(engine.runs[1]?.task).toMatchObject({ prompt: "a ship", options });
	expect(await serverCreditsLeft(ada)).toBe(488);
});

test("Use as input asks for another prompt, and starts from the image in its aspect ratio", async () => {
	const { ada, grace, engine } = await setup();
	const first = await generate(ada, { aspect_ratio: "16:9" });
	const modal = await openForm(grace.press(first, { label: "Use as input" }));
	expect(JSON.stringify(modal)).not.toContain("boat");
	const result = await finalReply(grace.submit(modal, { prompt: "the same in winter" }));
	expect(plainText(textOf(result))).toContain("> the same in winter");
	expect(engine.runs[1]?.task).toMatchObject({ scene: "image-to-image", options: { aspect_ratio: "16:9" } });
	await expectInput(engine, grace, first);
	expect(await serverCreditsLeft(ada)).toBe(492);
});

test("results of an ephemeral result are ephemeral", async () => {
	const { ada } = await setup();
	const first = await generate(ada, { private: true });
	expect(textOf(first)).not.toContain("by <@");
	const modal = await openForm(ada.press(first, { label: "Use as input" }));
	const results = [
		await pressAndWait(ada, first, "Regenerate"),
		await finalReply(ada.submit(modal, { prompt: "in winter" })),
		await finalReply(ada.context("Make variations", first)),
		await finalReply(ada.context("Animate", first)),
	];
	expect(results.map(isPrivate)).toStrictEqual(results.map(() => true));
	expect(textOf(results[1] ?? first)).toContain("made from a result · ");
});

test("Delete removes the message for its member and for moderators only, and keeps the charge", async () => {
	const { owner, ada, grace } = await setup();
	const [first, second] = [await generate(ada), await generate(ada)];
	const denied = await (await grace.press(first, { label: "Delete" })).until();
	expect(textOf(denied)).toContain("Only moderators and the member who asked for this");
	expect(isPrivate(denied)).toBe(true);
	expect(await isMessagePresent(ada, first)).toBe(true);
	const press = await deleteResult(ada, first);
	await expect.poll(() => isMessagePresent(ada, first)).toBe(false);
	await expect.poll(() => press.messages().map(textOf).join()).toContain("Deleted. Credits aren't refunded.");
	await deleteResult(owner, second);
	await expect.poll(() => isMessagePresent(ada, second)).toBe(false);
	expect(await serverCreditsLeft(ada)).toBe(492);
	expect(await answerTo(ada, "/job list")).toContain("**Done**");
});

test("the context menu of a message starts from its image and prompt, and denies a message without an image", async () => {
	const { ada, grace, engine } = await setup();
	const first = await generate(ada);
	const video = await finalReply(grace.context("Animate", first));
	expect(plainText(textOf(video))).toContain("> a **boat**");
	expect(engine.runs[1]).toMatchObject({ task: { scene: "image-to-video" }, inputs: { images: [expect.anything()] } });
	await finalReply(grace.context("Make variations", first));
	expect(engine.runs[2]?.task).toMatchObject({ scene: "image-to-image", prompt: "a **boat**" });
	await pressAndWait(ada, await finalReply(ada.type("/privacy delete")), t("en-US", { key: "button.deleteData" }));
	await finalReply(grace.context("Make variations", first));
	expect(engine.runs[3]?.task).toMatchObject({ prompt: "a variation of this image" });
	engine.script.push({ kind: "fail", retryable: false });
	const denied = await finalReply(ada.context("Animate", await generate(ada)));
	expect(textOf(denied)).toContain("There's no usable image in that message");
	expect(isPrivate(denied)).toBe(true);
});

test("a request above the confirmation limit of the server is confirmed by the member alone, and its public result replaces the question", async () => {
	const { owner, ada, grace, engine } = await setup();
	await answerTo(owner, "/settings general", { confirm_above: 10 });
	const question = await finalReply(ada.type("/video", { prompt: "a **boat**" }));
	expect(isPrivate(question)).toBe(true);
	expect(plainText(textOf(question))).toContain("Generate this video with Fake video for **15 credits**?");
	expect(labelsOf(question)).toStrictEqual(["Generate for 15 credits", "Cancel"]);
	expect(engine.runs).toHaveLength(0);
	expect(await serverCreditsLeft(ada)).toBe(500);
	const result = await (await ada.press(question, { label: "Generate for 15 credits" })).until(hasFile);
	expect(textOf(result)).toContain("15 credits · 485 left");
	expect(await isMessagePresent(grace, result)).toBe(true);
	await expect.poll(() => isMessagePresent(ada, question)).toBe(false);
});

test("a request above the confirmation limit of the server cannot be confirmed a day later", async () => {
	const clock = createManualClock();
	const { userClient } = await openAtelier({ clock });
	await advanceUntilAnswered(clock, await userClient.type("/settings general", { confirm_above: 0 }));
	const question = await advanceUntilAnswered(clock, await userClient.type("/image", { prompt: "a boat" }));
	await clock.jump(25 * HOUR_MS);
	const denied = await (await userClient.press(question, { label: "Generate for 4 credits" })).until(isPrivate);
	expect(textOf(denied)).toContain("or it expired");
});
