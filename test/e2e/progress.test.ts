import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { labelsOf, type Reply, type UserClient } from "@atelier/playground/user-client";
import { createFakeEngine, fakeVideoModel } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { serverCreditsLeft, advanceUntilAnswered, openAtelierWithMembers } from "./start-atelier.ts";
import { isPrivate } from "./replies.ts";

const isProgress = (message: APIMessage): boolean => textOf(message) !== "" && !isFinalReply(message);
const slowVideoModel = { ...fakeVideoModel, typicalSeconds: 120 };
const createHangingEngine = () =>
	createFakeEngine({ models: [slowVideoModel], script: [{ kind: "hang" }, { kind: "hang" }, { kind: "hang" }] });

/** Starts a task of Ada's that shows its progress. */
async function setup() {
	const clock = createManualClock();
	const engine = createHangingEngine();
	const server = await openAtelierWithMembers({ engine, clock });
	const reply = await server.ada.type("/video", { prompt: "a slow boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	const progress = await advanceUntilAnswered(clock, reply, isProgress);
	const cancel = async (userClient: UserClient): Promise<APIMessage> =>
		await advanceUntilAnswered(clock, await userClient.press(progress, { label: "Cancel" }));
	const ended = () => advanceUntilAnswered(clock, reply);
	return { ...server, clock, engine, reply, progress, cancel, ended };
}

test("a reply shows the progress, the expected end and the cost, and becomes the result", async () => {
	const { clock, engine, reply, progress, ended } = await setup();
	expect(textOf(progress)).toContain("**In progress**");
	expect(textOf(progress)).toContain("Video with Fake video · 15 credits, charged when done");
	expect(textOf(progress)).toMatch(/ready <t:\d+:R>/);
	engine.runs[0]?.report(63);
	await advanceUntilAnswered(clock, reply, (message) => textOf(message).includes("▰▰▰▰▰▰▱▱▱▱ 60%"));
	engine.runs[0]?.finish();
	const answer = await ended();
	expect(answer.id).toBe(progress.id);
	expect(filesOf(answer)).toHaveLength(1);
});

const mentionsOf = (reply: Reply) => reply.messages().filter(({ mentions }) => mentions.length > 0);

const label = "Ping me when done";

test("Ping me when done mentions the member in a new message after more than a minute, once if the button is pressed twice", async () => {
	const { ada, owner, clock, engine, reply, progress, ended } = await setup();
	expect(textOf(progress)).toContain("a slow boat");
	const press = async (userClient: UserClient): Promise<string> =>
		textOf(await advanceUntilAnswered(clock, await userClient.press(progress, { label })));
	expect(await press(owner)).toContain("That's another member's job.");
	expect(await Promise.all([press(ada), press(ada)])).toStrictEqual([
		expect.stringContaining("You'll be pinged here"),
		expect.stringContaining("You'll be pinged here"),
	]);
	await clock.advance(61_000);
	engine.runs[0]?.finish();
	const result = await ended();
	await expect.poll(() => mentionsOf(reply)).toHaveLength(1);
	const [mention] = mentionsOf(reply);
	expect(mention?.content).toBe(
		`<@${ada.me.user.id}>, your job is done: https://discord.com/channels/${(await ada.state()).guild.id}/${result.channel_id}/${result.id}`,
	);
});

test("Ping me when done does not mention the member for a job that takes less than a minute", async () => {
	const { ada, clock, engine, reply, progress, ended } = await setup();
	await advanceUntilAnswered(clock, await ada.press(progress, { label }));
	engine.runs[0]?.finish();
	await ended();
	await clock.advance(5_000);
	expect(mentionsOf(reply)).toStrictEqual([]);
});

test("a server can ping its members always or never", async () => {
	const { owner, ada, clock, engine } = await setup();
	const choose = async (pings: string) =>
		textOf(await advanceUntilAnswered(clock, await owner.type("/settings general", { pings })));
	expect(await choose("always")).toContain("**Job pings**: always");
	const asked = await ada.type("/video", { prompt: "another boat" });
	await expect.poll(() => engine.runs.length).toBe(2);
	await clock.advance(61_000);
	engine.runs[1]?.finish();
	await advanceUntilAnswered(clock, asked);
	await expect.poll(() => mentionsOf(asked)).toHaveLength(1);
	expect(await choose("never")).toContain("**Job pings**: never");
	const progress = await advanceUntilAnswered(clock, await ada.type("/video", { prompt: "a third boat" }), isProgress);
	expect(labelsOf(progress)).toStrictEqual(["Cancel"]);
});

test("the Cancel button is denied to other members, and cancels the task once if it is pressed twice", async () => {
	const { ada, grace, engine, cancel, ended } = await setup();
	expect(textOf(await cancel(grace))).toContain("That's another member's job.");
	const answers = await Promise.all([cancel(ada), cancel(ada)]);
	const canceled = "Canceled. No credits were charged.";
	expect(answers.map((message) => textOf(message))).toStrictEqual([canceled, canceled]);
	expect(answers.map(isPrivate)).toStrictEqual([true, true]);
	expect(engine.runs[0]?.signal.aborted).toBe(true);
	expect(textOf(await ended())).toContain("This job was canceled by the member who asked for it.");
	expect(await serverCreditsLeft(ada)).toBe(500);
});
