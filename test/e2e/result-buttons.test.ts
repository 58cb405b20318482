import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import type { Model } from "@atelier/studio/engines/engine";
import type { UserClient } from "@atelier/playground/user-client";
import { createFakeEngine, fakeImageModel, fakeVideoModel } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { creditsLeft, newFolder, openAtelier, passUntilAnswered } from "./start-atelier.ts";
import { freePort } from "@atelier/common/testing/free-port";
import { answerTo, openServer, plain, isPrivate } from "./server.ts";

const HOUR_MS = 60 * 60_000;
const motionModel: Model = {
	...fakeVideoModel,
	scenes: ["text-to-video", "image-to-video"],
	options: {
		...fakeVideoModel.options,
		image_input: {
			type: "array",
			description: "A picture to start from.",
			items: { type: "string", format: "uri" },
			maxItems: 1,
		},
	},
};
const createEngine = () => createFakeEngine({ models: [fakeImageModel, motionModel] });

const labels = ({ components }: APIMessage): string[] =>
	(components ?? []).flatMap((row) =>
		"components" in row ? row.components.flatMap((each) => ("label" in each ? [each.label ?? ""] : [])) : [],
	);
const picture = async (userClient: UserClient, options = {}): Promise<APIMessage> =>
	await (await userClient.type("/image", { prompt: "a **boat**", seed: 5, ...options })).until(isFinalReply);
const pressed = async (userClient: UserClient, message: APIMessage, label: string): Promise<APIMessage> =>
	await (await userClient.press(message, { label })).until(isFinalReply);

async function openStage() {
	const engine = createEngine();
	return { engine, ...(await openServer({ engine })) };
}

/** A result of the day before yesterday, on a bot that was started since and keeps nothing for longer than a day. */
async function madeLongAgo() {
	const folder = await newFolder();
	const store = { DATA_DIR: folder, STORE_URL: `sqlite:${folder}/atelier.db`, PORT: String(await freePort()) };
	const then = createManualClock();
	const before = await openAtelier({ engine: createEngine(), clock: then, env: store });
	const first = await passUntilAnswered(then, await before.userClient.type("/image", { prompt: "a boat" }));
	expect(first.attachments).toHaveLength(1);
	await before.atelier.stop();
	const clock = createManualClock(then.nowMs() + 48 * HOUR_MS);
	const env = { ...store, TASK_RETENTION_DAYS: "1" };
	const { userClient, logs } = await openAtelier({ engine: createEngine(), clock, env });
	/** Old tasks are removed five minutes after a start. */
	async function forget(): Promise<void> {
		await clock.advance(HOUR_MS / 10);
		await expect.poll(() => logs()).toContain("old tasks removed");
	}
	return { clock, userClient, first, forget };
}

describe("below a result", () => {
	test("all applicable actions are offered", async () => {
		const { ada } = await openStage();
		const under = ["Again", "Vary", "Edit", "Animate", "Use as input", "Report", "Delete"];
		expect(labels(await picture(ada))).toStrictEqual(under);
		const film = await (await ada.type("/video", { prompt: "a boat" })).until(isFinalReply);
		expect(labels(film)).toStrictEqual(["Again", "Edit", "Report", "Delete"]);
	});

	test("Animate and Use as input are offered only if a model supports them", async () => {
		const { ada } = await openServer({ engine: createFakeEngine() });
		expect(labels(await picture(ada))).not.toContain("Animate");
		const blind = { ...fakeImageModel, scenes: ["text-to-image"] };
		const { ada: bea } = await openServer({ engine: createFakeEngine({ models: [blind] }) });
		expect(labels(await picture(bea))).not.toContain("Use as input");
	});

	test("a failed task can be repeated, also with another prompt", async () => {
		const engine = createFakeEngine({ script: [{ kind: "fail", retryable: false }] });
		const { ada } = await openServer({ engine });
		const failed = await picture(ada);
		expect(labels(failed)).toStrictEqual(["Again", "Edit"]);
		expect((await pressed(ada, failed, "Again")).attachments).toHaveLength(1);
	});
});

describe("Again", () => {
	test("repeats the request with another seed for any member, at the price of a command", async () => {
		const { ada, grace, engine } = await openStage();
		const first = await picture(ada, { aspect_ratio: "16:9" });
		const again = await pressed(grace, first, "Again");
		expect(again.id).not.toBe(first.id);
		expect(again.attachments).toHaveLength(1);
		expect(plain(again.content)).toContain("> a **boat**");
		expect(engine.runs[1]?.task.options).toMatchObject({ aspect_ratio: "16:9", resolution: "1K" });
		expect(engine.runs[0]?.task.options["seed"]).toBe(5);
		expect(engine.runs[1]?.task.options["seed"]).not.toBe(5);
		expect(await creditsLeft(ada)).toBe(492);
		expect(await answerTo(grace, "/credits history")).toContain("4");
	});

	test("of an ephemeral result is ephemeral", async () => {
		const { ada } = await openStage();
		const first = await picture(ada, { private: true });
		expect(isPrivate(await pressed(ada, first, "Again"))).toBe(true);
	});

	test("pressed twice creates two tasks, as typing twice does", async () => {
		const { ada } = await openStage();
		const first = await picture(ada);
		const [one, other] = await Promise.all([pressed(ada, first, "Again"), pressed(ada, first, "Again")]);
		expect(one.id).not.toBe(other.id);
		expect(await creditsLeft(ada)).toBe(488);
	});

	test("works long after its token has expired, and reports a removed task", async () => {
		const { clock, userClient, first, forget } = await madeLongAgo();
		const later = await userClient.press(first, { label: "Again" });
		expect((await passUntilAnswered(clock, later)).attachments).toHaveLength(1);
		await forget();
		const muchLater = await (await userClient.press(first, { label: "Again" })).until(isFinalReply);
		expect(muchLater.content).toContain("is no longer kept here");
		expect(isPrivate(muchLater)).toBe(true);
		// The message itself names its member.
		await userClient.press(first, { label: "Delete" });
		await expect.poll(async () => (await userClient.messages()).some(({ id }) => id === first.id)).toBe(false);
	});
});

test("Vary starts from the image", async () => {
	const { ada, engine } = await openStage();
	const first = await picture(ada);
	expect((await pressed(ada, first, "Vary")).attachments).toHaveLength(1);
	const [attachment] = first.attachments;
	const bytes = attachment && (await ada.download(attachment));
	expect(engine.runs[1]?.task.scene).toBe("image-to-image");
	expect(engine.runs[1]?.task.inputs.map((input) => Buffer.from(input))).toStrictEqual([bytes]);
});

test("Animate generates a video from the image", async () => {
	const { ada, engine } = await openStage();
	const first = await picture(ada);
	expect(plain((await pressed(ada, first, "Animate")).content)).toContain("> a **boat**");
	expect(engine.runs[1]?.task).toMatchObject({ model: "fake-video", scene: "image-to-video" });
	expect(engine.runs[1]?.task.inputs).toHaveLength(1);
	expect(await creditsLeft(ada)).toBe(481);
});

describe("Edit", () => {
	test("opens a form with prompt and options, and submits its values", async () => {
		const { ada, engine } = await openStage();
		const first = await picture(ada, { aspect_ratio: "16:9" });
		const modal = await (await ada.press(first, { label: "Edit" })).modal();
		const form = JSON.stringify(modal);
		expect(form).toContain('"value":"a **boat**"');
		expect(form).toMatch(/"default":true[^{}]*"value":"16:9"|"value":"16:9"[^{}]*"default":true/);
		const sent = await ada.submit(modal, { prompt: "a ship", aspect_ratio: ["1:1"], resolution: ["2K"], seed: "77" });
		expect(plain((await sent.until(isFinalReply)).content)).toContain("> a ship");
		expect(engine.runs[1]?.task).toMatchObject({
			prompt: "a ship",
			options: { aspect_ratio: "1:1", resolution: "2K", seed: 77 },
		});
		expect(await creditsLeft(ada)).toBe(488);
	});

	test.each([
		[{ seed: "many" }, "Seed: many is not a whole number."],
		[{ seed: "4000" }, "It takes a whole number from 0 to 1000."],
		[{ prompt: "\u200B" }, "There is nothing in that prompt."],
	])("denies %j by name, and charges nothing", async (change, words) => {
		const { ada } = await openStage();
		const first = await picture(ada);
		const modal = await (await ada.press(first, { label: "Edit" })).modal();
		const sent = await ada.submit(modal, { prompt: "a ship", aspect_ratio: ["1:1"], resolution: ["1K"], ...change });
		expect(plain((await sent.until(isFinalReply)).content)).toContain(words);
		expect(await creditsLeft(ada)).toBe(496);
	});

	test("of a task that was removed while the form was open is denied, as is Use as input", async () => {
		const { userClient, first, forget } = await madeLongAgo();
		const edit = await (await userClient.press(first, { label: "Edit" })).modal();
		const input = await (await userClient.press(first, { label: "Use as input" })).modal();
		await forget();
		for (const sent of [
			await userClient.submit(edit, { prompt: "a ship", aspect_ratio: ["1:1"], resolution: ["1K"] }),
			await userClient.submit(input, { prompt: "a ship" }),
		]) {
			const refused = await sent.until(isFinalReply);
			expect(refused.content).toContain("is no longer kept here");
			expect(isPrivate(refused)).toBe(true);
		}
	});
});

describe("Use as input", () => {
	test("asks for a prompt, and starts from the image, with its aspect ratio and at the price of a command", async () => {
		const { ada, grace, engine } = await openStage();
		const first = await picture(ada, { aspect_ratio: "16:9" });
		const modal = await (await grace.press(first, { label: "Use as input" })).modal();
		expect(JSON.stringify(modal)).not.toContain("boat");
		const completed = await (await grace.submit(modal, { prompt: "the same in winter" })).until(isFinalReply);
		expect(plain(completed.content)).toContain("> the same in winter");
		const [attachment] = first.attachments;
		const bytes = attachment && (await grace.download(attachment));
		expect(engine.runs[1]?.task).toMatchObject({ scene: "image-to-image", options: { aspect_ratio: "16:9" } });
		expect(engine.runs[1]?.task.inputs.map((input) => Buffer.from(input))).toStrictEqual([bytes]);
		expect(await creditsLeft(ada)).toBe(492);
	});

	test("of a private result is private", async () => {
		const { ada } = await openStage();
		const modal = await (await ada.press(await picture(ada, { private: true }), { label: "Use as input" })).modal();
		expect(isPrivate(await (await ada.submit(modal, { prompt: "in winter" })).until(isFinalReply))).toBe(true);
	});
});

const isThere = async (userClient: UserClient, { id }: APIMessage): Promise<boolean> =>
	(await userClient.messages()).some((message) => message.id === id);

describe("Delete", () => {
	test("deletes the message for its member, and keeps the charge", async () => {
		const { ada } = await openStage();
		const first = await picture(ada);
		const press = await ada.press(first, { label: "Delete" });
		await expect.poll(() => isThere(ada, first)).toBe(false);
		await expect
			.poll(() => press.messages().some(({ content }) => content.startsWith("Deleted. What it cost stays spent")))
			.toBe(true);
		expect(await creditsLeft(ada)).toBe(496);
		expect(await answerTo(ada, "/job list")).toContain("**done**");
	});

	test("is for its member and moderators only", async () => {
		const { admin, ada, grace } = await openStage();
		const first = await picture(ada);
		const refused = await (await grace.press(first, { label: "Delete" })).until();
		expect(refused.content).toContain("Only whoever asked for this");
		expect(isPrivate(refused)).toBe(true);
		expect(await isThere(ada, first)).toBe(true);
		await admin.press(first, { label: "Delete" });
		await expect.poll(() => isThere(ada, first)).toBe(false);
	});
});

describe("in the context menu of a message", () => {
	test("Animate and Make variations use its image and its prompt", async () => {
		const { ada, grace, engine } = await openStage();
		const first = await picture(ada);
		const film = await (await grace.context("Animate", first)).until(isFinalReply);
		expect(plain(film.content)).toContain("> a **boat**");
		expect(engine.runs[1]?.task).toMatchObject({ scene: "image-to-video", inputs: [expect.anything()] });
		await (await grace.context("Make variations", first)).until(isFinalReply);
		expect(engine.runs[2]?.task).toMatchObject({ scene: "image-to-image", prompt: "a **boat**" });
	});

	test("tasks that start from a private result are private", async () => {
		const { ada } = await openStage();
		const first = await picture(ada, { private: true });
		expect(isPrivate(await (await ada.context("Make variations", first)).until(isFinalReply))).toBe(true);
		expect(isPrivate(await (await ada.context("Animate", first)).until(isFinalReply))).toBe(true);
	});

	test("a message without an image is denied to the member alone", async () => {
		const { ada, engine } = await openStage();
		engine.script.push({ kind: "fail", retryable: false });
		const failed = await picture(ada);
		const refused = await (await ada.context("Animate", failed)).until(isFinalReply);
		expect(refused.content).toContain("There is no picture in that message");
		expect(isPrivate(refused)).toBe(true);
		expect(await creditsLeft(ada)).toBe(500);
	});
});

async function asked() {
	const stage = await openStage();
	await answerTo(stage.admin, "/settings general", { confirm_above: 10 });
	const reply = await stage.ada.type("/video", { prompt: "a **boat**" });
	const question = await reply.until(isFinalReply);
	return { ...stage, reply, question };
}

describe("a request above the guild's confirmation limit", () => {
	test("asks the member alone for confirmation, and its public reply replaces the question", async () => {
		const { ada, grace, engine, question } = await asked();
		expect(isPrivate(question)).toBe(true);
		expect(plain(question.content)).toContain("This video by Fake video costs **15 credits**.");
		expect(labels(question)).toStrictEqual(["Make it for 15 credits", "Leave it"]);
		expect(engine.runs).toHaveLength(0);
		expect(await creditsLeft(ada)).toBe(500);
		const confirmed = await ada.press(question, { label: "Make it for 15 credits" });
		const completed = await confirmed.until(({ attachments }) => attachments.length > 0);
		expect(completed.content).toContain("15 credits · 485 left");
		expect((await grace.messages()).some(({ id }) => id === completed.id)).toBe(true);
		await expect.poll(async () => (await ada.messages()).some(({ id }) => id === question.id)).toBe(false);
	});

	test("runs once, however often it is confirmed, and is delivered once", async () => {
		const { ada, grace, engine, question } = await asked();
		const before = (await grace.messages()).length;
		const label = "Make it for 15 credits";
		const [one, two] = await Promise.all([ada.press(question, { label }), ada.press(question, { label })]);
		const seen = (): readonly APIMessage[] => [...one.messages(), ...two.messages()];
		await expect.poll(() => seen().filter(({ attachments }) => attachments.length > 0)).toHaveLength(1);
		await expect.poll(() => seen().find((message) => isPrivate(message))?.content).toContain("decided already");
		expect(await grace.messages()).toHaveLength(before + 1);
		expect(engine.runs).toHaveLength(1);
		expect(await creditsLeft(ada)).toBe(485);
	});

	test("is dropped if the member declines", async () => {
		const { ada, engine, question } = await asked();
		const declined = await (
			await ada.press(question, { label: "Leave it" })
		).until(({ content }) => content.startsWith("Not made."));
		expect(labels(declined)).toStrictEqual([]);
		expect(engine.runs).toHaveLength(0);
		expect(await creditsLeft(ada)).toBe(500);
	});

	test("is denied a day later", async () => {
		const clock = createManualClock();
		const { userClient } = await openAtelier({ engine: createEngine(), clock });
		await passUntilAnswered(clock, await userClient.type("/settings general", { confirm_above: 0 }));
		const question = await passUntilAnswered(clock, await userClient.type("/image", { prompt: "a boat" }));
		await clock.advance(25 * HOUR_MS);
		const refused = await (await userClient.press(question, { label: "Make it for 4 credits" })).until(isPrivate);
		expect(refused.content).toContain("was too long ago");
	});

	test("can be ephemeral, and is then visible and confirmable to its member only", async () => {
		const { admin, ada, grace } = await openStage();
		await answerTo(admin, "/settings general", { confirm_above: 1 });
		const reply = await ada.type("/image", { prompt: "a boat", private: true });
		const question = await reply.until(isFinalReply);
		expect((await grace.messages()).some(({ id }) => id === question.id)).toBe(false);
		const confirmed = await ada.press(question, { label: "Make it for 4 credits" });
		const completed = await confirmed.until(({ attachments }) => attachments.length > 0);
		expect(isPrivate(completed)).toBe(true);
	});

	test("a cheaper task starts without a confirmation", async () => {
		const { ada } = await asked();
		expect((await picture(ada)).attachments).toHaveLength(1);
	});
});
